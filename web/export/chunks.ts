import type {
  BranchInfo,
  CallOptions,
  EntryRange,
  EntrySelection,
  FileId,
  Progress,
  TreeInfo,
} from '../api/api';
import type { BlockResult, EngineApi } from '../api/engine-api';
import type { ChunkRequest } from '../api/export';
import { linkSignals } from '../base/abort';
import { XylemError } from '../base/errors';
import { CALL, checkOptions, type Rules } from '../base/options';
import { ANY, either, listOf, TEXT, whole } from '../base/shape';
import type { Column } from '../core/columns';
import { checkChunkBytes } from '../engine/arguments';
import { fewerEntries } from '../model/absent';
import { chooseBranches } from '../model/choose';
import { chooseEntries, countOf, type EntryChoice, entryNumbers } from '../model/entry-choice';
import { evenPart } from '../pass/columns/cut-columns';
import { throttle } from '../pass/throttle';
import { RowBuffer } from './row-buffer';

/**
 * Approximate number of uncompressed bytes in a chunk: enough work for the worker pool, but little memory for a page.
 */
export const CHUNK_BYTES = 16 * 1024 * 1024;
/** A cluster of at most this many bytes is one chunk. */
const MAX_CLUSTER_BYTES = 4 * CHUNK_BYTES;
/** Smaller clusters are joined, because each chunk takes some time per branch. */
const MIN_CLUSTER_BYTES = CHUNK_BYTES / 4;
/** A block is not read ahead while a larger one is held, because both would need memory. */
const MAX_AHEAD_BYTES = 96 * 1024 * 1024;

export const CHUNK_REQUEST: Rules<ChunkRequest> = {
  tree: TEXT,
  branches: listOf(either(TEXT, whole(0))),
  entries: ANY,
  chunkBytes: ANY,
};

/** Some of the entries of the requested branches. */
export interface EntryChunk {
  /** The range that the chunk covers. The rows are the selected entries in it. */
  entries: EntryRange;
  rows: number;
  /** Returns the entry number of each row: `rows` ascending numbers. */
  numbers(): Float64Array;
  /** One for each branch, in the requested order. Each has `rows` rows. */
  columns: { branch: BranchInfo; column: Column }[];
}

/** The plan of a request: its branches and entries. */
export interface ChunkPlan {
  /** The requested path, which may contain a cycle. */
  path: string;
  tree: TreeInfo;
  branches: BranchInfo[];
  entries: EntrySelection;
  choice: EntryChoice;
  /** Number of selected entries. */
  rows: number;
}

/** Finds the branches and clips the entries to the tree. Throws NOT_FOUND and ARGUMENT. */
export async function planChunks(
  reader: EngineApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): Promise<ChunkPlan> {
  if (request.chunkBytes !== undefined) checkChunkBytes(request.chunkBytes, 'chunkBytes');
  const tree = await reader.tree(file, request.tree, { signal: options.signal });
  const branches = wanted(tree, request.branches);
  const choice = chooseEntries(request.entries, tree.entries);
  const short = branches.find((branch) => branch.entries < choice.to);
  if (short !== undefined) throw fewerEntries(tree, short);
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

/** Reads the entries of a selection chunk by chunk: see `readChunks` of the library. */
export async function* readChunks(
  reader: EngineApi,
  file: FileId,
  request: ChunkRequest,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  checkOptions('readChunks', request, CHUNK_REQUEST);
  checkOptions('readChunks', options, CALL);
  const plan = await planChunks(reader, file, request, options);
  yield* chunksOf(reader, file, plan, request.chunkBytes, options);
}

/**
 * Reads the chunks of a plan of `planChunks`. Without `maxBytes` they are whole clusters, if these are not too large.
 */
export async function* chunksOf(
  reader: EngineApi,
  file: FileId,
  plan: ChunkPlan,
  maxBytes: number | undefined,
  options: CallOptions = {},
): AsyncGenerator<EntryChunk, void, undefined> {
  const { branches, choice } = plan;
  if (choice.from >= choice.to || branches.length === 0) return;
  const bytes = bytesPerEntry(branches);
  const rowsOf = (size: number): number => Math.max(1, Math.floor(size / Math.max(bytes, 1e-9)));
  const most = rowsOf(maxBytes ?? MAX_CLUSTER_BYTES);
  const least = rowsOf(MIN_CLUSTER_BYTES);
  const link = linkSignals(options.signal);
  const report = throttle(options.onProgress);
  let done = 0;
  // The total number of bytes is unknown before reading, but the number of entries is known.
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
        parts: { most, least: rowsOf(MAX_CLUSTER_BYTES) },
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
        throw rest.shorter(plan.tree.path, from);
      }
      const clusters = maxBytes === undefined ? rest.commonEnds(rows) : [];
      const parts = partsOf(choice, from, end, cutsOf(rows, clusters, least, most));
      const isLast = choice.next(end) >= choice.to;
      // Reads the next block while the caller works on the last part of this one.
      const ahead = !isLast && rows * bytes <= MAX_AHEAD_BYTES;
      for (const [i, part] of parts.entries()) {
        const columns = rest.take(part.rows);
        done += part.rows;
        if (ahead && i === parts.length - 1) {
          next = read();
          // The promise may never be awaited.
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

/** Decoded rows that have not been returned in a chunk. */
class RestOfBlocks {
  /** For each branch, the entry after the last decoded one. */
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

  /** Returns the entry up to which all branches are decoded. */
  end(): number {
    let end = Number.POSITIVE_INFINITY;
    for (const start of this.starts) end = Math.min(end, start);
    return end;
  }

  /** Returns the number of rows that all branches have. */
  rows(): number {
    let rows = Number.POSITIVE_INFINITY;
    for (const buffer of this.#buffers) rows = Math.min(rows, buffer.rows);
    return rows;
  }

  /** Returns the numbers of rows, up to `rows`, after which a basket or page ends in every branch. */
  commonEnds(rows: number): number[] {
    const votes = new Map<number, number>();
    for (const buffer of this.#buffers)
      for (const end of buffer.ends(rows)) votes.set(end, (votes.get(end) ?? 0) + 1);
    return [...votes]
      .flatMap(([end, own]) => (own === this.#buffers.length ? [end] : []))
      .sort((a, b) => a - b);
  }

  /** Returns the error for a branch whose baskets contain fewer entries than those of others. */
  shorter(tree: string, from: number): XylemError {
    const rows = this.rows();
    const short = this.#buffers.findIndex((buffer) => buffer.rows === rows);
    const path = this.branches[short]?.path ?? '';
    return new XylemError({
      code: 'CORRUPT',
      message: `The baskets of ${path} have fewer entries than the tree says, from entry ${from} on.`,
      where: { path: `${tree}/${path}` },
      fix: 'Leave the branch out; the file may be damaged: see what "xylem check" finds.',
    });
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

/**
 * Divides `rows` rows at the ends of clusters into parts of at least `least` rows, and divides parts of more than
 * `most` rows evenly. Returns the end of each part.
 */
function cutsOf(rows: number, clusters: readonly number[], least: number, most: number): number[] {
  const cuts: number[] = [];
  let from = 0;
  for (const to of [...clusters.filter((end) => end <= rows - least), rows]) {
    if (to < rows && to - from < least) continue;
    const share = evenPart(to - from, most);
    for (let at = from + share; at < to; at += share) cuts.push(at);
    cuts.push(to);
    from = to;
  }
  return cuts;
}

/** Returns the parts of the selected entries between `from` and `end`. `cuts` are the ends of the parts in rows. */
function partsOf(choice: EntryChoice, from: number, end: number, cuts: readonly number[]): ChunkPart[] {
  if (cuts.length === 1) return [{ entries: [from, end], rows: cuts[0] ?? 0 }];
  const numbers = choice.contiguous ? undefined : entryNumbers(choice, from, end);
  const entryOf = (row: number): number => (numbers ? (numbers[row] ?? end) : from + row);
  return cuts.map((to, i) => {
    const at = cuts[i - 1] ?? 0;
    return { entries: [i === 0 ? from : entryOf(at), Math.min(end, entryOf(to))], rows: to - at };
  });
}
