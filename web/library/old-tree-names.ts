import type { ArraysRequest, CallOptions, DrawRequest, DrawResult, ScanRequest, Table } from '../api/api';
import type { Column } from '../core/columns';
import type { ChunkRequest, EntryChunk } from '../export/chunks';
import { tellNewName } from './old-names';
import type { TreeCalls, TreeHandle, TreePlace } from './tree-handle';

type OfTree<T> = Omit<T, 'tree'>;

/** Calls under the names of version 0.1. Each warns once, and will be gone in 0.3. */
export interface OldTreeCalls {
  /** @deprecated Use `draw(expression, options)`. */
  draw(request: OfTree<DrawRequest>, options?: CallOptions): Promise<DrawResult>;
  /** @deprecated Use `chunks(names, options)`. */
  chunks(request: OfTree<ChunkRequest>, options?: CallOptions): AsyncIterable<EntryChunk>;
  /** @deprecated Use `chunks(names, options)`. */
  process(
    request: OfTree<ChunkRequest> & { onChunk: (chunk: EntryChunk) => void | Promise<void> },
    options?: CallOptions,
  ): Promise<number>;
  /** @deprecated Use `draw(expression, options)`. */
  query(request: OfTree<DrawRequest>, options?: CallOptions): Promise<DrawResult>;
  /** @deprecated Use `scan(expressions, options)`. */
  table(request: OfTree<ScanRequest>, options?: CallOptions): Promise<Table>;
  /** @deprecated Use `arrays(names, options)`. */
  columns(request: OfTree<ArraysRequest>, options?: CallOptions): Promise<Record<string, Column>>;
}

/** Adds the old calls to a handle. */
export function oldCalls(calls: TreeCalls, { reader, file, tree }: TreePlace): TreeHandle {
  const chunksOf = async function* (request: OfTree<ChunkRequest>, options?: CallOptions) {
    const { readChunks } = await import('../export/chunks');
    yield* readChunks(reader, file, { ...request, tree }, options);
  };
  const isRequest = (value: unknown): value is never =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const { draw, chunks, arrays } = calls;
  const old = {
    draw: (what: unknown, options?: CallOptions) => {
      if (!isRequest(what)) return draw(what as string, options);
      tellNewName('draw({ branch })', 'draw(expression)');
      return reader.draw(file, { ...(what as OfTree<DrawRequest>), tree }, options);
    },
    chunks: (what?: unknown, options?: CallOptions) => {
      if (!isRequest(what)) return chunks(what as string, options);
      tellNewName('chunks({ branches })', 'chunks(names)');
      return chunksOf(what, options);
    },
    process: async (
      { onChunk, ...request }: Parameters<OldTreeCalls['process']>[0],
      options?: CallOptions,
    ): Promise<number> => {
      tellNewName('process', 'chunks');
      let entries = 0;
      for await (const chunk of chunksOf(request, options)) {
        entries += chunk.rows;
        await onChunk(chunk);
      }
      return entries;
    },
    query: (request: OfTree<DrawRequest>, options?: CallOptions) => {
      tellNewName('query', 'draw');
      return reader.draw(file, { ...request, tree }, options);
    },
    table: (request: OfTree<ScanRequest>, options?: CallOptions) => {
      tellNewName('table', 'scan');
      return reader.scan(file, { ...request, tree }, options);
    },
    columns: async (request: OfTree<ArraysRequest>, options?: CallOptions) => {
      tellNewName('columns', 'arrays');
      const { branches, entries, ...rest } = request;
      if (Object.keys(rest).length === 0 && branches.every((name) => typeof name === 'string')) {
        const found = await arrays(branches as string[], { entries, ...options });
        return Object.fromEntries(Object.entries(found).map(([name, { column }]) => [name, column]));
      }
      const results = await reader.arrays(file, { ...request, tree }, options);
      return Object.fromEntries(
        results.flatMap(({ column }, i) => (column ? [[String(branches[i]), column]] : [])),
      );
    },
  };
  return Object.assign(calls, old) as TreeHandle;
}
