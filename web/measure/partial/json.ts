import { addTerm, type ExactSums, emptySums, termsOf } from '../../core/sums/exact-sums';

/** A part of parsed JSON; its members may be of any kind. */
export type Json = { readonly [name: string]: unknown };

/** Throws the error of a text that is no partial result. */
export type Wrong = (why: string) => never;

export function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
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

export function listOf<T>(value: unknown, item: (json: Json) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((one) => {
    const json = recordOf(one);
    return json && item(json);
  });
  return items.every((one) => one !== undefined) ? (items as T[]) : undefined;
}

export function rangeOf(value: unknown): [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [from, to] = value as unknown[];
  const good = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= (from as number);
  return good && (from as number) <= (to as number) ? [from as number, to as number] : undefined;
}

/** Sums as JSON: each a number, or the numbers of which it is the exact total. */
export function sumsJson(sums: ExactSums): unknown[] {
  return Array.from(sums.high, (_, i) => {
    const terms = termsOf(sums, i).map(numberOrText);
    return terms.length === 1 ? terms[0] : terms.length === 0 ? 0 : terms;
  });
}

export function sumsFrom(value: unknown, total: number, wrong: Wrong): ExactSums {
  if (!Array.isArray(value) || value.length !== total) return wrong(`it does not have ${total} sums`);
  const sums = emptySums(total);
  (value as unknown[]).forEach((terms, i) => {
    for (const term of Array.isArray(terms) ? terms : [terms])
      addTerm(sums, i, numberFrom(term) ?? wrong('a sum is not a number'));
  });
  return sums;
}
