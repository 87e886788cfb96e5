import { linkSignals } from '../base/abort';
import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type {
  BranchInfo,
  CallOptions,
  EntryRange,
  EntrySelection,
  FileId,
  Progress,
  ReaderApi,
  ReadRequest,
  TreeInfo,
} from './api';
import { chooseBranches } from './choose';
import { chooseEntries, countOf, type EntryChoice, isRange, sliceSelection } from './entry-choice';
import { throttle } from './throttle';

/** About so many uncompressed bytes are in one chunk: enough for the pool, little for a page. */
export const CHUNK_BYTES = 16 * 1024 * 1024;

export interface ChunkRequest {
  tree: string;
  /** Paths or indices; a branch that holds others stands for these. Default: all that hold values. */
  branches?: readonly (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /** Uncompressed bytes of a chunk, about. Default 16 MiB. */
  chunkBytes?: number | undefined;
}

/** Some of the entries of the branches that were asked for. */
export interface EntryChunk {
  /** The range that it covers; those of its entries that were chosen are the rows. */
  entries: EntryRange;
  rows: number;
  /** One for each branch, in the order asked for; all have as many rows. */
  columns: { branch: BranchInfo; column: Column }[];
}

/** What a request comes to: which branches, which entries. */
export interface ChunkPlan {
  /** As it was asked for, maybe with a cycle. */
  path: string;
  tree: TreeInfo;
  branches: BranchInfo[];
  entries: EntrySelection;
  choice: EntryChoice;
  /** How many entries are chosen. */
  rows: number;
}

/** Finds the branches and clips the entries of a request. Throws NOT_FOUND and ARGUMENT. */
export async function planChunks(
  reader: ReaderApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): Promise<ChunkPlan> {
  const tree = await reader.tree(file, request.tree, { signal: options.signal });
  const branches = wanted(tree, request.branches);
  const choice = chooseEntries(request.entries, tree.entries);
  const short = branches.find((branch) => branch.entries < choice.to);
  if (short !== undefined) {
    throw new XylemError({
      code: 'ARGUMENT',
      message: `${short.path} has only ${short.entries} of the tree's ${tree.entries} entries.`,
      where: { path: `${tree.path}/${short.path}` },
      fix: 'Leave it out, or ask for entries that all branches have.',
    });
  }
  const entries = request.entries ?? [0, tree.entries];
  const rows = countOf(choice.spans(choice.from, choice.to));
  return { path: request.tree, tree, branches, entries, choice, rows };
}

function wanted(tree: TreeInfo, names: ChunkRequest['branches']): BranchInfo[] {
  if (names === undefined) return chooseBranches(tree, undefined);
  const chosen = names.flatMap((name) => {
    const branch = typeof name === 'number' ? tree.branches[name] : undefined;
    return branch && branch.kind !== 'group'
      ? [branch]
      : chooseBranches(tree, [branch?.path ?? String(name)]);
  });
  return [...new Set(chosen)];
}

/**
 * The entries of a selection, chunk by chunk: bounded memory however large the tree is. The next
 * chunk is read while the caller works on one, no more than that: a slow caller is waited for.
 * Leaving the loop ends the reading. Throws what reading any of the branches throws.
 */
export async function* readChunks(
  reader: ReaderApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  const plan = await planChunks(reader, file, request, options);
  yield* chunksOf(reader, file, plan, request.chunkBytes ?? CHUNK_BYTES, options);
}

/** The chunks of what `planChunks` gave. */
export async function* chunksOf(
  reader: ReaderApi,
  file: FileId,
  { path, branches, entries, choice, rows: total }: ChunkPlan,
  maxBytes: number,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  const { from: first, to: end } = choice;
  const bytes = branches.reduce((sum, branch) => sum + branch.totalBytes / Math.max(1, branch.entries), 0);
  // Of a list or a sample, so many entries that the chosen ones have about as many bytes.
  const step = Math.max(1, Math.ceil((maxBytes * (end - first)) / Math.max(1, bytes * total)));
  const link = linkSignals(options.signal);
  const report = throttle(options.onProgress);
  let done = 0;
  const read = async (from: number): Promise<EntryChunk> => {
    const whole = isRange(entries);
    const to = whole ? end : Math.min(end, from + step);
    const request: ReadRequest = {
      tree: path,
      branches: branches.map(({ index }) => index),
      entries: whole ? [from, to] : sliceSelection(entries, from, to),
      ...(whole && { maxBytes }),
    };
    // How many bytes there are in all is not known before they were read; entries are.
    const onProgress = ({ label, bytesDone }: Progress): void =>
      report(() => ({ label, bytesDone, bytesTotal: 0, entriesDone: done, entriesTotal: total }));
    const results = await reader.read(file, request, { signal: link.signal, onProgress });
    const columns = results.map(({ branch, column, error }) => {
      if (column === undefined) throw new XylemError({ ...(error ?? nothing(branch)), cause: undefined });
      return { branch, column };
    });
    const rows = columns[0]?.column.length ?? 0;
    if ((rows === 0 && whole) || columns.some(({ column }) => column.length !== rows)) {
      throw new XylemError({
        code: 'INTERNAL',
        message: `The branches differ in their entries from ${from} on.`,
      });
    }
    done += rows;
    return { entries: [from, whole ? from + rows : to], rows, columns };
  };
  try {
    let next = first < end && branches.length > 0 ? read(first) : undefined;
    while (next) {
      const chunk = await next;
      const from = choice.next(chunk.entries[1]);
      next = from < end ? read(from) : undefined;
      // It is awaited later, if at all.
      next?.catch(() => {});
      if (chunk.rows > 0) yield chunk;
    }
  } finally {
    link.abort();
    link.dispose();
  }
}

function nothing(branch: BranchInfo): { code: 'INTERNAL'; message: string } {
  return { code: 'INTERNAL', message: `No values came of ${branch.path}.` };
}
