import type { CallOptions, FileInfo, PartialNote } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { ProcessRequest } from '../api/selector';
import { XylemError } from '../base/errors';
import type { Json, Wrong } from './json';

export interface OpenInput {
  reader: EngineApi;
  info: FileInfo;
  /** The tree to read; empty if whole files are read. */
  tree: string;
  /** The requested entries; all if missing. */
  entries?: [from: number, to: number] | undefined;
  /** The name of the file in results. */
  file: string;
  /** The module of the selector, if one was run. */
  selector?:
    | (Pick<ProcessRequest, 'module' | 'limitMs' | 'files'> & { sample?: string | undefined })
    | undefined;
}

/**
 * A kind of partial results: the query for each input, and how the answers are added. The list of kinds in partial.ts
 * names the command that writes it.
 */
export interface Kind<Query, Sum> {
  /** Name of the member with its sum in the text of a result. */
  member: string;
  /** Description, for messages, of the members that two queries must share. */
  words: string;
  title(query: Query): string;
  empty(query: Query): Sum;
  /** Reads an input. Throws if any part of it cannot be read, because an input is added as a whole or not at all. */
  read(query: Query, input: OpenInput, options: CallOptions): Promise<{ sum: Sum; read: [number, number] }>;
  /** Adds `more` to `sum`, which is changed. The values do not depend on order and grouping. */
  add(sum: Sum, more: Sum): void;
  json(query: Query, sum: Sum): unknown;
  queryFrom(json: Json): Query | undefined;
  sumFrom(query: Query, json: Json, wrong: Wrong): Sum;
  /** Returns the lines of a sum in the terminal, and its members in `--json`. The others are shown in show-partial.ts. */
  report?(sum: Sum): { lines: string[]; json: object };
  /** Whether a result makes the command end with status 1. */
  found?(sum: Sum): boolean;
  /** Returns a sentence that says how two queries differ, or undefined if it is enough to compare their members. */
  difference?(one: Query, other: Query): string | undefined;
}

/** Returns the entries of the tree to read. Throws ARGUMENT if it has fewer, and what reading the tree throws. */
export async function entriesOf(input: OpenInput, options: CallOptions): Promise<[number, number]> {
  const { reader, info, tree, entries } = input;
  const { entries: all } = await reader.tree(info.id, tree, options);
  const read = entries ?? [0, all];
  if (read[1] <= all) return read;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `"${tree}" has ${all} entries, not ${read[1]}.`,
    where: { url: info.name },
  });
}

/** Throws the first error of a result with missing baskets, because an input counts as a whole or not at all. */
export function refuseUnreadable(partial: PartialNote | undefined): void {
  if (!partial) return;
  const [first] = partial.errors;
  throw new XylemError({
    code: first?.code ?? 'CORRUPT',
    message: `${partial.failed} of ${partial.total} baskets are unreadable: ${first?.message ?? ''}`,
  });
}
