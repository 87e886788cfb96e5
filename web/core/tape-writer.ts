import { XylemError } from '../base/errors';
import { DTYPES, dtypeOf, type PrimitiveArray } from './dtypes';
import { TAPE_TAG, type TapeValue } from './tape';

/** Maximum size of a tape in bytes, because the memory of a module is not larger. */
const MAX_BYTES = 2 ** 31;
const MAX_NAME_BYTES = 0xffff;
/** Maximum number of bytes of a value on a tape, without its text, elements or members. */
const VALUE_BYTES = 16;
/** Maximum number of bytes of a character. */
const CHARACTER_BYTES = 3;
/** Type numbers as used on tapes. */
const [I64, U64, F64] = (['i64', 'u64', 'f64'] as const).map((dtype) => DTYPES.indexOf(dtype)) as [
  number,
  number,
  number,
];

/**
 * Writes data as a tape for the writer module: the inverse of `readExactTape`. Numbers are written as JavaScript has
 * them, and the module converts them to the type of the member. `room` returns memory for the tape, which may be longer
 * than the tape. Throws ARGUMENT for a value that a tape cannot represent, and BUDGET for more than 2 GiB.
 */
export function writeTape(
  object: { [member: string]: TapeValue },
  room: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes),
): Uint8Array {
  const bytes = bytesOf(object);
  if (bytes > MAX_BYTES) throw refused('it takes more than 2 GiB', 'BUDGET');
  const writer = new TapeWriter(room(bytes));
  writer.value(object);
  return writer.finish();
}

/** Returns the maximum size of an object on a tape in bytes, which is also about its size in memory. */
export function bytesOf(object: { [member: string]: TapeValue }): number {
  const seen = new Set<TapeValue>();
  const left: (TapeValue | undefined)[] = [object];
  let bytes = 0;
  while (left.length > 0) {
    const value = left.pop();
    bytes += VALUE_BYTES;
    if (typeof value === 'string') bytes += CHARACTER_BYTES * value.length;
    if (typeof value !== 'object' || value === null) continue;
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (!seen.has(value)) {
      seen.add(value);
      for (const name of Object.keys(value)) {
        bytes += CHARACTER_BYTES * name.length;
        left.push(value[name]);
      }
    }
  }
  return bytes;
}

class TapeWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #length = 0;
  readonly #utf8 = new TextEncoder();
  /** Names of members and classes in UTF-8. They occur repeatedly. */
  readonly #names = new Map<string, Uint8Array>();
  /** Numbers of the objects written so far. The object of the record is first and has the number 1. */
  readonly #ids = new Map<object, number>();

  /** @param bytes memory for the whole tape */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  value(value: TapeValue | undefined): void {
    if (value === null) this.#put8(TAPE_TAG.null);
    else if (typeof value === 'boolean') this.#put8(value ? TAPE_TAG.true : TAPE_TAG.false);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'bigint') this.#integer(value);
    else if (typeof value === 'string') this.#string(value);
    else if (typeof value !== 'object')
      throw refused(`a value of type ${typeof value} has no place in an object`);
    else if (Array.isArray(value)) this.#list(value);
    else if (ArrayBuffer.isView(value)) this.#array(value);
    else this.#object(value);
  }

  /** Reserves the next bytes and returns their offset. */
  #room(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    return at;
  }

  #put8(byte: number): void {
    const at = this.#room(1);
    this.#bytes[at] = byte;
  }

  #number(value: number): void {
    const at = this.#room(10);
    this.#bytes[at] = TAPE_TAG.scalar;
    this.#bytes[at + 1] = F64;
    this.#view.setFloat64(at + 2, value, true);
  }

  #integer(value: bigint): void {
    const signed = BigInt.asIntN(64, value) === value;
    if (!signed && BigInt.asUintN(64, value) !== value) throw refused(`${value} has more than 64 bits`);
    const at = this.#room(10);
    this.#bytes[at] = TAPE_TAG.scalar;
    this.#bytes[at + 1] = signed ? I64 : U64;
    this.#view.setBigUint64(at + 2, BigInt.asUintN(64, value), true);
  }

  #string(text: string): void {
    const bytes = this.#utf8.encode(text);
    const at = this.#room(5 + bytes.length);
    this.#bytes[at] = TAPE_TAG.string;
    this.#view.setUint32(at + 1, bytes.length, true);
    this.#bytes.set(bytes, at + 5);
  }

  #array(array: PrimitiveArray): void {
    const at = this.#room(6 + array.byteLength);
    this.#bytes[at] = TAPE_TAG.array;
    this.#bytes[at + 1] = DTYPES.indexOf(dtypeOf(array));
    this.#view.setUint32(at + 2, array.length, true);
    this.#bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at + 6);
  }

  #list(list: readonly TapeValue[]): void {
    const at = this.#room(9);
    this.#bytes[at] = TAPE_TAG.list;
    for (const value of list) this.value(value);
    this.#view.setUint32(at + 1, this.#length - at - 9, true);
    this.#view.setUint32(at + 5, list.length, true);
  }

  #object(object: { [member: string]: TapeValue }): void {
    const known = this.#ids.get(object);
    if (known !== undefined) {
      const at = this.#room(5);
      this.#bytes[at] = TAPE_TAG.ref;
      this.#view.setUint32(at + 1, known, true);
      return;
    }
    for (const mark of ['$error', '$ref'])
      if (Object.hasOwn(object, mark)) throw refused(`an object that was read for viewing has ${mark}`);
    this.#ids.set(object, this.#ids.size + 1);
    const at = this.#room(9);
    this.#bytes[at] = TAPE_TAG.object;
    this.#view.setUint32(at + 5, this.#ids.size, true);
    this.#name(typeof object._typename === 'string' ? object._typename : '');
    for (const name of Object.keys(object)) {
      if (name === '_typename') continue;
      this.#name(name);
      this.value(object[name]);
    }
    this.#view.setUint32(at + 1, this.#length - at - 9, true);
  }

  #name(name: string): void {
    let bytes = this.#names.get(name);
    if (!bytes) {
      bytes = this.#utf8.encode(name);
      if (bytes.length > MAX_NAME_BYTES) throw refused(`a name has ${bytes.length} bytes`);
      this.#names.set(name, bytes);
    }
    const at = this.#room(2 + bytes.length);
    this.#view.setUint16(at, bytes.length, true);
    this.#bytes.set(bytes, at + 2);
  }
}

function refused(why: string, code: 'ARGUMENT' | 'BUDGET' = 'ARGUMENT'): XylemError {
  return new XylemError({ code, message: `An object cannot be written: ${why}.` });
}
