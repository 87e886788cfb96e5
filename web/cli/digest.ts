import { unsupported } from '../base/data-errors';
import type { Column, PrimitiveArray } from '../core/columns';
import { NUMPY_DTYPES } from '../export/numpy-dtype';
import { crc32 } from './crc32';

/** Result of `values --digest` for a branch: checksums over all of its entries. */
export interface Digest {
  /** As numpy writes it: "<f4", "|i1", "|b1". */
  dtype: string;
  /** Numbers in all entries together. */
  count: number;
  /** CRC-32 of the numbers as contiguous little-endian bytes, 8 hexadecimal digits. */
  crc32: string;
  /** CRC-32 of the offsets as int64, starting at 0, one more than entries; null where not jagged. */
  offsets_crc32: string | null;
}

/** Builds the digest of a branch from its columns, one entry range after another. */
export class DigestBuilder {
  #dtype: string | undefined;
  #count = 0;
  #contents = 0;
  #offsets = 0;
  #outer = 0n;
  #jagged = false;

  /** Throws UNSUPPORTED when the column is neither flat nor singly jagged numbers. */
  add(column: Column): void {
    const first = this.#dtype === undefined;
    let rows = column;
    let count = column.length;
    if (rows.kind === 'list') {
      this.#addOffsets(rows.offsets, rows.length, first);
      count = rows.offsets[rows.length] ?? 0;
      rows = rows.child;
    }
    while (rows.kind === 'fixed') {
      count *= rows.size;
      rows = rows.child;
    }
    if (rows.kind !== 'primitive') {
      throw unsupported(
        `A digest is for flat or singly jagged numbers; here are values of kind ${rows.kind}.`,
      );
    }
    this.#dtype = NUMPY_DTYPES[rows.dtype];
    this.#count += count;
    this.#contents = crc32(bytesOf(rows.data, count), this.#contents);
  }

  /** Throws UNSUPPORTED when nothing was added. */
  finish(): Digest {
    if (this.#dtype === undefined) throw unsupported('There is nothing to make a digest of.');
    return {
      dtype: this.#dtype,
      count: this.#count,
      crc32: hex(this.#contents),
      offsets_crc32: this.#jagged ? hex(this.#offsets) : null,
    };
  }

  /** The offsets continue from the last offset of the range before. */
  #addOffsets(offsets: Int32Array, length: number, first: boolean): void {
    this.#jagged = true;
    const from = first ? 0 : 1;
    const wide = new BigInt64Array(length + 1 - from);
    for (let i = from; i <= length; i++) wide[i - from] = this.#outer + BigInt(offsets[i] ?? 0);
    this.#outer += BigInt(offsets[length] ?? 0);
    this.#offsets = crc32(bytesOf(wide, wide.length), this.#offsets);
  }
}

/** The first `length` numbers as bytes; every platform that Node runs on here is little-endian. */
function bytesOf(data: PrimitiveArray, length: number): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, length * data.BYTES_PER_ELEMENT);
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
