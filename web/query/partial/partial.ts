import type { DrawRequest, Histogram, RulesOfRoot } from '../../api/api';
import { type ErrorCode, XylemError } from '../../base/errors';
import { givenShape, type HistogramShape } from '../histogram-shape';
import { addHistogram, emptySum, type HistogramSum, histogramOfSum } from './histogram-sum';

/** The question that each file answers. Equal queries have equal texts. */
export interface PartialQuery {
  expr: string;
  cut: string;
  option: string;
  rootVersion: RulesOfRoot;
  /** Bins and ends of each axis, x first. */
  axes: { bins: number; low: number; high: number }[];
}

/** A file, or a range of the entries of a tree in it. */
export interface PartialInput {
  /** Absolute path, or address without what may be secret. */
  file: string;
  tree: string;
  /** The entries that were asked for; all when it is left out. */
  entries?: [from: number, to: number] | undefined;
}

/** An input that was read completely. */
export interface ReadInput extends PartialInput {
  /** The entries that were read. */
  read: [from: number, to: number];
  size: number;
  uuid: string;
  /** When the file was written, as it says itself. */
  modified: string;
}

/** An input of which nothing was added. */
export interface FailedInput extends PartialInput {
  error: { code: ErrorCode; message: string };
}

/**
 * The result of a query over some inputs. Results of the same query add up, in any order and any grouping, to the same
 * bits as one run over all inputs.
 */
export interface PartialResult {
  query: PartialQuery;
  inputs: ReadInput[];
  failed: FailedInput[];
  sum: HistogramSum;
}

/** Returns the query of a request. Throws what `givenShape` throws. */
export function queryOf(request: DrawRequest): PartialQuery {
  const { axes } = givenShape(request);
  return {
    // The ranges after ">>" are in the axes.
    expr: request.expr ?? '',
    cut: request.cut?.trim() ?? '',
    option: request.option?.trim() ?? '',
    rootVersion: request.rootVersion ?? '6.42',
    axes: axes.map(({ bins, low, high }) => ({ bins, low, high })),
  };
}

/** Returns the request of a query for one file. */
export function requestOf(
  query: PartialQuery,
  tree: string,
  entries: [number, number] | undefined,
): DrawRequest {
  const { expr, cut, option, rootVersion } = query;
  return { tree, expr, cut, option, rootVersion, entries, axes: axesOf(query), exact: true };
}

export function shapeOfQuery(query: PartialQuery): HistogramShape {
  const { expr, cut, option } = query;
  return givenShape({ tree: '', expr, cut, option, axes: axesOf(query) });
}

function axesOf({ axes }: PartialQuery): DrawRequest['axes'] {
  return axes.map(({ bins, low, high }) => ({ bins, range: [low, high] }));
}

export function emptyPartial(query: PartialQuery): PartialResult {
  return { query, inputs: [], failed: [], sum: emptySum(shapeOfQuery(query)) };
}

/** A text that is equal for inputs that ask for the same entries of the same tree in a file of the same address. */
export function askedKey({ file, tree, entries }: PartialInput): string {
  return JSON.stringify([file, tree, entries ?? null]);
}

/** Files without an identifier of their own are told apart by their address. */
function fileKey({ file, tree, uuid }: ReadInput): string {
  return JSON.stringify([/[1-9a-f]/i.test(uuid) ? uuid : file, tree]);
}

/** Finds inputs that were read before. */
export class ReadInputs {
  readonly #byFile = new Map<string, ReadInput[]>();

  constructor(inputs: readonly ReadInput[] = []) {
    for (const input of inputs) this.add(input);
  }

  add(input: ReadInput): void {
    const key = fileKey(input);
    const there = this.#byFile.get(key);
    if (there) there.push(input);
    else this.#byFile.set(key, [input]);
  }

  /** Returns an input of the same file and tree that has some of the same entries. */
  overlapping(input: ReadInput): ReadInput | undefined {
    const [from, to] = input.read;
    return this.#byFile.get(fileKey(input))?.find(({ read }) => {
      const whole = read[0] === from && read[1] === to;
      return whole || (read[0] < to && from < read[1]);
    });
  }
}

/** Adds the histogram of one input. Changes `partial`. Throws ARGUMENT when it was added before. */
export function addInput(
  partial: PartialResult,
  seen: ReadInputs,
  input: ReadInput,
  histogram: Histogram & { exact: NonNullable<Histogram['exact']> },
): void {
  refuseTwice(seen, input);
  seen.add(input);
  partial.inputs.push(input);
  addHistogram(partial.sum, histogram);
}

function refuseTwice(seen: ReadInputs, input: ReadInput): void {
  const other = seen.overlapping(input);
  if (!other) return;
  const where = other.file === input.file ? '' : `, which is the same file as ${other.file}`;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `The entries ${input.read.join(':')} of "${input.tree}" in ${input.file}${where}, occur twice.`,
    where: { url: input.file },
    fix: 'Name each file and each range of entries once.',
  });
}

/**
 * Combines results of the same query. The order does not matter, nor whether some of them were combined before. What
 * failed in one and was read in another does not count as failed. Throws ARGUMENT for different queries, and when an
 * input occurs twice.
 */
export class Combiner {
  #all: PartialResult | undefined;
  #query = '';
  readonly #seen = new ReadInputs();
  readonly #failed = new Map<string, FailedInput>();

  add({ query, inputs, failed, sum }: PartialResult): void {
    const text = JSON.stringify(query);
    if (!this.#all) {
      this.#all = emptyPartial(query);
      this.#query = text;
    } else if (text !== this.#query) throw otherQuery(this.#all.query, query);
    for (const input of inputs) refuseTwice(this.#seen, input);
    for (const input of inputs) {
      this.#seen.add(input);
      this.#all.inputs.push(input);
    }
    for (const input of failed) {
      const key = askedKey(input);
      const other = this.#failed.get(key);
      if (!other || JSON.stringify(input.error) < JSON.stringify(other.error)) this.#failed.set(key, input);
    }
    addHistogram(this.#all.sum, sum);
  }

  /** Returns the combined result, its inputs sorted. Throws ARGUMENT when nothing was added. */
  result(): PartialResult {
    if (!this.#all)
      throw new XylemError({ code: 'ARGUMENT', message: 'There is no partial result to combine.' });
    const read = new Set(this.#all.inputs.map(askedKey));
    const failed = [...this.#failed.values()].filter((input) => !read.has(askedKey(input)));
    return sorted({ ...this.#all, failed });
  }
}

/** Returns a result with its inputs in the order of their addresses, so that the same inputs give the same text. */
export function sorted(partial: PartialResult): PartialResult {
  return { ...partial, inputs: inOrder(partial.inputs), failed: inOrder(partial.failed) };
}

function inOrder<T extends PartialInput>(inputs: readonly T[]): T[] {
  const first = ({ entries }: PartialInput): number => entries?.[0] ?? -1;
  const texts = (input: PartialInput): string => JSON.stringify([input.file, input.tree]);
  return [...inputs].sort((a, b) => {
    const [x, y] = [texts(a), texts(b)];
    return x < y ? -1 : x > y ? 1 : first(a) - first(b);
  });
}

function otherQuery(one: PartialQuery, other: PartialQuery): XylemError {
  const names = Object.keys(one) as (keyof PartialQuery)[];
  const name = names.find((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key])) ?? 'expr';
  const text = (query: PartialQuery): string => JSON.stringify(query[name]);
  return new XylemError({
    code: 'ARGUMENT',
    message: `These are results of different queries: "${name}" is ${text(one)} in one and ${text(other)} in another.`,
    fix: 'Combine results of one query only.',
  });
}

/** Returns the histogram of a result; inputs that failed are its `partial`. */
export function histogramOfPartial({ query, inputs, failed, sum }: PartialResult): Histogram {
  const errors = failed.map(({ file, error }) => ({
    code: error.code,
    message: error.message.includes(file) ? error.message : `${file}: ${error.message}`,
    where: { url: file },
  }));
  const partial =
    failed.length > 0 ? { failed: failed.length, total: failed.length + inputs.length, errors } : undefined;
  return { ...histogramOfSum(shapeOfQuery(query), sum), partial };
}
