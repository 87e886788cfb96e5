import { corrupt, internal, overBudget, unsupported } from '../base/data-errors';
import type { XylemError } from '../base/errors';
import { DTYPES, numberAt, type PrimitiveArray, sizeOf, toArray } from './dtypes';

/** Plain data as the core writes it on a tape. The grammar is in wasm/src/streamer/tape.h. */
export type TapeValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | TapeValue[]
  | PrimitiveArray
  | { [member: string]: TapeValue };

/** Tag at the start of each value of a tape, numbered as in wasm/src/streamer/tape.h. */
export const TAPE_TAG = {
  null: 0,
  false: 1,
  true: 2,
  scalar: 3,
  string: 4,
  array: 5,
  list: 6,
  object: 7,
  ref: 8,
  error: 9,
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a text of a file: as UTF-8, or as Latin-1 if it is not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length < 24) {
    // Short names are nearly always ASCII, for which TextDecoder is slow.
    let text = '';
    for (const byte of bytes) {
      if (byte >= 0x80) return decodeLong(bytes);
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decodeLong(bytes);
}

function decodeLong(bytes: Uint8Array): string {
  // Not TextDecoder's "latin1", which is windows-1252.
  return decodeUtf8(bytes) ?? Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Cache of member names by a hash of their bytes, so that each name is one string object. */
const NAMES = 4096;
const knownNames = new Array<{ bytes: Uint8Array; text: string } | undefined>(NAMES).fill(undefined);
/** Longer names are rarely member names. */
const MAX_NAME_BYTES = 48;

/** Returns the text of a name. The same bytes usually give the same string object. */
function nameAt(bytes: Uint8Array, start: number, length: number): string {
  if (length > MAX_NAME_BYTES) return decodeText(bytes.subarray(start, start + length));
  const end = start + length;
  let hash = length;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] ?? 0)) | 0;
  const place = hash & (NAMES - 1);
  const known = knownNames[place];
  if (known?.bytes.length === length) {
    let i = 0;
    while (i < length && known.bytes[i] === bytes[start + i]) i++;
    if (i === length) return known.text;
  }
  const own = bytes.slice(start, end);
  const text = decodeText(own);
  knownNames[place] = { bytes: own, text };
  return text;
}

/** Many texts, one after another, and the end of each. */
export interface Texts {
  text: Uint8Array;
  ends: Int32Array;
}

/** Splits the texts. If all are ASCII, as most names are, they are decoded at once. */
export function readTexts({ text, ends }: Texts): string[] {
  const whole = decodeUtf8(text);
  const plain = whole?.length === text.length;
  let start = 0;
  return Array.from(ends, (end) => {
    const one =
      whole !== undefined && plain ? whole.slice(start, end) : decodeText(text.subarray(start, end));
    start = end;
    return one;
  });
}

/**
 * Maximum estimated memory of the objects of one tape in bytes, because a full heap ends the process. A list has at
 * most MAX_LISTED values, because exceeding the array limit of the engine cannot be caught either.
 */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_LISTED = 2 ** 24;
const OBJECT_BYTES = 64;
const VALUE_BYTES = 16;

/**
 * Reads the value at `offset`. Throws BUDGET if it takes more than MAX_BYTES. Objects get `_typename` and ROOT's member
 * names. 64-bit integers are bigints. A reference is `{ $ref: id }`, and the object it refers to has `$id: id`. A TRef
 * to an object on the tape has `$target: { $ref: id }`. A part that could not be decoded is `{ $error: why }`.
 */
export function readTape(tape: Uint8Array, offset = 0): TapeValue {
  const reader = new TapeReader(tape, offset, false);
  const value = reader.value();
  reader.markTargets();
  return value;
}

/**
 * Reads an exact tape (wasm/src/streamer/exact.h), as needed for writing: references are the same JavaScript object,
 * and a text that is not UTF-8 is an array of its bytes. Throws UNSUPPORTED if an object has two members with the same
 * name.
 */
export function readExactTape(tape: Uint8Array): TapeValue {
  return new TapeReader(tape, 0, true).value();
}

/** Returns the reason why an object could not be completely decoded; undefined if it was. Its bytes are in `$bytes`. */
export function errorOf(value: TapeValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    return undefined;
  }
  return typeof value.$error === 'string' ? value.$error : undefined;
}

/** Returns the TRefs in a value that refer to an object outside of it. */
export function lostReferences(value: TapeValue): { [member: string]: TapeValue }[] {
  const lost: { [member: string]: TapeValue }[] = [];
  const left: TapeValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next === null || typeof next !== 'object' || ArrayBuffer.isView(next)) continue;
    for (const member of Object.values(next)) if (typeof member === 'object') left.push(member);
    if (Array.isArray(next) || next._typename !== 'TRef') continue;
    if (next.fUniqueID !== 0 && next.fPID !== undefined && next.$target === undefined) lost.push(next);
  }
  return lost;
}

class TapeReader {
  readonly #view: DataView;
  #bytesLeft = MAX_BYTES;
  readonly #objects = new Map<number, { [member: string]: TapeValue }>();
  readonly #referenced = new Set<number>();
  /** TRefs and the objects that they may refer to, by the key that TRefs use. */
  readonly #trefs: [key: string, { [member: string]: TapeValue }][] = [];
  readonly #targets = new Map<string, { [member: string]: TapeValue }>();
  #lastId = 0;
  #at: number;

  constructor(
    readonly bytes: Uint8Array,
    offset: number,
    readonly exact: boolean,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = offset;
  }

  value(): TapeValue {
    const tag = this.bytes[this.#at++];
    switch (tag) {
      case TAPE_TAG.null:
        return null;
      case TAPE_TAG.false:
        return false;
      case TAPE_TAG.true:
        return true;
      case TAPE_TAG.scalar:
        return this.#scalar();
      case TAPE_TAG.string:
        return this.exact ? this.#exactText(this.#uint32()) : this.#text(this.#uint32());
      case TAPE_TAG.array:
        return this.#array();
      case TAPE_TAG.list:
        return this.#list();
      case TAPE_TAG.object:
        return this.#object();
      case TAPE_TAG.ref:
        return this.#reference();
      case TAPE_TAG.error:
        return { $error: this.#text(this.#uint32()) };
      default:
        throw internal(`A value tape has tag ${tag} at ${this.#at - 1}.`);
    }
  }

  #take(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0) return;
    throw overBudget(
      `The values of the object take more than ${MAX_BYTES / 2 ** 20} MiB of memory.`,
      'ROOT itself can read it in parts.',
    );
  }

  /** Records a TRef, or an object that TRefs refer to. */
  #note(object: { [member: string]: TapeValue }): void {
    const { fUniqueID, fPID, $pid } = object;
    if (typeof fUniqueID !== 'number') return; // a class may have a member of this name
    const number = Number(fUniqueID) & 0xffffff; // the highest byte is the process's own
    if (object._typename !== 'TRef') {
      this.#targets.set(`${number} ${String($pid)}`, object);
      delete object.$pid;
    } else if (number !== 0) this.#trefs.push([`${number} ${String(fPID)}`, object]);
  }

  markTargets(): void {
    const ids = new Map(
      this.#trefs.length > 0 ? Array.from(this.#objects, ([id, object]) => [object, id] as const) : [],
    );
    for (const [key, ref] of this.#trefs) {
      const target = this.#targets.get(key);
      if (!target) continue;
      const id = ids.get(target) ?? ++this.#lastId;
      ids.set(target, id);
      this.#objects.set(id, target);
      this.#referenced.add(id);
      ref.$target = { $ref: id };
    }
    for (const id of this.#referenced) {
      const target = this.#objects.get(id);
      if (target) target.$id = id;
    }
  }

  #reference(): TapeValue {
    const id = this.#uint32();
    if (this.exact) return this.#objects.get(id) ?? invalid(`a reference to object ${id} has no object`);
    this.#referenced.add(id);
    return { $ref: id };
  }

  #uint32(): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  #text(length: number): string {
    this.#take(VALUE_BYTES + length);
    const text = decodeText(this.bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return text;
  }

  #exactText(length: number): string | Uint8Array {
    const bytes = this.bytes.subarray(this.#at, this.#at + length);
    const text = decodeUtf8(bytes);
    this.#take((text === undefined ? OBJECT_BYTES : VALUE_BYTES) + length);
    this.#at += length;
    return text ?? bytes.slice();
  }

  #scalar(): number | bigint {
    const dtype = DTYPES[this.bytes[this.#at++] ?? 0] ?? 'u8';
    const at = this.#at;
    this.#at += sizeOf(dtype);
    return numberAt(this.#view, at, dtype);
  }

  #array(): TapeValue {
    const dtype = DTYPES[this.bytes[this.#at++] ?? 0] ?? 'u8';
    const bytes = this.#uint32() * sizeOf(dtype);
    this.#take(dtype === 'bool' ? VALUE_BYTES * bytes : OBJECT_BYTES);
    const copy = this.bytes.slice(this.#at, this.#at + bytes);
    this.#at += bytes;
    if (dtype === 'bool') return Array.from(copy, (byte) => byte !== 0);
    return toArray(dtype, copy.buffer);
  }

  #list(): TapeValue {
    const size = this.#uint32();
    const count = this.#uint32();
    if (count > MAX_LISTED) {
      this.#at += size;
      return { $error: `a list of ${count} values; at most ${MAX_LISTED} are read` };
    }
    this.#take(OBJECT_BYTES + VALUE_BYTES * count);
    const list: TapeValue[] = new Array(count);
    for (let i = 0; i < count; i++) list[i] = this.value();
    return list;
  }

  #object(): TapeValue {
    const size = this.#uint32();
    const end = this.#at + 4 + size;
    this.#take(OBJECT_BYTES);
    const id = this.#uint32();
    const object: { [member: string]: TapeValue } = {};
    if (id !== 0) this.#objects.set(id, object);
    this.#lastId = Math.max(this.#lastId, id);
    const typename = this.#name();
    if (typename) object._typename = typename;
    while (this.#at < end) {
      const name = this.#name();
      const value = this.value();
      if (this.exact && Object.hasOwn(object, name)) throw twice(typename, name);
      // A name from a hostile file must not set the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
    }
    if (!this.exact && (typename === 'TRef' || object.$pid !== undefined)) this.#note(object);
    return object;
  }

  #name(): string {
    const length = this.#view.getUint16(this.#at, true);
    const start = this.#at + 2;
    this.#take(VALUE_BYTES + length);
    this.#at = start + length;
    return nameAt(this.bytes, start, length);
  }
}

function invalid(why: string): never {
  throw corrupt(`An object cannot be read: ${why}.`);
}

function twice(typename: string, name: string): XylemError {
  return unsupported(
    `Class ${typename} has two members ${name}, of itself and of a base class, which data cannot tell apart.`,
    'Such an object can be copied as it is.',
  );
}
