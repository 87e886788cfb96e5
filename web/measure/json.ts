import type { OfMembers, Shape } from '../base/shape';
import type { HistogramSum } from '../bins/histogram-sum';
import { addTerm, type ExactSums, emptySums, termsOf } from '../core/sums/exact-sums';

/** An object of parsed JSON or of a message; its members may hold anything. */
export type Json = { readonly [name: string]: unknown };

/** Throws the error for invalid data, for example a text that is not a partial result. */
export type Wrong = (why: string) => never;

/** Returns an object that is not a list, or undefined. */
export function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Returns the members that have these shapes, in this order. Undefined if a member has another shape. */
export function membersOf<M extends Readonly<Record<string, Shape<unknown>>>>(json: Json, shapes: M) {
  const all = Object.entries(shapes);
  if (!all.every(([name, { is }]) => is(json[name]))) return undefined;
  return Object.fromEntries(all.map(([name]) => [name, json[name]])) as OfMembers<M>;
}

export function numberOrText(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

export function numberFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}

export function countFrom(value: unknown, wrong: Wrong): number {
  return Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : wrong('a count is missing');
}

/** Reads counts with these names, in this order. */
export function countsFrom<Name extends string>(
  json: Json | undefined,
  names: readonly Name[],
  wrong: Wrong,
): Record<Name, number> {
  const counts = names.map((name) => [name, countFrom(json?.[name], wrong)]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

/**
 * Returns a list without empty elements; undefined for other values. A loop over 2^32 empty elements would take
 * minutes.
 */
export function itemsOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && !value.includes(undefined) ? (value as unknown[]) : undefined;
}

/**
 * Applies `item` to each object of a list. Returns undefined if the value is not such a list, or `item` returns
 * undefined.
 */
export function listOf<T>(value: unknown, item: (json: Json) => T | undefined): T[] | undefined {
  const items = itemsOf(value)?.map((one) => {
    const json = recordOf(one);
    return json && item(json);
  });
  return items?.every((one) => one !== undefined) ? (items as T[]) : undefined;
}

export function rangeOf(value: unknown): [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [from, to] = value as unknown[];
  const good = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= (from as number);
  return good && (from as number) <= (to as number) ? [from as number, to as number] : undefined;
}

/** Reads the members of a histogram except its sums. `dims` is the number of coordinates. */
export function fillsFrom(
  json: Json,
  dims: number,
  wrong: Wrong,
): Pick<HistogramSum, 'fills' | 'nan' | 'min' | 'max'> {
  const ends = (value: unknown): number[] => {
    const list = itemsOf(value);
    if (list?.length !== dims) return wrong('a list of numbers is missing');
    return list.map((one) => numberFrom(one) ?? wrong('a number is missing'));
  };
  return { ...countsFrom(json, ['fills', 'nan'], wrong), min: ends(json.min), max: ends(json.max) };
}

/** Returns exact sums as JSON: each is a number, or a list of terms whose exact total it is. */
export function sumsJson(sums: ExactSums): unknown[] {
  return Array.from(sums.high, (_, i) => {
    const terms = termsOf(sums, i).map(numberOrText);
    return terms.length === 1 ? terms[0] : terms.length === 0 ? 0 : terms;
  });
}

/** Reads exact sums from JSON, or from a message of a worker. */
export function sumsFrom(value: unknown, total: number, wrong: Wrong): ExactSums {
  const number = (term: unknown): number => numberFrom(term) ?? wrong('a sum is not a number');
  const { high, low, rest } = recordOf(value) ?? {};
  if (high instanceof Float64Array && low instanceof Float64Array && rest instanceof Map) {
    if (high.length !== total || low.length !== total) return wrong(`it does not have ${total} sums`);
    const terms = [...(rest as Map<unknown, unknown>)].map(([i, list]): [number, number[]] => [
      number(i),
      (itemsOf(list) ?? wrong('the terms of a sum are missing')).map(number),
    ]);
    return { high, low, rest: new Map(terms) };
  }
  const list = itemsOf(value);
  if (list?.length !== total) return wrong(`it does not have ${total} sums`);
  const sums = emptySums(total);
  list.forEach((terms, i) => {
    for (const term of Array.isArray(terms) ? terms : [terms]) addTerm(sums, i, number(term));
  });
  return sums;
}

/** Returns one exact sum as JSON. */
export function sumJson(sum: ExactSums): unknown {
  return sumsJson(sum)[0];
}

/** Reads a sum written by `sumJson`, or one from a message of a worker. */
export function sumFrom(value: unknown, wrong: Wrong): ExactSums {
  return sumsFrom(recordOf(value) ?? [value], 1, wrong);
}
