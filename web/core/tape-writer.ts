import { XylemError } from '../base/errors';
import { DTYPES, dtypeOf, type PrimitiveArray } from './dtypes';
import { TAPE_TAG, type TapeValue } from './tape';

/** Bytes of a tape at first; it doubles. */
const FIRST_BYTES = 4096;
/** Bytes of a tape at most: the memory of a module has no more. */
const MAX_BYTES = 2 ** 31;
const MAX_NAME_BYTES = 0xffff;

/**
 * Writes data as a tape that the writing module takes: the inverse of `readExactTape`. Numbers are written as they
 * are in JavaScript, because the module converts them to the type of the member. Throws ARGUMENT for a value that a
 * tape cannot hold.
 */
export function writeTape(object: { [member: string]: TapeValue }): Uint8Array {
  const writer = new TapeWriter();
  writer.value(object);
  return writer.finish();
}

class TapeWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #utf8 = new TextEncoder();
  /** Numbers of the objects that were met: the first one, which is the object of the record, has the number 1. */
  readonly #ids = new Map<object, number>();

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

  #room(bytes: number): number {
    const at = this.#length;
    if (at + bytes > this.#bytes.length) {
      if (at + bytes > MAX_BYTES) throw refused('an object takes more than 2 GiB', 'BUDGET');
      const grown = new Uint8Array(Math.min(MAX_BYTES, Math.max(2 * this.#bytes.length, at + bytes)));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
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
    this.#bytes[at + 1] = DTYPES.indexOf('f64');
    this.#view.setFloat64(at + 2, value, true);
  }

  #integer(value: bigint): void {
    const signed = BigInt.asIntN(64, value) === value;
    if (!signed && BigInt.asUintN(64, value) !== value) throw refused(`${value} has more than 64 bits`);
    const at = this.#room(10);
    this.#bytes[at] = TAPE_TAG.scalar;
    this.#bytes[at + 1] = DTYPES.indexOf(signed ? 'i64' : 'u64');
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
    for (const [name, value] of Object.entries(object)) {
      if (name === '_typename') continue;
      this.#name(name);
      this.value(value);
    }
    this.#view.setUint32(at + 1, this.#length - at - 9, true);
  }

  #name(name: string): void {
    const bytes = this.#utf8.encode(name);
    if (bytes.length > MAX_NAME_BYTES) throw refused(`a name has ${bytes.length} bytes`);
    const at = this.#room(2 + bytes.length);
    this.#view.setUint16(at, bytes.length, true);
    this.#bytes.set(bytes, at + 2);
  }
}

function refused(why: string, code: 'ARGUMENT' | 'BUDGET' = 'ARGUMENT'): XylemError {
  return new XylemError({ code, message: `An object cannot be written: ${why}.` });
}
