import { joined } from '../../../../base/bytes';
import { ALGORITHMS, type Codec } from '../../../../core/compression';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { readExactTape, readTape, type TapeValue } from '../../../../core/tape';
import { writeTape } from '../../../../core/tape-writer';
import { NtupleMetadata } from './ntuple-metadata';
import type { TapeShape } from './tape-shape';
import type { ObjectCodec, ObjectData } from './types';

/** Writes the tape of an object to the input buffer of a module. It is valid there until the next call. */
export function tapeIn(core: Core<WriterExports>, object: ObjectData): { at: number; length: number } {
  let at = 0;
  const { length } = writeTape(object, (bytes) => {
    at = core.room(bytes);
    return core.view(at, bytes);
  });
  return { at, length };
}

/** The classes of an input file, held by an instance of xylem-write.wasm. */
export class ClassCodec implements ObjectCodec {
  readonly #core: Core<WriterExports>;
  readonly #version: number;
  /** Index of its classes in the module. */
  readonly file: number;
  readonly #packer: number;

  /**
   * @param rootVersion fVersion in the header of the file
   * @param streamerInfos the record of the file's streamer infos, if it has one. Without it only the classes of this
   *   record itself are known, so that it can be read as an object.
   */
  constructor(core: Core<WriterExports>, rootVersion: number, streamerInfos?: Uint8Array) {
    this.#core = core;
    this.#version = rootVersion;
    this.file = core.make((x) => x.xy_file_create(rootVersion));
    this.#packer = core.make((x) => x.xw_packer_create());
    if (streamerInfos === undefined) return;
    const input = core.input(streamerInfos);
    try {
      core.run((x, ctx) => x.xy_streamers(ctx, this.file, input, streamerInfos.length));
    } catch (thrown) {
      this.free();
      throw thrown;
    }
  }

  read(record: Uint8Array): ObjectData {
    return this.#tape(record, readExactTape) as ObjectData;
  }

  /** Whether the object of a record has the shape of another one. */
  hasShape(record: Uint8Array, shape: TapeShape): boolean {
    return this.#tape(record, (tape) => shape.fits(tape));
  }

  look(record: Uint8Array): TapeValue {
    const input = this.#core.input(record);
    return this.#core.read((x, ctx) => x.xy_object(ctx, this.file, input, record.length), readTape);
  }

  write(object: ObjectData, keyLength: number): Uint8Array<ArrayBuffer> {
    const core = this.#core;
    const { at, length } = tapeIn(core, object);
    return core.call((x, ctx) => x.xw_encode(ctx, this.file, at, length, keyLength));
  }

  /**
   * Returns the list of streamer infos of a record, in a form that can be merged with lists of other files. Some
   * files also contain streamer infos for TStreamerInfo itself; those are left out.
   */
  readInfos(record: Uint8Array): ObjectData {
    return this.#withoutInfos((plain) => plain.read(record));
  }

  /** Returns the bytes of a list from `readInfos`. */
  writeInfos(list: ObjectData, keyLength: number): Uint8Array<ArrayBuffer> {
    return this.#withoutInfos((plain) => plain.write(list, keyLength));
  }

  #withoutInfos<T>(use: (plain: ClassCodec) => T): T {
    const plain = new ClassCodec(this.#core, this.#version);
    try {
      return use(plain);
    } finally {
      plain.free();
    }
  }

  /** Returns the exact tape of the object of a record. */
  tape(record: Uint8Array): Uint8Array {
    return this.#tape(record, (tape) => tape.slice());
  }

  #tape<T>(record: Uint8Array, use: (tape: Uint8Array<ArrayBuffer>) => T): T {
    const input = this.#core.input(record);
    return this.#core.read((x, ctx) => x.xw_object(ctx, this.file, input, record.length), use);
  }

  /** Returns the bytes of an object from its exact tape. */
  fromTape(tape: Uint8Array, keyLength: number): Uint8Array<ArrayBuffer> {
    const input = this.#core.input(tape);
    return this.#core.call((x, ctx) => x.xw_encode(ctx, this.file, input, tape.length, keyLength));
  }

  /** Whether a class that the file describes derives from another one or is the same class. */
  derives(className: string, base: string): boolean {
    const [own, other] = [className, base].map((name) => new TextEncoder().encode(name));
    const names = this.#core.input(joined([own ?? new Uint8Array(0), other ?? new Uint8Array(0)]));
    return this.#core.exports.xw_derives(this.file, names, own?.length ?? 0, other?.length ?? 0) === 1;
  }

  unpack(record: Uint8Array): Uint8Array<ArrayBuffer> {
    const input = this.#core.input(record);
    return this.#core.call((x, ctx) => x.xw_unpack(ctx, this.file, input, record.length));
  }

  contains(record: Uint8Array, bytes: Uint8Array): boolean {
    return this.#core.withBytes(bytes, (text) => {
      const input = this.#core.input(record);
      const found = this.#core.call((x, ctx) =>
        x.xw_contains(ctx, this.file, input, record.length, text, bytes.length),
      );
      return found[0] === 1;
    });
  }

  pack(object: Uint8Array, { algorithm, level }: Codec): Uint8Array<ArrayBuffer> {
    const input = this.#core.input(object);
    return this.#core.call((x, ctx) =>
      x.xw_pack(ctx, this.#packer, ALGORITHMS[algorithm], level, input, object.length),
    );
  }

  /**
   * Returns the uncompressed record of a basket that was kept in its tree's record, from its `$basket`. The caller
   * sets the lengths and positions in its key. Throws UNSUPPORTED for a basket that ROOT does not write in this form.
   */
  embedded(basket: Uint8Array): Uint8Array<ArrayBuffer> {
    const input = this.#core.input(basket);
    return this.#core.call((x, ctx) => x.xw_embedded(ctx, input, basket.length));
  }

  /**
   * Returns for each branch of the tree in a record a plan that finds the pointers in its entries. null: there are
   * none, or the branch is not wanted. A text: the reason why they cannot be found.
   */
  entryPlans(record: Uint8Array, wanted: readonly boolean[]): (Uint8Array | string | null)[] {
    const core = this.#core;
    const flags = Uint8Array.from(wanted, Number);
    const tape = core.withBytes(flags, (list) => {
      const input = core.input(record);
      return core.call((x, ctx) =>
        x.xw_entry_plans(ctx, this.file, input, record.length, list, flags.length),
      );
    });
    return readExactTape(tape) as (Uint8Array | string | null)[];
  }

  /** Returns the metadata of an RNTuple, from the record of its anchor. Free it before this codec. */
  ntuple(anchor: Uint8Array): NtupleMetadata {
    return new NtupleMetadata(this.#core, this.file, anchor);
  }

  free(): void {
    this.#core.free((x) => {
      x.xy_file_destroy(this.file);
      x.xw_packer_destroy(this.#packer);
    });
  }
}
