import type { OutputValues } from '../../../api/rows';
import { unsupported } from '../../../base/data-errors';
import { decodeText } from '../../../core/tape';

/** The values of an expression for all entries of a board. */
export interface BoardColumn {
  expr: string;
  /** Values of all entries, one after the other; of texts the numbers of their labels. */
  values: Float64Array | Float32Array;
  /** For lists: the place of the first value of each entry, and the end of the last. Undefined if each entry has one value. */
  starts: Uint32Array | undefined;
  /** The different texts, in the order in which they occur; undefined for numbers. */
  labels: string[] | undefined;
}

/** Maximum number of different texts of a column. */
const MAX_LABELS = 1000;

/** Gathers the values of an expression, part by part. */
export class ColumnParts {
  readonly #parts: Float64Array[] = [];
  readonly #counts: Int32Array[] = [];
  readonly #labels = new Map<string, number>();
  #isText = false;
  #isList = false;
  #length = 0;
  #entries = 0;
  #isFloat = true;

  constructor(readonly expr: string) {}

  /** Number of bytes that the values take. */
  get bytes(): number {
    return this.#length * (this.#isFloat ? 4 : 8) + (this.#isList ? 4 * this.#entries : 0);
  }

  /** Adds the values of further entries. Throws UNSUPPORTED for a column with too many different texts. */
  add({ counts, values, strings }: OutputValues, isList: boolean): void {
    this.#isText ||= strings !== undefined;
    // An element that an entry does not have, as Muon_pt[0] of no muon, is a list without values.
    this.#isList ||= isList || counts.some((count) => count !== 1);
    const part = strings ? this.#labelled(strings) : this.#doubles(values);
    this.#isFloat &&= part.every((value) => Object.is(Math.fround(value), value));
    this.#parts.push(part);
    this.#counts.push(counts);
    this.#length += part.length;
    this.#entries += counts.length;
  }

  /** Throws UNSUPPORTED for whole numbers that a double rounds, because a cut would not be the same. */
  #doubles(values: OutputValues['values']): Float64Array {
    if (values instanceof Float64Array) return values;
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

  /** Returns the column. Values that all are numbers of 32 bits are kept as such. */
  column(): BoardColumn {
    const values = new (this.#isFloat ? Float32Array : Float64Array)(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      values.set(part, at);
      at += part.length;
    }
    return {
      expr: this.expr,
      values,
      starts: this.#isList ? this.#starts() : undefined,
      labels: this.#isText ? [...this.#labels.keys()] : undefined,
    };
  }

  #starts(): Uint32Array {
    const starts = new Uint32Array(this.#entries + 1);
    let entry = 0;
    let end = 0;
    for (const counts of this.#counts)
      for (const count of counts) {
        end += count;
        starts[++entry] = end;
      }
    return starts;
  }
}
