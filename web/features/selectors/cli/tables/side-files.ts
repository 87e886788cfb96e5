import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Gathered } from '../../../../api/selector';
import { ioError } from '../../../../base/io-error';
import type { Context } from '../../../../cli/context';
import { fileSink } from '../../../../sinks/node-file-sink';
import { isOf } from '../../work/kinds/kinds';
import { blocksOf, countRows } from '../../work/kinds/rows';
import type { SideRows, TableValues } from '../../work/rows/types';
import { fileNames } from '../file-names';
import { hashOfFile } from '../selector-code';
import { valuesOf } from './read-rows';
import type { TableRows } from './row-reader';
import { putRows, withRows } from './write-rows';

/** Values of a table of a file, up to which it is in the text of the partial result. */
const FEW_VALUES = 1000;

/** Where partial results and their files are. */
interface Places {
  /** The partial result. */
  out: string;
  /** The folder for its files. Default: "tables" beside it. */
  folder: string | undefined;
  /** A folder for temporary files. */
  spool: string;
}

/**
 * Returns what puts the rows of an input into a ROOT file beside the partial result, or into memory if they are few. The file has
 * the same bytes for the same rows, and its name has the start of their hash. Its functions throw IO.
 */
export function sideWriter(
  { out, folder: given, spool }: Places,
  context: Context,
): (name: string, one: Gathered) => Promise<Gathered> {
  // With a folder of its own, as tasks on many machines have, files are named by whole paths.
  const base = out === '-' || given !== undefined ? undefined : dirname(resolve(out));
  const folder = resolve(given ?? join(base ?? '', 'tables'));
  let begun: Promise<unknown> | undefined;
  const keep = async (name: string, one: Gathered): Promise<Gathered> => {
    if (isOf('varied', one)) {
      const of = new Map<string, Gathered>();
      for (const [variation, part] of one.of) of.set(variation, await keep(`${name}_${variation}`, part));
      return { ...one, of } as Gathered;
    }
    if (!isOf('table', one)) return one;
    const [part] = one.parts;
    const rows = countRows(one);
    if (!part || rows === 0) return one;
    const table = { columns: one.columns, blocks: blocksOf(one) };
    if (rows * one.columns.length <= FEW_VALUES) {
      const blocks = await readAll(table, context);
      return { ...one, parts: [{ ...part, blocks }] } as Gathered;
    }
    begun ??= Promise.all([makeFolder(folder), makeFolder(spool)]);
    await begun;
    const { path, hash, bytes } = await writeSide(name, table, { folder, spool }, context);
    // A result on stdout may be kept anywhere.
    const side: SideRows = {
      ...{ kind: 'side', hash, bytes, rows },
      ...(base === undefined ? { name: path, folder: '' } : { name: relative(base, path), folder: base }),
    };
    return { ...one, parts: [{ ...part, blocks: [side] }] } as Gathered;
  };
  return keep;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (thrown) {
    throw ioError(`The folder "${path}" cannot be made`, thrown, path);
  }
}

async function readAll(table: TableRows, context: Context): Promise<TableValues[][]> {
  return withRows(table, context, async (rows) => {
    const part = await rows.take(FEW_VALUES);
    return part ? [part.columns.map(valuesOf)] : [];
  });
}

/** Writes rows as the only tree of a ROOT file that is named by its hash. */
async function writeSide(
  name: string,
  table: TableRows,
  { folder, spool }: { folder: string; spool: string },
  context: Context,
): Promise<{ path: string; hash: string; bytes: number }> {
  const { writeRoot } = await import('../../../../node');
  const beside = join(spool, `${crypto.randomUUID()}.root`);
  const [plain = ''] = fileNames([name.replaceAll('/', '_')]);
  // Names that expressions of ROOT cannot hold are numbered. The partial result has them.
  const isPlain = table.columns.every(({ name: column }) => /^[A-Za-z_]\w*$/.test(column));
  const columns = table.columns.map(({ name: column, type }, i) => ({
    name: isPlain ? column : `column${i + 1}`,
    type,
  }));
  const tree = /^\w+$/.test(plain) ? plain : 'rows';
  await withRows(table, context, async (rows) => {
    // Equal rows give equal bytes.
    const how = {
      name: `${plain}.root`,
      codec: 'zstd:1',
      reproducible: true,
      reader: await context.reader(),
    };
    await writeRoot(fileSink(beside), (file) => putRows(file, tree, { ...table, columns }, rows), how);
  });
  const hash = await hashOfFile(beside);
  const path = join(folder, `${plain}-${hash.slice(0, 16)}.root`);
  try {
    const { size } = await stat(beside);
    // A file of this name has these rows, or is damaged.
    await rename(beside, path);
    return { path, hash, bytes: size };
  } catch (thrown) {
    throw ioError(`"${path}" cannot be written`, thrown, path);
  }
}
