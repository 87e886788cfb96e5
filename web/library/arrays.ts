import type { BranchInfo, CallOptions, EntrySelection } from '../api/api';
import { argumentError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { checkChunkBytes } from '../engine/arguments';
import { readChunks } from '../export/chunks';
import { concatColumns } from '../pass/columns/concat';
import { findNames, type Names, type Wanted } from './names';
import { ARRAYS, CHUNKS } from './options';
import { Rows } from './rows';
import type { ChunkOptions, ExpressionOptions, TreePlace } from './tree-handle';

type Named = Record<string, Rows>;

/** The whole columns of names: branches as they are stored, expressions computed. */
export async function readArrays(
  place: TreePlace,
  names: Names | undefined,
  options: ExpressionOptions = {},
): Promise<Named> {
  place.check('arrays', options, ARRAYS);
  const wanted = findNames(place.info, names, hasFriends(place));
  const entries = await chosenEntries(place, options);
  const branches = branchesOf(wanted);
  const { reader, file, tree } = place;
  const request = { tree, branches: branches.map(({ index }) => index), entries };
  const results = branches.length > 0 ? await reader.arrays(file, request, callOf(options)) : [];
  const columns = new Map<number, Column>();
  for (const { branch, column, missing, error } of results) {
    if (column === undefined || missing) throw unread(branch, error ?? missing);
    columns.set(branch.index, column);
  }
  return named(wanted, columns, await expressionColumns(place, wanted, entries, options));
}

/** The same, chunk by chunk. Leaving the loop ends the reading. */
export async function* readChunkArrays(
  place: TreePlace,
  names: Names | undefined,
  options: ChunkOptions = {},
): AsyncGenerator<Named, void, undefined> {
  place.check('chunks', options, CHUNKS);
  if (options.chunkBytes !== undefined) checkChunkBytes(options.chunkBytes, 'chunkBytes');
  const wanted = findNames(place.info, names, hasFriends(place));
  const entries = await chosenEntries(place, options);
  const branches = branchesOf(wanted);
  if (branches.length === 0) {
    for await (const columns of expressionParts(place, wanted, entries, options)) {
      if ((columns[0]?.length ?? 0) > 0) yield named(wanted, new Map(), columns);
    }
    return;
  }
  const { reader, file, tree } = place;
  const request = {
    tree,
    branches: branches.map(({ index }) => index),
    entries,
    chunkBytes: options.chunkBytes,
  };
  for await (const chunk of readChunks(reader, file, request, callOf(options))) {
    const columns = new Map(chunk.columns.map(({ branch, column }) => [branch.index, column]));
    const whole = chunk.entries[1] - chunk.entries[0] === chunk.rows;
    const here = whole ? chunk.entries : chunk.numbers();
    yield named(wanted, columns, await expressionColumns(place, wanted, here, options));
  }
}

function hasFriends({ info, friends }: TreePlace): boolean {
  return (friends?.length ?? 0) > 0 || (info.friends?.length ?? 0) > 0;
}

function branchesOf(wanted: readonly Wanted[]): BranchInfo[] {
  return [...new Set(wanted.flatMap((one) => ('branch' in one ? [one.branch] : [])))];
}

function expressionsOf(wanted: readonly Wanted[]): string[] {
  return wanted.flatMap((one) => ('expression' in one ? [one.expression] : []));
}

function callOf({ signal, onProgress }: CallOptions): CallOptions {
  return { signal, onProgress };
}

/** The chosen entries; with a cut, the numbers of those that pass. */
async function chosenEntries(
  { reader, file, tree, friends }: TreePlace,
  { entries, cut, rootVersion, seed, signal }: ExpressionOptions,
): Promise<EntrySelection | undefined> {
  if (cut === undefined || cut.trim() === '') return entries;
  const { passingEntries } = await import('../export/expressions');
  const request = { tree, cut, entries, rootVersion, seed, ...(friends && { friends }) };
  return passingEntries(reader, file, request, { signal });
}

function named(
  wanted: readonly Wanted[],
  branches: ReadonlyMap<number, Column>,
  expressions: readonly Column[],
): Named {
  let next = 0;
  const columns = wanted.map((one) =>
    'branch' in one ? branches.get(one.branch.index) : expressions[next++],
  );
  const rows = columns.find((column) => column !== undefined)?.length;
  if (columns.some((column) => column?.length !== rows)) {
    throw new XylemError({ code: 'INTERNAL', message: 'The columns have different numbers of rows.' });
  }
  return Object.fromEntries(wanted.map(({ name }, i) => [name, new Rows(columns[i] as Column)]));
}

/** One column for each expression, over all of the entries. */
async function expressionColumns(
  place: TreePlace,
  wanted: readonly Wanted[],
  entries: EntrySelection | undefined,
  options: ExpressionOptions,
): Promise<Column[]> {
  const parts: Column[][] = [];
  if (expressionsOf(wanted).length === 0) return [];
  for await (const columns of expressionParts(place, wanted, entries, options)) parts.push(columns);
  return expressionsOf(wanted).map((_, i) => concatColumns(parts.map((columns) => columns[i] as Column)));
}

/** The columns of expressions, some entries at a time. */
async function* expressionParts(
  { reader, file, tree, info, friends }: TreePlace,
  wanted: readonly Wanted[],
  entries: EntrySelection | undefined,
  options: ExpressionOptions,
): AsyncGenerator<Column[], void, undefined> {
  const expressions = expressionsOf(wanted);
  const { expressionTable } = await import('../export/expressions');
  const { rootVersion, seed } = options;
  const request = {
    tree,
    columns: expressions.join(':'),
    entries,
    rootVersion,
    seed,
    ...(friends && { friends }),
  };
  const table = await expressionTable(
    reader,
    file,
    info,
    { ...request, countRows: false, nulls: 'own' },
    callOf(options),
  );
  if (table.names.length !== expressions.length) {
    throw argumentError(
      `${expressions.length} expressions were given, but there are ${table.names.length} with colons between them.`,
      'Give each expression as a name of its own.',
    );
  }
  for await (const { columns } of table.parts()) yield columns;
}

function unread(
  branch: BranchInfo,
  error: ConstructorParameters<typeof XylemError>[0] | undefined,
): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: `${branch.path} could not be read.`,
    ...error,
    cause: undefined,
  });
}
