import { sameBytes } from '../../../../base/bytes';
import { type Members, numberOf } from '../../../../bins/object-values';
import type { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';

interface First {
  record: Uint8Array;
  codec: ClassCodec;
  plain: Uint8Array;
}

/** The descriptions of classes of several files, each once. */
export class StreamerUnion {
  #first: First | undefined;
  #list: ObjectData | undefined;
  /** Class, version and checksum of each description. For other objects in the list: the name. */
  readonly #known = new Set<string>();
  #added = 0;

  /** The codec whose file's list the others are added to. */
  get codec(): ClassCodec | undefined {
    return this.#first?.codec;
  }

  /** Adds the list of a file, given as a record. A list is decoded only if it differs from the earlier ones. */
  add(record: Uint8Array, codec: ClassCodec): void {
    const plain = codec.unpack(record);
    if (!this.#first) {
      this.#first = { record, codec, plain };
      return;
    }
    if (sameBytes(plain, this.#first.plain)) return;
    this.#list ??= this.#decode(this.#first);
    for (const item of itemsOf(codec.readInfos(record))) {
      const identity = identityOf(item);
      if (this.#known.has(identity)) continue;
      this.#known.add(identity);
      itemsOf(this.#list).push(item);
      if (Array.isArray(this.#list.opt)) this.#list.opt.push('');
      this.#added++;
    }
  }

  #decode({ record, codec }: First): ObjectData {
    const list = codec.readInfos(record);
    for (const item of itemsOf(list)) this.#known.add(identityOf(item));
    return list;
  }

  /** Returns the object with all descriptions, and the record of the first file if that contains all of them. */
  result(): { record?: Uint8Array; object: (keyLength: number) => Uint8Array<ArrayBuffer> } | undefined {
    const first = this.#first;
    if (!first) return undefined;
    const object = (keyLength: number) =>
      first.codec.writeInfos(this.#list ?? this.#decode(first), keyLength);
    return this.#added === 0 ? { record: first.record, object } : { object };
  }
}

function itemsOf(list: Members): Members[] {
  return Array.isArray(list.arr) ? (list.arr as Members[]) : [];
}

function identityOf(item: Members): string {
  return [
    item._typename,
    item.fName ?? item.name,
    numberOf(item, 'fClassVersion'),
    numberOf(item, 'fCheckSum'),
  ].join(' ');
}
