import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type {
  BranchSummary,
  CallOptions,
  DrawRequest,
  DrawResult,
  FileInfo,
  KeyInfo,
  PlainObject,
  QueryOutcome,
  QueryRequest,
  ReaderApi,
  ReadRequest,
  SourceSpec,
  SummaryRequest,
  Table,
  TableRequest,
  TreeInfo,
} from '../file/api';
import { type ChunkRequest, type EntryChunk, readChunks } from '../file/chunks';
import { type ExportRequest, exportTree } from './export-tree';

/** A request without the tree's name. */
type OfTree<T> = Omit<T, 'tree'>;

/** An open ROOT file, or several as one. */
export interface RootHandle {
  readonly info: FileInfo;
  keys(options?: CallOptions): Promise<KeyInfo[]>;
  tree(path: string, options?: CallOptions): Promise<TreeHandle>;
  object(path: string, options?: CallOptions): Promise<PlainObject>;
  /** Closes the file, and ends the reader that was started for it. */
  close(): Promise<void>;
}

/** A TTree or RNTuple of an open file. */
export interface TreeHandle {
  readonly info: TreeInfo;
  /** Chunk by chunk in bounded memory: see `readChunks`. */
  chunks(request?: OfTree<ChunkRequest>, options?: CallOptions): AsyncIterable<EntryChunk>;
  /** Calls `onChunk` for each chunk and waits for it before the next; gives how many entries there were. */
  process(
    request: OfTree<ChunkRequest> & { onChunk: (chunk: EntryChunk) => void | Promise<void> },
    options?: CallOptions,
  ): Promise<number>;
  draw(request: OfTree<DrawRequest>, options?: CallOptions): Promise<DrawResult>;
  /** TTree::Draw; friends are files of the same reader. */
  query(request: OfTree<QueryRequest>, options?: CallOptions): Promise<QueryOutcome>;
  /** TTree::Scan. */
  table(request: OfTree<TableRequest>, options?: CallOptions): Promise<Table>;
  summarize(request?: OfTree<SummaryRequest>, options?: CallOptions): Promise<BranchSummary[]>;
  /** The columns of branches, by the names asked for. Throws what reading any of them throws. */
  columns(request: OfTree<ReadRequest>, options?: CallOptions): Promise<Record<string, Column>>;
  /** As a file of another format, in pieces: see `exportTree`. */
  export(request: OfTree<ExportRequest>, options?: CallOptions): AsyncIterable<Uint8Array>;
}

/** The handle of a source, opened by a reader that belongs to it. */
export async function rootHandle(
  reader: ReaderApi & { terminate(): void },
  source: SourceSpec,
  options: CallOptions = {},
): Promise<RootHandle> {
  let info: FileInfo;
  try {
    info = await reader.open(source, options);
  } catch (thrown) {
    reader.terminate();
    throw thrown;
  }
  return {
    info,
    keys: (call) => reader.keys(info.id, call),
    tree: async (path, call) => treeHandle(reader, info.id, path, await reader.tree(info.id, path, call)),
    object: (path, call) => reader.object(info.id, path, call),
    close: async () => {
      await reader.close(info.id);
      reader.terminate();
    },
  };
}

function treeHandle(reader: ReaderApi, id: number, tree: string, info: TreeInfo): TreeHandle {
  const chunks = (request: OfTree<ChunkRequest> = {}, options?: CallOptions): AsyncIterable<EntryChunk> =>
    readChunks(reader, id, { ...request, tree }, options);
  return {
    info,
    chunks,
    process: async ({ onChunk, ...request }, options) => {
      let entries = 0;
      for await (const chunk of chunks(request, options)) {
        entries += chunk.rows;
        await onChunk(chunk);
      }
      return entries;
    },
    draw: (request, options) => reader.draw(id, { ...request, tree }, options),
    query: (request, options) => reader.query(id, { ...request, tree }, options),
    table: (request, options) => reader.table(id, { ...request, tree }, options),
    summarize: (request = {}, options) => reader.summarize(id, { ...request, tree }, options),
    columns: async (request, options) => {
      const results = await reader.read(id, { ...request, tree }, options);
      return Object.fromEntries(
        results.map(({ branch, column, error }, i) => {
          if (column) return [String(request.branches[i]), column];
          throw new XylemError({ code: 'INTERNAL', message: `No values came of ${branch.path}.`, ...error });
        }),
      );
    },
    export: (request, options) => exportTree(reader, id, { ...request, tree }, options),
  };
}
