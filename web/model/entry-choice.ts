import type { EntryRange, EntrySample, EntrySelection } from '../api/api';
import { overBudget } from '../base/data-errors';
import { argumentError, type XylemError } from '../base/errors';
import { firstAtLeast, firstIndex } from '../base/search';

export interface EntryBounds {
  from: number;
  to: number;
  rows: number;
}

/** The entries that a selection chooses, applied to a tree. */
export interface EntryChoice {
  /** First chosen entry, and the entry after the last; equal if none is chosen. */
  readonly from: number;
  readonly to: number;
  /** Whether all entries between them are chosen. */
  readonly contiguous: boolean;
  /** Returns the first chosen entry at or after `entry`; Infinity if there is none. */
  next(entry: number): number;
  /**
   * Returns pairs [from, to] of the chosen entries between `from` and `to`: ascending, disjoint, none empty. They are
   * relative to `origin`, by default 0.
   */
  spans(from: number, to: number, origin?: number): Float64Array;
  /**
   * Returns the first chosen entry, the entry after the last, and the number of chosen entries between `from` and
   * `to`; undefined if there are none.
   */
  bounds(from: number, to: number): EntryBounds | undefined;
}

/** Maximum number of entries that are sampled. Each entry is tested, and a damaged file may claim any number. */
const MAX_SAMPLED = 2 ** 32;

/** Samples of at most this many entries are listed once, instead of again for each branch and basket. */
const LISTED = 2 ** 22;
/** The last listed sample, because all branches of a tree have the same entries. */
let listed: { sample: EntrySample; total: number; choice: EntryChoice } | undefined;

/** Applies a selection to `total` entries. Throws ARGUMENT if it is not valid. */
export function chooseEntries(selection: EntrySelection | undefined, total: number): EntryChoice {
  if (selection === undefined) return new SpanChoice(spansOf([[0, total]], total));
  checkForm(selection);
  if (selection instanceof Float64Array) return new SpanChoice(spansOfList(selection, total));
  if (!isSample(selection)) return new SpanChoice(spansOf(rangesOf(selection), total));
  if (listed && listed.total === total && isSame(listed.sample, selection)) return listed.choice;
  const choice = new SampleChoice(selection, total);
  if (choice.to - choice.from > LISTED) return choice;
  listed = {
    sample: { ...selection },
    total,
    choice: new SpanChoice(choice.spans(choice.from, choice.to)),
  };
  return listed.choice;
}

/** Checks the form of a selection at run time. A list of numbers is a range only if it has two numbers. */
function checkForm(selection: unknown): void {
  if (selection instanceof Float64Array) return;
  if (Array.isArray(selection)) {
    const isPair = (range: unknown): boolean =>
      Array.isArray(range) && range.length === 2 && range.every((end) => typeof end === 'number');
    if (isPair(selection) || selection.every(isPair)) return;
  } else if (typeof selection === 'object' && selection !== null && 'fraction' in selection) return;
  throw argumentError(
    'The selection of entries is neither a range, nor ranges, nor a list, nor a sample.',
    'Give [from, to], [[from, to], …], Float64Array.of(entry, …), or { fraction, seed }.',
  );
}

function isSame(a: EntrySample, b: EntrySample): boolean {
  const same = a.within?.[0] === b.within?.[0] && a.within?.[1] === b.within?.[1];
  return same && a.fraction === b.fraction && (a.seed ?? 0) === (b.seed ?? 0);
}

/** Returns the part of a selection within the entries `from` to `to`. */
export function sliceSelection(selection: EntrySelection, from: number, to: number): EntrySelection {
  if (selection instanceof Float64Array) return selection.filter((entry) => entry >= from && entry < to);
  const clip = ([a, b]: EntryRange): EntryRange => {
    const start = Math.max(a, from);
    return [start, Math.max(start, Math.min(b, to))];
  };
  if (isSample(selection)) return { ...selection, within: clip(selection.within ?? [from, to]) };
  const clipped = rangesOf(selection).map(clip);
  return isRange(selection) ? (clipped[0] ?? [from, from]) : clipped.filter(([a, b]) => a < b);
}

/** Returns the numbers of the chosen entries from `from` to `to`, in reading order. */
export function entryNumbers(choice: EntryChoice, from = choice.from, to = choice.to): Float64Array {
  const spans = choice.spans(from, to);
  const numbers = new Float64Array(countOf(spans));
  let at = 0;
  for (let i = 0; i < spans.length; i += 2) {
    for (let entry = spans[i] ?? 0; entry < (spans[i + 1] ?? 0); entry++) numbers[at++] = entry;
  }
  return numbers;
}

/** Returns the number of entries of pairs of first and end. */
export function countOf(spans: Float64Array | Uint32Array): number {
  let count = 0;
  for (let i = 0; i < spans.length; i += 2) count += (spans[i + 1] ?? 0) - (spans[i] ?? 0);
  return count;
}

function isSample(selection: EntrySelection): selection is EntrySample {
  return typeof selection === 'object' && 'fraction' in selection;
}

/** Whether a selection is one range of entries. */
export function isRange(selection: EntrySelection): selection is EntryRange {
  return Array.isArray(selection) && typeof selection[0] === 'number';
}

function rangesOf(selection: EntryRange | readonly EntryRange[]): readonly EntryRange[] {
  return isRange(selection) ? [selection] : selection;
}

function checkRange([from, to]: EntryRange): void {
  if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to >= from) return;
  throw argumentError(
    `The entry range ${from}:${to} is not valid.`,
    'Give two whole numbers A:B with 0 ≤ A ≤ B; entries A to B-1 are read.',
  );
}

/** Joins adjacent spans, and removes entries from `total` on. */
function spansOf(ranges: readonly EntryRange[], total: number): Float64Array {
  const spans = new Float64Array(2 * ranges.length);
  let used = 0;
  let last = 0;
  for (const range of ranges) {
    checkRange(range);
    const [from, to] = range;
    if (from < last) throw notAscending(from);
    last = to;
    const end = Math.min(to, total);
    if (from >= end) continue;
    if (used > 0 && spans[used - 1] === from) spans[used - 1] = end;
    else {
      spans[used++] = from;
      spans[used++] = end;
    }
  }
  return spans.subarray(0, used);
}

/** Checks a list of entries. Returns spans of those before `total`. */
function spansOfList(entries: Float64Array, total: number): Float64Array {
  let last = -1;
  for (const entry of entries) {
    if (!Number.isSafeInteger(entry) || entry < 0) {
      throw argumentError(
        `${entry} is not the number of an entry.`,
        'List whole numbers from 0 on, ascending.',
      );
    }
    if (entry <= last) throw notAscending(entry);
    last = entry;
  }
  return spansOfEntries(entries.subarray(0, firstAtLeast(entries, total)));
}

/** Returns ascending, different entries as spans: pairs [from, to). Consecutive entries become one span. */
export function spansOfEntries(entries: Float64Array): Float64Array {
  const spans = new Float64Array(2 * entries.length);
  let used = 0;
  for (const entry of entries) {
    if (used > 0 && spans[used - 1] === entry) spans[used - 1] = entry + 1;
    else {
      spans[used++] = entry;
      spans[used++] = entry + 1;
    }
  }
  return spans.subarray(0, used);
}

function notAscending(entry: number): XylemError {
  return argumentError(
    `The list of entries is not in order at entry ${entry}.`,
    'List entries or ranges of them ascending, none twice.',
  );
}

/** Chosen entries as a list of spans. */
class SpanChoice implements EntryChoice {
  readonly from: number;
  readonly to: number;
  readonly contiguous: boolean;
  readonly #spans: Float64Array;
  /** Number of entries in the spans before each. */
  readonly #before: Float64Array;

  constructor(spans: Float64Array) {
    this.#spans = spans;
    this.#before = new Float64Array(spans.length / 2 + 1);
    for (let i = 0; i < spans.length; i += 2) {
      this.#before[i / 2 + 1] = (this.#before[i / 2] ?? 0) + (spans[i + 1] ?? 0) - (spans[i] ?? 0);
    }
    this.from = spans[0] ?? 0;
    this.contiguous = spans.length <= 2;
    this.to = spans[spans.length - 1] ?? this.from;
  }

  next(entry: number): number {
    const at = this.#firstEndingBehind(entry);
    return Math.max(entry, this.#spans[at] ?? Number.POSITIVE_INFINITY);
  }

  spans(from: number, to: number, origin = 0): Float64Array {
    if (from >= to) return new Float64Array();
    const first = this.#firstEndingBehind(from);
    const spans = this.#spans.slice(first, Math.max(first, this.#endBefore(to)));
    if (spans.length > 0) {
      spans[0] = Math.max(from, spans[0] ?? 0);
      spans[spans.length - 1] = Math.min(to, spans[spans.length - 1] ?? 0);
    }
    if (origin !== 0) for (let i = 0; i < spans.length; i++) spans[i] = (spans[i] ?? 0) - origin;
    return spans;
  }

  bounds(from: number, to: number): EntryBounds | undefined {
    const at = this.#firstEndingBehind(from);
    const end = this.#endBefore(to);
    if (end <= at || from >= to) return undefined;
    const [start, last] = [this.#spans[at] ?? 0, this.#spans[end - 1] ?? 0];
    const whole = (this.#before[end / 2] ?? 0) - (this.#before[at / 2] ?? 0);
    const rows = whole - Math.max(0, from - start) - Math.max(0, last - to);
    return { from: Math.max(from, start), to: Math.min(to, last), rows };
  }

  /** Returns the index after the last span that begins before an entry. */
  #endBefore(entry: number): number {
    return 2 * firstIndex(this.#spans.length / 2, (i) => (this.#spans[2 * i] ?? 0) >= entry);
  }

  #firstEndingBehind(entry: number): number {
    return 2 * firstIndex(this.#spans.length / 2, (i) => (this.#spans[2 * i + 1] ?? 0) > entry);
  }
}

/**
 * A random sample of the entries. A hash of entry number and seed decides on each entry, so the sample does not
 * depend on the ranges and order of reading.
 */
class SampleChoice implements EntryChoice {
  readonly from: number;
  readonly to: number;
  readonly contiguous = false;
  readonly #below: number;
  readonly #seed: number;
  readonly #start: number;
  readonly #end: number;

  constructor(sample: EntrySample, total: number) {
    const { fraction, seed = 0, within = [0, total] } = sample;
    if (!(fraction > 0 && fraction <= 1) || !Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
      throw argumentError(
        `A sample of the fraction ${fraction} with the seed ${seed} cannot be taken.`,
        'Give a fraction above 0 and not above 1, and as seed a whole number from 0 to 4294967295.',
      );
    }
    checkRange(within);
    this.#below = fraction * 2 ** 32;
    this.#seed = mix(seed ^ 0x9e3779b9);
    this.#start = Math.min(within[0], total);
    this.#end = Math.min(within[1], total);
    if (this.#end - this.#start > MAX_SAMPLED) {
      throw overBudget(
        `A sample of ${this.#end - this.#start} entries is too large.`,
        `Choose it within a range of at most ${MAX_SAMPLED} entries.`,
      );
    }
    this.from = Math.min(this.next(this.#start), this.#end);
    let to = this.#end;
    while (to > this.from && !this.#has(to - 1)) to--;
    this.to = to;
  }

  next(entry: number): number {
    for (let at = Math.max(entry, this.#start); at < this.#end; at++) if (this.#has(at)) return at;
    return Number.POSITIVE_INFINITY;
  }

  bounds(from: number, to: number): EntryBounds | undefined {
    const spans = this.spans(from, to);
    const rows = countOf(spans);
    return rows > 0 ? { from: spans[0] ?? 0, to: spans[spans.length - 1] ?? 0, rows } : undefined;
  }

  spans(from: number, to: number, origin = 0): Float64Array {
    const spans: number[] = [];
    const end = Math.min(to, this.to);
    for (let entry = Math.max(from, this.from); entry < end; entry++) {
      if (!this.#has(entry)) continue;
      if (spans[spans.length - 1] === entry) spans[spans.length - 1] = entry + 1;
      else spans.push(entry, entry + 1);
    }
    return Float64Array.from(spans, (entry) => entry - origin);
  }

  #has(entry: number): boolean {
    const high = Math.floor(entry / 2 ** 32);
    return mix((entry ^ this.#seed) + Math.imul(high, 0x9e3779b1)) >>> 0 < this.#below;
  }
}

/** Mixes the bits of a number: the finalizer of MurmurHash3 (public domain). */
function mix(number: number): number {
  let h = number | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Returns the same entries as ranges that ascend and do not overlap. */
export function ascending(ranges: readonly EntryRange[]): EntryRange[] {
  const merged: EntryRange[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
