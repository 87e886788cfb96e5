import type { CallOptions, FileId, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { ExportFormat, ExportRequest } from '../../../api/export';
import { argumentError } from '../../../base/errors';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, listOf, OBJECT, TEXT } from '../../../base/shape';
import { COMPRESSIONS, type Compression } from '../../../core/encoder';
import { CHUNK_REQUEST } from '../../../export/chunks';
import { FORMATS, formatNamed, isExportFormat } from '../../../export/formats';
import type { Table } from '../../../export/table';
import { tableOfRequest } from '../../../export/table-request';
import type { Encode } from './encode-in-order';

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

/** Writes a table in a format: see exportTree. */
export async function* exportTable(
  table: Table,
  format: ExportFormat,
  { encode, options = {}, compression = 'zstd' }: Pick<How, 'encode'> & Partial<How>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await WRITERS[format](table, { encode, options, compression });
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
