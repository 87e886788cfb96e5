import type { BranchInfo, CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { TableRequest } from '../../../../api/export';
import type { Column } from '../../../../core/columns';
import { planChunks } from '../../../../export/chunks';
import type { Documented } from '../../../../model/documentation';

/** Changes a text to a name that leaf lists and expressions can use. */
export function branchName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^\.|\.$/g, '');
  return name === '' ? '_' : name;
}

/** Changes a text to a name that fields of RNTuples and expressions can use. */
export function fieldName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_-]/gu, '_') || '_';
}

/** Changes the names of members of structures to names of fields. */
export function withFieldNames(column: Column): Column {
  switch (column.kind) {
    case 'struct':
      return {
        ...column,
        names: unique(column.names.map(fieldName)),
        children: column.children.map(withFieldNames),
      };
    case 'list':
    case 'fixed':
    case 'optional':
      return { ...column, child: withFieldNames(column.child) };
    default:
      return column;
  }
}

/** Returns the documentation of columns by their new names. */
export function titlesOf(
  names: readonly string[],
  about: readonly Documented[] = [],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name, i) => {
      const title = about[i]?.documentation;
      return title === undefined ? [] : [[name, title]];
    }),
  );
}

/** Adds numbers to names that occur more than once. */
export function unique(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; seen.has(own) || (own !== name && taken.has(own)); count++) own = `${name}_${count}`;
    seen.add(own);
    return own;
  });
}

/**
 * Returns distinct names for the columns of a request, made from their titles. Branches get the last part of their
 * name. `branches` is undefined for expressions.
 */
export async function columnNames(
  reader: EngineApi,
  file: FileInfo,
  request: TableRequest,
  titles: readonly string[],
  nameOf: (text: string) => string,
  { signal }: CallOptions,
): Promise<{ names: string[]; branches: readonly BranchInfo[] | undefined }> {
  if (request.columns !== undefined) return { names: unique(titles.map(nameOf)), branches: undefined };
  const { branches } = await planChunks(reader, file.id, request, { signal });
  const names = branches.map(({ name }) => nameOf(name.replace(/\[[^[\]]*\]$/, '')));
  return { names: unique(names), branches };
}
