import { type ErrorCode, XylemError } from '../../base/errors';
import { addTerm, type ExactSums, emptySums, termsOf } from '../../core/exact-sums';
import { sumsCount } from './histogram-sum';
import {
  type FailedInput,
  type PartialQuery,
  type PartialResult,
  queryOf,
  type ReadInput,
  requestOf,
  shapeOfQuery,
  sorted,
} from './partial';

/** The format of the text; a program refuses versions that it does not know. */
const FORMAT = 'xylem-partial';
const VERSION = 1;

/** Returns the SHA-256 of a query as text. */
export async function queryHash(query: PartialQuery): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(query));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns a result as one line of JSON: the same text for the same result. Inputs may be added to the result while this
 * waits; the text has either all of an input or nothing.
 */
export async function partialText(partial: PartialResult): Promise<string> {
  // Nothing is read from the result before this, and there is no waiting after it.
  const hash = await queryHash(partial.query);
  const { query, inputs, failed, sum } = sorted(partial);
  const { fills, nan, entries, min, max, integer, exact } = sum;
  const { title } = shapeOfQuery(query);
  return JSON.stringify({
    format: FORMAT,
    version: VERSION,
    title,
    query,
    queryHash: hash,
    inputs,
    failed,
    histogram: {
      fills,
      nan,
      entries,
      min: min.map(numberOrText),
      max: max.map(numberOrText),
      integer,
      sums: Array.from(exact.high, (_, i) => termsJson(exact, i)),
    },
  });
}

/** A sum: a number, or the numbers of which it is the exact total. */
function termsJson(sums: ExactSums, i: number): unknown {
  const terms = termsOf(sums, i).map(numberOrText);
  return terms.length === 1 ? terms[0] : terms.length === 0 ? 0 : terms;
}

function numberOrText(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** Parses the text of a result. Throws ARGUMENT when it is none, or was changed; `name` is its file. */
export async function parsePartial(text: string, name: string): Promise<PartialResult> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notPartial(name, 'it is not JSON');
  }
  const wrong = (what: string): never => {
    throw notPartial(name, what);
  };
  const top = recordOf(json) ?? wrong('it is not an object');
  if (top.format !== FORMAT) wrong(`"format" is not "${FORMAT}"`);
  if (top.version !== VERSION) wrong(`its version is not ${VERSION}`);
  const query = queryFrom(top.query) ?? wrong('its query cannot be read');
  if (top.queryHash !== (await queryHash(query))) wrong('its query does not have its hash');
  const histogram = recordOf(top.histogram) ?? wrong('it has no histogram');
  const shape = shapeOfQuery(query);
  const numbers = (value: unknown, count: number): number[] =>
    Array.isArray(value) && value.length === count
      ? value.map((one) => numberFrom(one) ?? wrong('a number is missing'))
      : wrong('a list of numbers is missing');
  const count = (value: unknown): number =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : wrong('a count is missing');
  const { sums } = histogram;
  const total = sumsCount(shape);
  if (!Array.isArray(sums) || sums.length !== total) wrong(`it does not have ${total} sums`);
  const exact = emptySums(total);
  (sums as unknown[]).forEach((terms, i) => {
    for (const term of Array.isArray(terms) ? terms : [terms])
      addTerm(exact, i, numberFrom(term) ?? wrong('a sum is not a number'));
  });
  const { integer } = histogram;
  return {
    query,
    inputs: listOf(top.inputs, readFrom) ?? wrong('its inputs cannot be read'),
    failed: listOf(top.failed, failedFrom) ?? wrong('its failed inputs cannot be read'),
    sum: {
      fills: count(histogram.fills),
      nan: count(histogram.nan),
      entries: count(histogram.entries),
      min: numbers(histogram.min, shape.dims),
      max: numbers(histogram.max, shape.dims),
      integer:
        Array.isArray(integer) && integer.length === shape.dims
          ? integer.map(Boolean)
          : wrong('"integer" is missing'),
      exact,
    },
  };
}

function notPartial(name: string, why: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `${name} is not a partial result of this version of xylem: ${why}.`,
    where: { url: name },
    fix: '"xylem draw … --partial OUT" writes partial results.',
  });
}

type Json = { readonly [name: string]: unknown };

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function numberFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}

function listOf<T>(value: unknown, item: (json: Json) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((one) => {
    const json = recordOf(one);
    return json && item(json);
  });
  return items.every((one) => one !== undefined) ? (items as T[]) : undefined;
}

function rangeOf(value: unknown): [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [from, to] = value as unknown[];
  const good = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= (from as number);
  return good && (from as number) <= (to as number) ? [from as number, to as number] : undefined;
}

function queryFrom(value: unknown): PartialQuery | undefined {
  const { expr, cut, option, rootVersion, axes } = recordOf(value) ?? {};
  const texts = [expr, cut, option].every((text) => typeof text === 'string');
  if (!texts || (rootVersion !== '6.40' && rootVersion !== '6.42')) return undefined;
  const list = listOf(axes, ({ bins, low, high }) =>
    [bins, low, high].every((one) => typeof one === 'number')
      ? { bins: bins as number, low: low as number, high: high as number }
      : undefined,
  );
  if (!list) return undefined;
  const query = { expr, cut, option, rootVersion, axes: list } as PartialQuery;
  // Checks it as a query of a command line is checked, and brings its members into their order.
  return queryOf(requestOf(query, '', undefined));
}

function inputFrom({ file, tree, entries }: Json): Pick<ReadInput, 'file' | 'tree' | 'entries'> | undefined {
  if (typeof file !== 'string' || typeof tree !== 'string') return undefined;
  if (entries === undefined) return { file, tree };
  const range = rangeOf(entries);
  return range && { file, tree, entries: range };
}

function readFrom(json: Json): ReadInput | undefined {
  const input = inputFrom(json);
  const read = rangeOf(json.read);
  const { size, uuid, modified } = json;
  const good = typeof size === 'number' && typeof uuid === 'string' && typeof modified === 'string';
  return input && read && good ? { ...input, read, size, uuid, modified } : undefined;
}

function failedFrom(json: Json): FailedInput | undefined {
  const input = inputFrom(json);
  const { code, message } = recordOf(json.error) ?? {};
  if (!input || typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { ...input, error: { code: code as ErrorCode, message } };
}
