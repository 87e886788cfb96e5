import { addSummary, type Summary } from '../core/summary';
import type { DecodeProgress } from '../pass/types';
import type { Source } from '../query/language/source';
import type { RangePart } from './fill-job';
import { fillJobOf } from './job';
import { forEachMember, type Query, QueryState } from './members';

/** Number of values from which TTree::Draw finds the range before it fills (TTree::GetEstimate). */
const ESTIMATE = 1_000_000;

/** Summary of the values that pass. Each list has one item for each coordinate, x first. */
export interface Ranges {
  fills: number;
  whole: Summary[];
  /** Minimum and maximum of the first values, from which ROOT computes the range. */
  first: Pick<Summary, 'min' | 'max' | 'values'>[];
  /** The values after the first ones that are below or above all earlier values, in their order. */
  later: number[][];
  /** Whether all values of a coordinate are whole numbers by their types in all files. */
  integer: boolean[];
  /** Numbers of the parts that hold selected values, by the number of the chain member. */
  parts: Map<number, number[]>;
}

/** A part of the values, and the tree it belongs to. */
interface Part extends RangePart {
  member: number;
}

/** Computes the ranges of the selected values without filling. */
export async function findRanges(query: Query, sources: Source[]): Promise<Ranges> {
  const { tree, entries, options } = query;
  const found: Ranges = { fills: 0, whole: [], first: [], later: [], integer: [], parts: new Map() };
  const parts: Part[] = [];
  // Failures are reported later, when the histogram is filled.
  const state = new QueryState(tree, entries, options, 'Finding the range');
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await fillJobOf(query, member, sources);
    const filled: number[] = [];
    state.begin(job.units);
    const steps = { ...options, onFailures: () => {}, onBytes: (now: DecodeProgress) => state.report(now) };
    await job.findRanges(steps, (part) => {
      if (part.summaries.length > 0) parts.push({ ...part, member: member.number });
      if (!part.empty) filled.push(part.number);
    });
    found.integer = job.integer.map((integer, i) => integer && (found.integer[i] ?? true));
    filled.sort((a, b) => a - b);
    found.parts.set(member.number, filled);
  });
  parts.sort((a, b) => a.member - b.member || a.number - b.number);
  found.fills = parts.reduce((sum, part) => sum + fillsOf(part), 0);
  found.whole = mergeParts(parts, sources.length);
  found.first = found.whole;
  if (found.fills > ESTIMATE) await divide(query, sources, parts, found);
  return found;
}

function fillsOf({ summaries: [first] }: Part): number {
  return first ? first.values + first.nans + first.infinities : 0;
}

/** Merges the summaries of the parts by coordinate. Does not change the parts. */
function mergeParts(parts: readonly Part[], outputs: number): Summary[] {
  const merged: Summary[] = [];
  for (const { summaries } of parts) {
    for (let i = 0; i < outputs; i++) {
      const more = summaries[i];
      const sum = merged[i];
      if (more && sum) addSummary(sum, more);
      else if (more) merged[i] = { ...more };
    }
  }
  return merged;
}

/** Separates the first values, from which ROOT computes the range, from the later values that extend it. */
async function divide(query: Query, sources: Source[], parts: readonly Part[], found: Ranges): Promise<void> {
  let fills = 0;
  const before = parts.findIndex((part) => {
    fills += fillsOf(part);
    return fills > ESTIMATE;
  });
  const border = parts[before] as Part;
  const left = ESTIMATE - (fills - fillsOf(border));
  const values = await valuesOf(query, sources, border);
  const firsts = mergeParts(parts.slice(0, before), sources.length);
  found.first = sources.map((_, i) => {
    const ends = { min: Infinity, max: -Infinity, values: 0 };
    const add = (value: number): void => {
      if (!Number.isFinite(value)) return;
      ends.values += 1;
      ends.min = Math.min(ends.min, value);
      ends.max = Math.max(ends.max, value);
    };
    const summary = firsts[i];
    if (summary && summary.values > 0) [summary.min, summary.max].forEach(add);
    for (const value of values[i]?.subarray(0, left) ?? []) add(value);
    return ends;
  });
  const beyond = sources.map((_, i) => new Beyond(found.first[i]));
  values.forEach((list, i) => {
    for (const value of list.subarray(left)) beyond[i]?.add(value);
  });
  for (const part of parts.slice(before + 1)) {
    // If both ends change, the result depends on the order of the values.
    const both = part.summaries.some((summary, i) => beyond[i]?.isBoth(summary));
    const all = both ? await valuesOf(query, sources, part) : undefined;
    part.summaries.forEach((summary, i) => {
      if (all) for (const value of all[i] ?? []) beyond[i]?.add(value);
      else if (summary.values > 0) for (const value of [summary.min, summary.max]) beyond[i]?.add(value);
    });
  }
  found.later = beyond.map(({ steps }) => steps);
}

/** Collects the values that lie outside the range of all earlier values. */
class Beyond {
  readonly steps: number[] = [];
  #low: number;
  #high: number;

  constructor(first: Pick<Summary, 'min' | 'max'> | undefined) {
    this.#low = first?.min ?? Infinity;
    this.#high = first?.max ?? -Infinity;
  }

  add(value: number): void {
    if (!Number.isFinite(value) || (value >= this.#low && value <= this.#high)) return;
    this.#low = Math.min(this.#low, value);
    this.#high = Math.max(this.#high, value);
    this.steps.push(value);
  }

  isBoth({ values, min, max }: Summary): boolean {
    return values > 0 && min < this.#low && max > this.#high;
  }
}

/** Reads all selected values of a part, by coordinate. */
async function valuesOf(query: Query, sources: Source[], part: Part): Promise<Float64Array[]> {
  const { tree, entries, options } = query;
  const state = new QueryState(tree, entries, options, 'Finding the range');
  let values: Float64Array[] = [];
  await forEachMember(query, sources, state.note, async (member) => {
    if (member.number !== part.member) return true;
    const job = await fillJobOf(query, member, sources);
    values = await job.values(part, options);
    return false;
  });
  return values;
}
