import type { CallOptions, FileId } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { TableRequest } from '../api/export';
import { XylemError } from '../base/errors';
import { type ChunkPlan, chunksOf, planChunks } from './chunks';
import { expressionTable, type FormOfNulls, passingEntries } from './expressions';
import { aboutOf, columnNames, type Table, type TablePart } from './table';

/**
 * Returns the table of a request. `countRows`: the number of rows must be known first, also with expressions and a cut.
 */
export async function tableOfRequest(
  reader: EngineApi,
  file: FileId,
  request: TableRequest,
  { countRows, nulls }: { countRows: boolean; nulls: FormOfNulls },
  options: CallOptions,
): Promise<Table> {
  const { tree, columns, cut, friends, rootVersion, seed, entries } = request;
  if (columns === undefined) {
    const chosen = cut?.trim() ? { entries: await passingEntries(reader, file, request, options) } : {};
    const plan = await planChunks(reader, file, { ...request, ...chosen }, options);
    return tableOf(reader, file, plan, request.chunkBytes, options);
  }
  const info = await reader.tree(file, tree, { signal: options.signal });
  return expressionTable(
    reader,
    file,
    info,
    { tree, columns, cut, friends, rootVersion, seed, entries, countRows, nulls },
    options,
  );
}

function tableOf(
  reader: EngineApi,
  file: FileId,
  plan: ChunkPlan,
  chunkBytes: number | undefined,
  options: CallOptions,
): Table {
  async function* parts(only?: number): AsyncGenerator<TablePart> {
    const branches = only === undefined ? plan.branches : plan.branches.slice(only, only + 1);
    if (plan.rows === 0) {
      // A table without rows still has columns with types.
      const results = await reader.arrays(file, {
        tree: plan.path,
        branches: branches.map(({ index }) => index),
        entries: [0, 0],
      });
      const columns = results.map(({ column, error, branch }) => {
        if (column) return column;
        throw new XylemError({ code: 'UNSUPPORTED', message: `${branch.path} cannot be read.`, ...error });
      });
      yield { rows: 0, columns };
      return;
    }
    for await (const { rows, columns } of chunksOf(
      reader,
      file,
      { ...plan, branches },
      chunkBytes,
      options,
    )) {
      yield { rows, columns: columns.map(({ column }) => column) };
    }
  }
  return { names: columnNames(plan.branches), about: aboutOf(plan.branches), rows: plan.rows, parts };
}
