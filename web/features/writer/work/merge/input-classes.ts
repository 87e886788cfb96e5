import type { CallOptions } from '../../../../api/api';
import { sameBytes } from '../../../../base/bytes';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { ClassCodec } from '../encode/class-codec';
import type { Records } from '../file/records';
import type { Input } from '../input/input';

/** The classes of a file, and the record that describes them. */
export interface DescribedClasses {
  codec: ClassCodec;
  infos: Uint8Array | undefined;
}

/** The classes of the inputs. Files that describe the same classes share them. */
export class InputClasses {
  readonly #core: Core<WriterExports>;
  readonly #records: Records;
  readonly #codecs = new Set<ClassCodec>();
  #last: (DescribedClasses & { version: number; described: Uint8Array }) | undefined;

  constructor(core: Core<WriterExports>, records: Records) {
    this.#core = core;
    this.#records = records;
  }

  async of({ reader, id, header, streamers }: Input, { signal }: CallOptions): Promise<DescribedClasses> {
    const infos = streamers && (await reader.bytes(id, [streamers], { signal })).slice();
    // The key is ignored, because it contains the position of the record.
    const described = infos?.subarray(this.#records.readKey(infos).keylen) ?? new Uint8Array(0);
    const last = this.#last;
    if (last?.version === header.version && sameBytes(last.described, described)) return last;
    const codec = new ClassCodec(this.#core, header.version, infos);
    this.#codecs.add(codec);
    this.#last = { codec, infos, version: header.version, described };
    return this.#last;
  }

  /** Frees the classes that are not in use, except those of the last file. */
  release(inUse: (codec: ClassCodec) => boolean): void {
    for (const codec of this.#codecs) {
      if (codec === this.#last?.codec || inUse(codec)) continue;
      this.#codecs.delete(codec);
      codec.free();
    }
  }

  free(): void {
    for (const codec of this.#codecs) codec.free();
    this.#codecs.clear();
    this.#last = undefined;
  }
}
