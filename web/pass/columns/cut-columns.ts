import type { Column, PrimitiveArray } from '../../core/columns';
import { padded } from '../../core/dtypes';
import { copyColumn } from './concat';
import { sliceColumn } from './slice-column';

/**
 * The least and the most bytes of an allocation that arrays of one part share. The garbage collector works for each buffer,
 * and after each growth of all buffers by some 16 MB.
 */
const MIN_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** The most memory that is reserved by the claims of a file, in units of the bytes that came. */
const MAX_RESERVED = 8;
/** Number of offsets of the same size that are compared with new ones. */
const MAX_ALIKE = 8;

/** Returns the number of rows of the parts if `rows` rows are divided evenly into parts of at most `most` rows. */
export function evenPart(rows: number, most: number): number {
  return Math.ceil(rows / Math.ceil(rows / most));
}

/**
 * Divides the columns of a block at the same rows. Each part is a copy, so it can be freed when its rows are used, and
 * the memory of the columns can be given to the next task. Lists of the same lengths share their offsets: of the
 * hundred branches of a collection, most have equal ones.
 */
export class ColumnCutter {
  /** Offsets of parts, by the number of lists and of their members. */
  readonly #alike = new Map<string, Int32Array[]>();
  /** The memory of each part. */
  readonly #memory: PartMemory[] = [];
  /** Bytes of all arrays so far, and of the allocations for them. */
  readonly #all = { came: 0, reserved: 0 };

  /**
   * The rows of the block from 0 to `end` are divided into parts of `size` rows. Rows after `end` belong to the last
   * one. A part is expected to need about `bytes`.
   */
  constructor(
    readonly size: number,
    readonly end: number,
    readonly bytes = 0,
  ) {}

  /** Returns the parts of a column that begins at row `first` of the block. */
  cut(column: Column, first: number): Column[] {
    const parts: Column[] = [];
    for (let from = 0; from < column.length; ) {
      const last = Math.max(0, Math.ceil(this.end / this.size) - 1);
      const part = Math.min(last, Math.floor((first + from) / this.size));
      const to = part < last ? Math.min(column.length, (part + 1) * this.size - first) : column.length;
      this.#memory[part] ??= new PartMemory(this.bytes, this.#all);
      parts.push(this.#copy(column, from, to, this.#memory[part]));
      from = to;
    }
    return parts;
  }

  #copy(column: Column, from: number, to: number, memory: PartMemory): Column {
    const length = to - from;
    switch (column.kind) {
      case 'primitive':
        return { ...column, length, data: memory.copy(column.data, from, to) };
      case 'fixed':
        return {
          ...column,
          length,
          child: this.#copy(column.child, from * column.size, to * column.size, memory),
        };
      case 'list': {
        const offsets = this.#offsets(column.offsets, from, to, memory);
        const child = this.#copy(column.child, column.offsets[from] ?? 0, column.offsets[to] ?? 0, memory);
        return { ...column, length, offsets, child };
      }
      case 'string':
      case 'tape': {
        const offsets = this.#offsets(column.offsets, from, to, memory);
        const bytes = memory.copy(column.bytes, column.offsets[from] ?? 0, column.offsets[to] ?? 0);
        return { ...column, length, offsets, bytes };
      }
      case 'struct':
        return {
          ...column,
          length,
          children: column.children.map((child) => this.#copy(child, from, to, memory)),
        };
      case 'optional': {
        const validity = memory.copy(column.validity, from, to);
        return { ...column, length, validity, child: this.#copy(column.child, from, to, memory) };
      }
      case 'variant':
        return copyColumn(sliceColumn(column, from, to));
    }
  }

  /** Returns the offsets of rows, beginning with 0: earlier ones if they are equal. */
  #offsets(all: Int32Array, from: number, to: number, memory: PartMemory): Int32Array {
    const base = all[from] ?? 0;
    const key = `${to - from} ${(all[to] ?? 0) - base}`;
    const alike = this.#alike.get(key) ?? [];
    const found = alike.find((own) => isSame(own, all, from, base));
    if (found) return found;
    const offsets = memory.copy(all, from, to + 1);
    if (base !== 0) for (let i = 0; i < offsets.length; i++) offsets[i] = (offsets[i] ?? 0) - base;
    if (alike.length < MAX_ALIKE) this.#alike.set(key, [...alike, offsets]);
    return offsets;
  }
}

/** The memory of a part of all columns. */
class PartMemory {
  #bytes: ArrayBuffer | undefined;
  #used = 0;
  /** Bytes of its arrays so far. */
  #taken = 0;

  /** `expected` is the number of bytes that the file claims. `all` counts the bytes of all parts. */
  constructor(
    readonly expected: number,
    readonly all: { came: number; reserved: number },
  ) {}

  /** Returns a copy of the values from `from` to `to`. */
  copy<A extends PrimitiveArray>(values: A, from: number, to: number): A {
    const size = (to - from) * values.BYTES_PER_ELEMENT;
    const rest = this.expected - this.#taken;
    this.#taken += size;
    this.all.came += size;
    if (!this.#bytes || this.#used + size > this.#bytes.byteLength) {
      const credit = MAX_RESERVED * this.all.came - this.all.reserved;
      const next = padded(Math.max(MIN_BYTES, Math.min(rest, credit, MAX_BYTES)));
      if (size > next / 4) return values.slice(from, to) as A;
      this.#bytes = new ArrayBuffer(next);
      this.#used = 0;
      this.all.reserved += next;
    }
    const make = values.constructor as new (bytes: ArrayBuffer, at: number, length: number) => A;
    const own = new make(this.#bytes, this.#used, to - from);
    own.set(values.subarray(from, to) as never);
    this.#used += padded(size);
    return own;
  }
}

/** Whether `own` are the offsets from `from` on, less `base`. */
function isSame(own: Int32Array, all: Int32Array, from: number, base: number): boolean {
  for (let i = 0; i < own.length; i++) if (own[i] !== (all[from + i] ?? 0) - base) return false;
  return true;
}
