import type { CallOptions, FileId, TreeExpressions, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { argumentError, XylemError } from '../../../base/errors';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, listOf, OBJECT, TEXT } from '../../../base/shape';
import { COMPRESSIONS, type Compression } from '../../../core/encoder';
import {
  CHUNK_REQUEST,
  type ChunkPlan,
  type ChunkRequest,
  chunksOf,
  planChunks,
} from '../../../export/chunks';
import { expressionTable, type FormOfNulls, passingEntries } from '../../../export/expressions';
import { columnNames, type Table, type TablePart } from '../../../export/table';
import type { Encode } from './encode-in-order';
import { type ExportFormat, FORMATS, formatNamed, isExportFormat } from './formats';

export interface ExportRequest extends ChunkRequest, TreeExpressions {
  format: ExportFormat;
  /** Expressions instead of branches, separated by colons. One with several values in an entry becomes a list. */
  columns?: string | undefined;
  /**
   * Name or address of the file that is read. Its last part is kept in Arrow and Parquet files, beside the
   * name and the title of the tree.
   */
  fileName?: string | undefined;
  /** How a Parquet file is compressed. Default: zstd. */
  compression?: Compression | undefined;
}

/** The rules of the members of a request; formats, entries and seeds are checked where they are used. */
const EXPORT_REQUEST: Rules<ExportRequest> = {
  ...CHUNK_REQUEST,
  format: ANY,
  columns: TEXT,
  cut: TEXT,
  friends: listOf(OBJECT),
  rootVersion: ANY,
  fileName: TEXT,
  compression: ANY,
  seed: ANY,
};

/**
 * Writes a selection of a tree's branches and entries in another format, and yields the file in parts. The tree
 * is read chunk by chunk while the caller takes the parts, so that the file may be larger than memory. The code of
 * a format is loaded when it is first used. Throws UNSUPPORTED when the format cannot hold a branch, and the
 * errors of reading; the parts before an error are not a complete file.
 */
export async function* exportTree(
  reader: EngineApi,
  file: FileId,
  request: ExportRequest,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  checkOptions('exportTree', request, EXPORT_REQUEST);
  checkOptions('exportTree', options, CALL);
  if (!isExportFormat(request.format)) {
    throw argumentError(
      `There is no format "${request.format}".`,
      `Choose one of ${Object.keys(FORMATS).join(', ')}.`,
    );
  }
  const { compression } = request;
  if (compression !== undefined) checkCompression(compression, request.format);
  const { nulls = 'own' } = formatNamed(request.format);
  const countRows = nulls === 'none';
  const table = await tableOfRequest(reader, file, request, { countRows, nulls }, options);
  const info = await reader.tree(file, request.tree, { signal: options.signal });
  const named = { ...table, metadata: metadataOf(info, request.fileName) };
  const encode: Encode = (task, call) => reader.encode(task, call);
  yield* await WRITERS[request.format](named, { encode, options, compression: compression ?? 'zstd' });
}

function checkCompression(compression: Compression, format: ExportFormat): void {
  if (format !== 'parquet') {
    throw argumentError('Only Parquet files are compressed.', 'Leave the compression out, or write Parquet.');
  }
  if (COMPRESSIONS.includes(compression)) return;
  throw argumentError(
    `There is no compression "${compression}".`,
    `Choose one of ${COMPRESSIONS.join(', ')}.`,
  );
}

/** The table of a request; `countRows`: its number of rows has to be known first, also with expressions and a cut. */
export async function tableOfRequest(
  reader: EngineApi,
  file: FileId,
  request: Omit<ExportRequest, 'format'>,
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

/** The name and title of the tree and the name of its file: of an address without folders and query. */
function metadataOf({ name, title }: TreeInfo, fileName: string | undefined): Map<string, string> {
  const metadata = new Map([
    ['root.tree.name', name],
    ['root.tree.title', title],
  ]);
  const isAddress = fileName !== undefined && /^[a-z]+:\/\//i.test(fileName);
  const short = (isAddress ? fileName.replace(/[?#].*$/s, '') : fileName)?.split(/[/\\]/).pop();
  if (short) metadata.set('root.file', short);
  return metadata;
}

/** How a format is written. */
interface How {
  encode: Encode;
  options: CallOptions;
  compression: Compression;
}

/** The code of a format is loaded when it is first used. */
const WRITERS: Record<ExportFormat, (table: Table, how: How) => Promise<AsyncIterable<Uint8Array>>> = {
  csv: async (table, how) => (await textTables()).separatedValues(table, ',', how.encode, how.options),
  tsv: async (table, how) => (await textTables()).separatedValues(table, '\t', how.encode, how.options),
  jsonl: async (table, how) => (await textTables()).jsonLines(table, how.encode, how.options),
  arrow: async (table) => (await import('./arrow')).arrowTable(table, 'file'),
  arrows: async (table) => (await import('./arrow')).arrowTable(table, 'stream'),
  parquet: async (table, { encode, compression, options }) =>
    (await import('./parquet')).parquet(table, encode, compression, options),
  npy: async (table) => (await import('./npy')).npy(table),
  npz: async (table) => (await import('./npy')).npz(table),
};

const textTables = () => import('./text-tables');

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
      // Without rows there are still columns, with their types.
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
  return { names: columnNames(plan.branches), rows: plan.rows, parts };
}
