import type { CallOptions, FileInfo, PartialNote } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { Gathered, ProcessRequest } from '../api/selector';
import { XylemError } from '../base/errors';
import type { Json, Wrong } from './json';

export interface OpenInput {
  reader: EngineApi;
  info: FileInfo;
  /** The tree to read; empty if whole files are read. */
  tree: string;
  /** The requested entries. Default: all. */
  entries?: [from: number, to: number] | undefined;
  /** The name of the file in results. */
  file: string;
  /** The name of the sample that it belongs to, if samples were named. */
  sample?: string | undefined;
  /** The module of the selector, if one was run. */
  selector?: InputSelector | undefined;
}

export interface InputSelector extends Pick<ProcessRequest, 'module' | 'limitMs' | 'files' | 'spool'> {
  /** Returns a result whose rows in temporary files are in memory, or in files beside the partial result. */
  keepRows?: ((name: string, one: Gathered) => Promise<Gathered>) | undefined;
}

/** A file beside a partial result, which belongs to it. */
export interface SideFile {
  /** Path of the file, relative to `folder`, as the partial result has it. */
  name: string;
  folder: string;
  /** Number of bytes and SHA-256 of the file. */
  bytes: number;
  hash: string;
}

/**
 * A kind of partial results: the query for each input, and how results are added. The list of kinds in partial.ts gives
 * the command for each kind.
 */
export interface Kind<Query, Sum> {
  /** Name of the member that contains its sum in the text of a result. */
  member: string;
  /** Description, for messages, of the members that must be equal in two queries. */
  words: string;
  title(query: Query): string;
  empty(query: Query): Sum;
  /** Reads an input. Throws if any part of it cannot be read, because an input is added completely or not at all. */
  read(query: Query, input: OpenInput, options: CallOptions): Promise<{ sum: Sum; read: [number, number] }>;
  /** Adds `more` to `sum`. Changes `sum`. The values do not depend on order and grouping. */
  add(sum: Sum, more: Sum): void;
  json(query: Query, sum: Sum): unknown;
  /** Returns the files that a sum consists of besides its text. Their names may be changed. */
  sides?(sum: Sum): SideFile[];
  queryFrom(json: Json): Query | undefined;
  sumFrom(query: Query, json: Json, wrong: Wrong): Sum;
  /**
   * Returns the lines of a sum for the terminal, and its members for `--json`. Kinds without this function are shown by
   * show-partial.ts.
   */
  report?(sum: Sum): { lines: string[]; json: object };
  /** Whether the command must end with status 1 for this result. */
  found?(sum: Sum): boolean;
  /** The files for which it ends so, by their names in results. */
  badFiles?(sum: Sum): string[];
  /** Returns a sentence on how two queries differ; undefined if comparing their members is sufficient. */
  difference?(one: Query, other: Query): string | undefined;
}

/** Returns the entries of the tree to read. Throws ARGUMENT if the tree has fewer, and the errors of reading it. */
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

/** Throws the first error of a result with missing baskets, because an input is added completely or not at all. */
export function refuseUnreadable(partial: PartialNote | undefined): void {
  if (!partial) return;
  const [first] = partial.errors;
  throw new XylemError({
    code: first?.code ?? 'CORRUPT',
    message: `${partial.failed} of ${partial.total} baskets are unreadable: ${first?.message ?? ''}`,
  });
}
