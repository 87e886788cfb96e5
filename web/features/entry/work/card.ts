import type { CallOptions, EntryRange, FileId, FileInfo, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { argumentError, type ErrorRecord, XylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import type { Column } from '../../../core/columns';
import { chooseBranches } from '../../../model/choose';
import { collectionNames } from '../../../model/collections';

/** The value of a branch in one entry, as a column with one row, or the reason why there is none. */
export interface CardValue {
  path: string;
  name: string;
  /** Title of the branch as it is stored: it may name the counter of an array. */
  title: string;
  /** The collection of the branch; branches that stand alone have their own name. */
  group: string;
  typeName: string;
  unit?: string | undefined;
  documentation?: string | undefined;
  column?: Column | undefined;
  error?: ErrorRecord | undefined;
}

/** All values of one entry of a tree. Plain data, which cross threads. */
export interface EntryCard {
  /** Name of the file that holds the entry. */
  file: string;
  tree: string;
  entry: number;
  /** Number of entries of the tree, or of all trees of a list of files. */
  entries: number;
  /** Number of the entry in its own file, if there are several files. */
  inFile?: number | undefined;
  values: CardValue[];
  /** Requests and bytes of this entry's baskets, besides the metadata of the file. */
  reading: { requests: number; bytes: number };
}

export interface CardRequest {
  tree: string;
  entry: number;
  /** Names of branches, or patterns. Default: all. */
  branches?: readonly string[] | undefined;
}

/** An entry that is looked for from another one. */
export interface StepRequest {
  tree: string;
  entry: number;
  /** Default: every entry passes. */
  cut?: string | undefined;
  /** "here": the entry itself, or the first one after it that passes. */
  to: 'next' | 'previous' | 'here';
}

/**
 * Reads all branches of one entry, and only the baskets and pages that hold it. A branch that cannot be read has an error,
 * and the others are still there. Throws ARGUMENT if the tree has no such entry.
 */
export async function readCard(
  reader: EngineApi,
  file: FileInfo,
  info: TreeInfo,
  { tree, entry, branches }: CardRequest,
  options: CallOptions = {},
): Promise<EntryCard> {
  checkEntry(info, entry);
  const chosen = chooseBranches(info, branches);
  const before = await reader.traceSummary(file.id);
  const entries: EntryRange = [entry, entry + 1];
  const request = { tree, branches: chosen.map(({ index }) => index), entries };
  const results = await reader.arrays(file.id, request, options);
  const after = await reader.traceSummary(file.id);
  const names = collectionNames(info.branches);
  const values = results.map(({ branch, column, missing, error }): CardValue => {
    const { path, name, title, typeName, unit, documentation, index } = branch;
    const known = { path, name, title, group: names[index] ?? name, typeName, unit, documentation };
    if (column !== undefined && column.length > 0 && !error) return { ...known, column };
    return { ...known, error: error ?? missing ?? noValue(path, entry) };
  });
  return {
    ...placeOf(file, info, entry),
    ...{ tree: info.path, entry, entries: info.entries, values },
    reading: { requests: after.requests - before.requests, bytes: after.bytes - before.bytes },
  };
}

const noValue = (path: string, entry: number): ErrorRecord =>
  new XylemError({
    code: 'NOT_FOUND',
    message: `The branch has no value for entry ${formatCount(entry)}.`,
    where: { path },
  }).toRecord();

function checkEntry({ name, entries }: TreeInfo, entry: number): void {
  if (entry < entries) return;
  throw argumentError(
    entries === 0
      ? `${name} has no entries.`
      : `${name} has no entry ${formatCount(entry)}: it has ${formatCount(entries)} entries.`,
    entries === 0 ? undefined : `Entries are counted from 0; the last one is ${entries - 1}.`,
  );
}

/** Returns the file that holds an entry, and the number of the entry there. */
function placeOf({ name, files }: FileInfo, { fileStarts }: TreeInfo, entry: number) {
  if (files === undefined || fileStarts === undefined || fileStarts.length !== files.length)
    return { file: name };
  const at = fileStarts.findLastIndex((start) => start <= entry);
  return { file: files[at] ?? name, inFile: entry - (fileStarts[at] ?? 0) };
}

/** Number of entries that are examined at first, when an earlier entry is looked for. */
const FIRST_BACK = 1024;

/**
 * Returns the entry that passes a cut next to another one; undefined if there is none in this direction. Only the branches
 * of the cut are read, and no further than to the entry. Throws the errors of expressions, and of baskets that cannot be
 * read, because an entry in them may be the one.
 */
export async function findEntry(
  reader: EngineApi,
  file: FileId,
  { path: tree, entries }: TreeInfo,
  { entry, cut = '', to }: Omit<StepRequest, 'tree'>,
  options: CallOptions = {},
): Promise<number | undefined> {
  if (cut.trim() === '') {
    const next = entry + { next: 1, previous: -1, here: 0 }[to];
    return next >= 0 && next < entries ? next : undefined;
  }
  const passing = async (from: number, until: number, limit?: number) => {
    const request = { tree, columns: '1', cut, entries: [from, until] as [number, number], limit };
    const { entries: found, partial } = await reader.scan(file, request, options);
    const [error] = partial?.errors ?? [];
    if (error) throw new XylemError(error);
    return found;
  };
  if (to !== 'previous') {
    const from = Math.min(entries, to === 'next' ? entry + 1 : entry);
    return from < entries ? (await passing(from, entries, 1))[0] : undefined;
  }
  let until = Math.min(entries, entry);
  for (let size = FIRST_BACK; until > 0; size *= 4) {
    const from = Math.max(0, until - size);
    const found = await passing(from, until, size);
    if (found.length > 0) return found.at(-1);
    until = from;
  }
  return undefined;
}
