import type {
  BlockResult,
  BranchInfo,
  CallOptions,
  EntryRange,
  EntrySelection,
  FileId,
  Progress,
  ReaderApi,
  TreeInfo,
} from '../api/api';
import { linkSignals } from '../base/abort';
import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { throttle } from '../decode/throttle';
import { checkChunkBytes } from '../engine/arguments';
import { chooseBranches } from '../model/choose';
import { chooseEntries, countOf, type EntryChoice, entryNumbers } from '../model/entry-choice';
import { RowBuffer } from './row-buffer';

/** Approximate uncompressed bytes of a chunk: enough work for the pool, and little memory for a page. */
export const CHUNK_BYTES = 16 * 1024 * 1024;
/** A cluster of at most this many bytes is one chunk. */
const MAX_CLUSTER_BYTES = 4 * CHUNK_BYTES;
/** No block is read ahead while a larger one is held, because memory would have to hold both. */
const MAX_AHEAD_BYTES = 96 * 1024 * 1024;

export interface ChunkRequest {
  tree: string;
  /** Paths or indices; a branch that holds others stands for these. Default: all that hold values. */
  branches?: readonly (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /**
   * Uncompressed bytes of a chunk, about: from 1 to 2^31 - 1. Default: a cluster or several, from 16 to 64 MiB.
   * Whatever it is, each basket or page is decoded once: what is left of it is kept for the next chunk.
   */
  chunkBytes?: number | undefined;
}

/** Some of the entries of the requested branches. */
export interface EntryChunk {
  /** The range that it covers; those of its entries that were chosen are the rows. */
  entries: EntryRange;
  rows: number;
  /** The entry of each row: `rows` ascending numbers, made when they are asked for. */
  numbers(): Float64Array;
  /** One for each branch, in the order asked for; all have as many rows. */
  columns: { branch: BranchInfo; column: Column }[];
}

/** The plan of a request: its branches and entries. */
export interface ChunkPlan {
  /** The requested path, perhaps with a cycle. */
  path: string;
  tree: TreeInfo;
  branches: BranchInfo[];
  entries: EntrySelection;
  choice: EntryChoice;
  /** Number of chosen entries. */
  rows: number;
}

/** Finds the branches and clips the entries of a request. Throws NOT_FOUND and ARGUMENT. */
export async function planChunks(
  reader: ReaderApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): Promise<ChunkPlan> {
  if (request.chunkBytes !== undefined) checkChunkBytes(request.chunkBytes, 'chunkBytes');
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
 * Reads the entries of a selection chunk by chunk, so that the memory is bounded for a tree of any size. One
 * chunk is read ahead while the caller uses another; then reading waits for the caller. Leaving the loop ends it. Throws what reading any of the branches throws.
 */
export async function* readChunks(
  reader: ReaderApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  const plan = await planChunks(reader, file, request, options);
  yield* chunksOf(reader, file, plan, request.chunkBytes, options);
}

/** The chunks of what `planChunks` gave; without `maxBytes` they are whole clusters where these are not too large. */
export async function* chunksOf(
  reader: ReaderApi,
  file: FileId,
  plan: ChunkPlan,
  maxBytes: number | undefined,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  const { branches, choice } = plan;
  if (choice.from >= choice.to || branches.length === 0) return;
  const bytes = bytesPerEntry(branches);
  const most = Math.max(1, Math.floor((maxBytes ?? MAX_CLUSTER_BYTES) / Math.max(bytes, 1e-9)));
  const link = linkSignals(options.signal);
  const report = throttle(options.onProgress);
  let done = 0;
  // How many bytes there are in all is not known before they were read; entries are.
  const onProgress = ({ label, bytesDone }: Progress): void =>
    report(() => ({ label, bytesDone, bytesTotal: 0, entriesDone: done, entriesTotal: plan.rows }));
  const rest = new RestOfBlocks(branches, choice.from);
  const read = (): Promise<BlockResult[]> =>
    reader.readBlock(
      file,
      {
        tree: plan.path,
        branches: branches.map(({ index }) => index),
        entries: plan.entries,
        starts: rest.starts,
        maxBytes: maxBytes ?? CHUNK_BYTES,
      },
      { signal: link.signal, onProgress },
    );
  try {
    let from = choice.from;
    let next: Promise<BlockResult[]> | undefined = read();
    while (next) {
      rest.add(await next);
      next = undefined;
      const end = Math.min(rest.end(), choice.to);
      const rows = countOf(choice.spans(from, end));
      if (rows === 0 || rest.rows() < rows) {
        throw new XylemError({
          code: 'INTERNAL',
          message: `The branches differ in their entries from ${from} on.`,
        });
      }
      const parts = evenParts(choice, from, end, rows, most);
      const isLast = choice.next(end) >= choice.to;
      // The next block is read while the caller works on the last part of this one.
      const ahead = !isLast && rows * bytes <= MAX_AHEAD_BYTES;
      for (const [i, part] of parts.entries()) {
        const columns = rest.take(part.rows);
        done += part.rows;
        if (ahead && i === parts.length - 1) {
          next = read();
          // It is awaited later, if at all.
          next.catch(() => {});
        }
        const entries = part.entries;
        yield { entries, rows: part.rows, numbers: () => entryNumbers(choice, ...entries), columns };
      }
      from = choice.next(end);
      if (!ahead && !isLast) next = read();
    }
  } finally {
    link.abort();
    link.dispose();
  }
}

function bytesPerEntry(branches: readonly BranchInfo[]): number {
  let bytes = 0;
  for (const { totalBytes, entries } of branches) bytes += totalBytes / Math.max(1, entries);
  return bytes;
}

/** Decoded rows that are in no chunk yet. */
class RestOfBlocks {
  /** For each branch, the entry after the last that was decoded. */
  readonly starts: Float64Array;
  readonly #buffers: RowBuffer[];

  constructor(
    readonly branches: readonly BranchInfo[],
    from: number,
  ) {
    this.starts = new Float64Array(branches.length).fill(from);
    this.#buffers = branches.map(() => new RowBuffer());
  }

  add(block: readonly BlockResult[]): void {
    for (let i = 0; i < block.length; i++) {
      const { columns, end } = block[i] as BlockResult;
      this.#buffers[i]?.add(columns);
      this.starts[i] = end;
    }
  }

  /** The entry up to which all branches are decoded. */
  end(): number {
    let end = Number.POSITIVE_INFINITY;
    for (const start of this.starts) end = Math.min(end, start);
    return end;
  }

  /** The rows that all branches have. */
  rows(): number {
    let rows = Number.POSITIVE_INFINITY;
    for (const buffer of this.#buffers) rows = Math.min(rows, buffer.rows);
    return rows;
  }

  take(rows: number): EntryChunk['columns'] {
    return this.branches.map((branch, i) => {
      return { branch, column: (this.#buffers[i] as RowBuffer).take(rows) };
    });
  }
}

interface ChunkPart {
  entries: EntryRange;
  rows: number;
}

/** Divides `rows` chosen entries between `from` and `end` into parts of nearly the same number, at most `most`. */
function evenParts(choice: EntryChoice, from: number, end: number, rows: number, most: number): ChunkPart[] {
  const count = Math.ceil(rows / most);
  if (count === 1) return [{ entries: [from, end], rows }];
  const share = Math.ceil(rows / count);
  const parts: ChunkPart[] = [];
  if (choice.contiguous) {
    for (let at = from; at < end; at += share) {
      const to = Math.min(end, at + share);
      parts.push({ entries: [at, to], rows: to - at });
    }
    return parts;
  }
  const numbers = entryNumbers(choice, from, end);
  for (let at = 0; at < rows; at += share) {
    const to = Math.min(rows, at + share);
    parts.push({ entries: [numbers[at] ?? from, to < rows ? (numbers[to] ?? end) : end], rows: to - at });
  }
  return parts;
}
