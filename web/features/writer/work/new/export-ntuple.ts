import type { CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { RootExportRequest } from '../../../../api/write';
import { toXylemError, type XylemError } from '../../../../base/errors';
import type { Column } from '../../../../core/columns';
import { tableOfRequest } from '../../../../export/table-request';
import { columnNames, fieldName, titlesOf, withFieldNames } from './column-names';
import { fieldOf } from './field-form';
import type { NewFile } from './new-file';
import type { NewNtuple } from './new-ntuple';

/**
 * Writes a part of a tree, or expressions, as an RNTuple of a new file. `leaveOut` is called with the title of each
 * column that no field can store; without it such a column is UNSUPPORTED. If no column can be stored, nothing is
 * written and the result is undefined. Throws the errors of reading and of the sink.
 */
export async function exportNtuple(
  out: NewFile,
  reader: EngineApi,
  file: FileInfo,
  request: RootExportRequest,
  { path, title }: { path: string; title: string },
  call: CallOptions,
  leaveOut?: (title: string, why: XylemError) => void,
): Promise<NewNtuple | undefined> {
  const table = await tableOfRequest(reader, file.id, request, { countRows: false, nulls: 'own' }, call);
  const { names } = await columnNames(reader, file, request, table.names, fieldName, call);
  let ntuple: NewNtuple | undefined;
  let left: ReadonlySet<string> | undefined;
  for await (const { columns } of table.parts()) {
    const named = columns.map((column, i) => {
      return { name: names[i] ?? '', title: table.names[i] ?? '', column: withFieldNames(column) };
    });
    left ??= leaveOut ? refusedOf(named, leaveOut) : new Set();
    const fields = named.filter(({ name }) => !left?.has(name)).map(({ name, column }) => [name, column]);
    if (named.length > 0 && fields.length === 0) return undefined;
    ntuple ??= await out.ntuple(path, { title, titles: titlesOf(names, table.about) });
    if (fields.length > 0) await ntuple.append(Object.fromEntries(fields));
  }
  return ntuple ?? out.ntuple(path, { title });
}

/** Returns the names of the columns that no field can store. */
function refusedOf(
  columns: readonly { name: string; title: string; column: Column }[],
  leaveOut: (title: string, why: XylemError) => void,
): ReadonlySet<string> {
  const refused = new Set<string>();
  for (const { name, title, column } of columns) {
    try {
      fieldOf(name, column);
    } catch (thrown) {
      const why = toXylemError(thrown);
      if (why.code !== 'UNSUPPORTED') throw why;
      leaveOut(title, why);
      refused.add(name);
    }
  }
  return refused;
}
