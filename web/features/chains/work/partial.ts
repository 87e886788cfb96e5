import type { Histogram, PartialNote } from '../../../api/api';
import { internal } from '../../../base/data-errors';
import { argumentError, type ErrorCode, XylemError } from '../../../base/errors';
import { own } from '../../../base/search';
import { histogramOfSum } from '../../../bins/histogram-sum';
import type { Kind } from '../../../measure/partial-kind';
import type { Identity, PartialInput } from '../../../verbs/verb';
import * as features from '../../reader';
import type { ReaderPart } from '../../work-part';
import { checkKind } from './check-kind';
import { drawKind, shapeOfQuery } from './draw-kind';
import { scanKind } from './scan-kind';
import { summaryKind } from './summary-kind';

type QueryAndSum<K> = K extends Kind<infer Query, infer Sum> ? [Query, Sum] : never;

/** The query and the sum of each kind, by the commands that write them. A feature with a kind of its own adds it here. */
export interface Kinds {
  draw: QueryAndSum<typeof drawKind>;
  summary: QueryAndSum<typeof summaryKind>;
  scan: QueryAndSum<typeof scanKind>;
  check: QueryAndSum<typeof checkKind>;
}

export type KindName = keyof Kinds;

// biome-ignore lint/suspicious/noExplicitAny: a list of kinds of all queries and sums
type AnyKind = Kind<any, any>;

const known: Record<string, AnyKind> = {
  draw: drawKind,
  summary: summaryKind,
  scan: scanKind,
  check: checkKind,
};

/** Those of other features, which are loaded when they are needed. */
const more: Readonly<Record<string, () => Promise<AnyKind>>> = Object.assign(
  {},
  ...Object.values(features).map(({ kinds }: ReaderPart) => kinds),
);

/** Returns the names of the commands that write partial results, as a text: "draw, summary … and process". */
export function commandsText(type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format([...new Set(Object.keys({ ...known, ...more }))]);
}

/** Loads the kind of a name. Returns whether there is one. */
export async function loadKind(name: unknown): Promise<boolean> {
  if (typeof name !== 'string') return false;
  const load = own(more, name);
  if (load && !Object.hasOwn(known, name)) known[name] = await load();
  return Object.hasOwn(known, name);
}

/** Returns a kind that is loaded, which gets the queries and the sums of results of this name. */
export function kindOf(name: string): AnyKind {
  const kind = own(known, name);
  if (kind === undefined) throw internal(`The kind "${name}" of partial results is not loaded.`);
  return kind;
}

/** An input that was read completely. */
export interface ReadInput extends PartialInput {
  /** The entries that were read. */
  read: [from: number, to: number];
  size: number;
  uuid: string;
  /** See FileInfo. */
  validator?: string | undefined;
  /** Time stored in the file at which it was written. */
  modified: string;
}

/** An input that failed, of which nothing was added. */
export interface FailedInput extends PartialInput {
  error: { code: ErrorCode; message: string; fix?: string | undefined };
}

/**
 * The result of a query over some inputs. Results of the same query can be added in any order and grouping, and give
 * exactly the bits of one run over all inputs.
 */
export interface PartialResult<K extends KindName = KindName> {
  kind: K;
  query: Kinds[K][0];
  inputs: ReadInput[];
  failed: FailedInput[];
  sum: Kinds[K][1];
}

/** A result whose kind decides the types of its query and its sum. */
export type AnyPartial = { [K in KindName]: PartialResult<K> }[KindName];

export function emptyPartial<K extends KindName>(kind: K, query: Kinds[K][0]): PartialResult<K> {
  return { kind, query, inputs: [], failed: [], sum: kindOf(kind).empty(query) };
}

/** Whether a result makes the command end with status 1, for example because a check found errors. */
export function foundIn({ kind, sum }: AnyPartial): boolean {
  return kindOf(kind).found?.(sum) === true;
}

/** Returns a text that is equal for inputs that request the same entries of the same tree and file. */
export function askedKey({ file, tree, entries }: PartialInput): string {
  return JSON.stringify([file, tree, entries ?? null]);
}

/** Returns the names of a file in a result: its address, and its identifier if it has one. */
function fileKeys({ file, tree, uuid }: ReadInput): string[] {
  const own = /[1-9a-f]/i.test(uuid) ? [JSON.stringify(['uuid', uuid, tree])] : [];
  return [...own, JSON.stringify(['file', file, tree])];
}

/** Finds inputs that were read before. */
export class ReadInputs {
  readonly #byFile = new Map<string, ReadInput[]>();

  constructor(inputs: readonly ReadInput[] = []) {
    for (const input of inputs) this.add(input);
  }

  add(input: ReadInput): void {
    for (const key of fileKeys(input)) {
      const there = this.#byFile.get(key);
      if (there) there.push(input);
      else this.#byFile.set(key, [input]);
    }
  }

  /**
   * Throws ARGUMENT if the entries were read before, and FILE_CHANGED if other entries were read from another version
   * of the file.
   */
  refuse(input: ReadInput): void {
    const [from, to] = input.read;
    for (const other of fileKeys(input).flatMap((key) => this.#byFile.get(key) ?? [])) {
      const { read } = other;
      const whole = read[0] === from && read[1] === to;
      if (whole || (read[0] < to && from < read[1])) throw twice(input, other);
      if (other.file === input.file && contentChanged(other, input)) {
        throw new XylemError({
          code: 'FILE_CHANGED',
          message: `${input.file} changed between the results: its entries ${read.join(':')} were read of another content than ${from}:${to}.`,
          where: { url: input.file },
          fix: 'Read all of the file again.',
        });
      }
    }
  }
}

/** Whether the file has changed since it was read. */
export function contentChanged(before: Identity, now: Identity): boolean {
  const names = ['size', 'uuid', 'validator'] as const;
  return names.some(
    (name) => before[name] !== undefined && now[name] !== undefined && before[name] !== now[name],
  );
}

/** Adds the sums of one input. Changes `partial`. Throws ARGUMENT when it was added before, and FILE_CHANGED. */
export function addInput<K extends KindName>(
  partial: PartialResult<K>,
  seen: ReadInputs,
  input: ReadInput,
  sum: unknown,
): void {
  seen.refuse(input);
  // This may refuse the sums of a selector, and then nothing was added.
  kindOf(partial.kind).add(partial.sum, sum);
  seen.add(input);
  partial.inputs.push(input);
}

function twice(input: ReadInput, other: ReadInput): XylemError {
  const where = other.file === input.file ? '' : `, which is the same file as ${other.file}`;
  const what = input.tree === '' ? '' : `The entries ${input.read.join(':')} of "${input.tree}" in `;
  return argumentError(
    `${what}${input.file}${where}, occur${what === '' ? 's' : ''} twice.`,
    'Name each file and each range of entries once.',
    { url: input.file },
  );
}

/**
 * Combines results of the same query. Neither order nor earlier combinations change the result. An input that failed
 * in one result and was read in another does not count as failed. Throws ARGUMENT for different queries, and if an
 * input occurs twice.
 */
export class Combiner {
  #all: AnyPartial | undefined;
  #query = '';
  readonly #seen = new ReadInputs();
  readonly #failed = new Map<string, FailedInput>();

  add(more: AnyPartial): void {
    const { kind, query, inputs, failed } = more;
    const text = JSON.stringify([kind, query]);
    if (!this.#all) {
      this.#all = emptyPartial(kind, query) as AnyPartial;
      this.#query = text;
    } else if (text !== this.#query) throw otherQuery(this.#all, more);
    for (const input of inputs) this.#seen.refuse(input);
    for (const input of inputs) {
      this.#seen.add(input);
      this.#all.inputs.push(input);
    }
    for (const input of failed) {
      const key = askedKey(input);
      const other = this.#failed.get(key);
      if (!other || JSON.stringify(input.error) < JSON.stringify(other.error)) this.#failed.set(key, input);
    }
    // The kinds of both are the same.
    kindOf(kind).add(this.#all.sum, more.sum);
  }

  /** Returns the combined result, its inputs sorted. Throws ARGUMENT when nothing was added. */
  result(): AnyPartial {
    if (!this.#all) throw argumentError('There is no partial result to combine.');
    const read = new Set(this.#all.inputs.map(askedKey));
    const failed = [...this.#failed.values()].filter((input) => !read.has(askedKey(input)));
    return sorted({ ...this.#all, failed });
  }
}

/** Returns a result with its inputs in the order of their addresses, so that the same inputs give the same text. */
export function sorted<P extends AnyPartial>(partial: P): P {
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

function otherQuery(one: AnyPartial, other: AnyPartial): XylemError {
  return argumentError(
    `These are results of different queries: ${queryDifference(one, other)}`,
    'Combine results of one query only.',
  );
}

/** Returns a sentence that says how the queries of two results differ. */
export function queryDifference(
  one: Pick<AnyPartial, 'kind' | 'query'>,
  other: Pick<AnyPartial, 'kind' | 'query'>,
): string {
  if (one.kind !== other.kind) return `one is of "${one.kind}" and another of "${other.kind}".`;
  const said = kindOf(one.kind).difference?.(one.query, other.query);
  if (said !== undefined) return said;
  const a: Record<string, unknown> = { ...one.query };
  const b: Record<string, unknown> = { ...other.query };
  const name = Object.keys(a).find((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key])) ?? '';
  return `"${name}" is ${JSON.stringify(a[name])} in one and ${JSON.stringify(b[name])} in another.`;
}

/** Returns the inputs that failed, as a note on the result. */
export function failuresOf({
  inputs,
  failed,
}: Pick<PartialResult, 'inputs' | 'failed'>): PartialNote | undefined {
  if (failed.length === 0) return undefined;
  const errors = failed.map(({ file, error }) => ({
    ...(error.fix !== undefined && { fix: error.fix }),
    code: error.code,
    message: error.message.includes(file) ? error.message : `${file}: ${error.message}`,
    where: { url: file },
  }));
  return { failed: failed.length, total: failed.length + inputs.length, errors };
}

/** Returns the histogram of a result. Failed inputs are listed in its `partial`. */
export function histogramOfPartial(result: PartialResult<'draw'>): Histogram {
  return { ...histogramOfSum(shapeOfQuery(result.query), result.sum), partial: failuresOf(result) };
}
