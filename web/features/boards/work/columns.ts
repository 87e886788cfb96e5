import type { OutputValues } from '../../../api/rows';
import { unsupported } from '../../../base/data-errors';
import { decodeText } from '../../../core/tape';

export type Values = Float64Array | Float32Array;

/** The values of an expression for all entries of a board. */
export interface BoardColumn {
  expr: string;
  /** Values of all entries, one after the other; of texts the numbers of their labels. */
  values: Values;
  /** For lists: the place of the first value of each entry, and the end of the last. Undefined if each entry has one value. */
  starts: Uint32Array | undefined;
  /** The different texts, in the order in which they occur; undefined for numbers. */
  labels: string[] | undefined;
  /** Whether all values are whole numbers by their type. */
  integer: boolean;
}

/** Maximum number of different texts of a column. */
const MAX_LABELS = 1000;

/** Gathers the values of an expression, part by part. */
export class ColumnParts {
  /** Values are kept with 32 bits as long as none of them is rounded by that. */
  #values: Values = new Float32Array(1024);
  #length = 0;
  #starts: Uint32Array | undefined;
  #entries = 0;
  #isText = false;
  #isInteger = true;
  readonly #labels = new Map<string, number>();

  constructor(readonly expr: string) {}

  /** Number of bytes that the values take. */
  get bytes(): number {
    return this.#length * this.#values.BYTES_PER_ELEMENT + (this.#starts ? 4 * this.#entries : 0);
  }

  /** Adds the values of further entries. Throws UNSUPPORTED for a column with too many different texts. */
  add({ counts, values, strings }: OutputValues, isList: boolean, isInteger: boolean): void {
    this.#isInteger &&= isInteger;
    this.#isText ||= strings !== undefined;
    if (strings) this.#append(this.#labelled(strings));
    else this.#append(values instanceof Float64Array ? values : this.#doubles(values));
    // An element that an entry does not have, as Muon_pt[0] of no muon, is a list without values.
    if (!this.#starts && (isList || counts.some((count) => count !== 1))) {
      this.#starts = new Uint32Array(2 * (this.#entries + counts.length) + 1);
      for (let entry = 0; entry <= this.#entries; entry++) this.#starts[entry] = entry;
    }
    if (this.#starts) this.#addCounts(counts);
    this.#entries += counts.length;
  }

  #addCounts(counts: Int32Array): void {
    let starts = this.#starts as Uint32Array;
    const need = this.#entries + counts.length + 1;
    if (need > starts.length) {
      starts = grown(starts, new Uint32Array(2 * need));
      this.#starts = starts;
    }
    let end = starts[this.#entries] as number;
    for (let i = 0; i < counts.length; i++) {
      end += counts[i] as number;
      starts[this.#entries + 1 + i] = end;
    }
  }

  #append(part: Float64Array): void {
    const need = this.#length + part.length;
    if (need > this.#values.length) {
      const size = Math.max(need, Math.ceil(1.5 * this.#values.length));
      const room = this.#values instanceof Float32Array ? new Float32Array(size) : new Float64Array(size);
      this.#values = grown(this.#values, room, this.#length);
    }
    if (this.#values instanceof Float32Array && !putExact(this.#values, part, this.#length)) {
      const room = new Float64Array(this.#values.length);
      this.#values = grown(this.#values, room, this.#length);
    }
    if (this.#values instanceof Float64Array) this.#values.set(part, this.#length);
    this.#length = need;
  }

  /** Throws UNSUPPORTED for whole numbers that a double rounds, because a cut would not be the same. */
  #doubles(values: OutputValues['values']): Float64Array {
    const doubles = Float64Array.from(values, Number);
    if (doubles.every(Number.isSafeInteger)) return doubles;
    throw unsupported(
      `"${this.expr}" has whole numbers of more than 53 bits.`,
      'Subtract an offset from them, for example (time - 1700000000000000000).',
    );
  }

  #labelled(strings: Uint8Array): Float64Array {
    const view = new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
    const found: number[] = [];
    for (let at = 0; at + 4 <= strings.byteLength; ) {
      const length = view.getInt32(at, true);
      const text = length < 0 ? '' : decodeText(strings.subarray(at + 4, at + 4 + length));
      const label = this.#labels.get(text) ?? this.#labels.size;
      this.#labels.set(text, label);
      found.push(label);
      at += 4 + Math.max(0, length);
    }
    if (this.#labels.size > MAX_LABELS)
      throw unsupported(
        `"${this.expr}" has more than ${MAX_LABELS} different texts.`,
        'Leave it out, or choose some of the texts by an expression.',
      );
    return Float64Array.from(found);
  }

  /** Returns the column of what was added so far. It has a copy of the values, without the room for more. */
  column(): BoardColumn {
    return {
      expr: this.expr,
      values: this.#values.slice(0, this.#length),
      starts: this.#starts?.slice(0, this.#entries + 1),
      labels: this.#isText ? [...this.#labels.keys()] : undefined,
      integer: this.#isInteger && !this.#isText,
    };
  }
}

/** Copies numbers into a larger array, and returns that. */
function grown<T extends Uint32Array | Values>(from: Uint32Array | Values, to: T, length = from.length): T {
  to.set(from.subarray(0, length));
  return to;
}

/** Writes numbers as such of 32 bits. Returns false if one of them is rounded. */
function putExact(to: Float32Array, from: Float64Array, at: number): boolean {
  for (let i = 0; i < from.length; i++) {
    const value = from[i] as number;
    to[at + i] = value;
    if (to[at + i] !== value && !Number.isNaN(value)) return false;
  }
  return true;
}
