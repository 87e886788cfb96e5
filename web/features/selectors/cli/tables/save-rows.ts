import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { argumentError, XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { ioError } from '../../../../base/io-error';
import { ownProcess } from '../../../../cache/node-plain';
import { parseWhole } from '../../../../cli/arguments';
import { type Context, refuseTerminal } from '../../../../cli/context';
import { giveName, saveFile } from '../../../../sinks/node-save-file';
import { unfinished } from '../../../../sinks/node-unfinished';
import type { RowReader, TableRows } from './row-reader';
import { type RowsFormat, rowsAs, withRows } from './write-rows';

/** Rows of a file of a data set without --rows. */
const ROWS = 10_000_000;

/** The options that say where tables go. */
export interface RowsGiven {
  force?: boolean | undefined;
  rows?: string | undefined;
  partial?: string | undefined;
}

/** Returns the number of rows in each file of a data set; undefined if `target` is one file. Throws UsageError. */
export function rowsOfFiles(target: string, given: RowsGiven): number | undefined {
  if (given.rows !== undefined) return parseWhole(given.rows, '--rows', 1, Number.MAX_SAFE_INTEGER);
  return target.endsWith('/') ? ROWS : undefined;
}

/** Writes the rows of a table to a file, to stdout, or to a folder as several files. */
export async function saveRows(
  target: string,
  format: RowsFormat,
  name: string,
  table: TableRows,
  given: RowsGiven,
  context: Context,
): Promise<void> {
  const reader = await context.reader();
  const most = rowsOfFiles(target, given);
  await withRows(table, context, async (rows) => {
    if (most !== undefined) {
      await saveDataSet(
        target,
        format,
        given,
        async (folder, stem) => {
          const files: string[] = [];
          await eachFile(rows, async (number) => {
            const file = `${stem}-${String(number).padStart(4, '0')}.${format}`;
            await saveFile(join(folder, file), async (write) => {
              for await (const chunk of rowsAs(format, name, table, rows, { reader, most }))
                await write(chunk);
            });
            files.push(file);
          });
          return files;
        },
        context,
      );
      return;
    }
    const chunks = rowsAs(format, name, table, rows, { reader });
    if (target === '-') {
      if (format !== 'csv') refuseTerminal(context.out);
      for await (const chunk of chunks) await context.out.write(chunk);
      return;
    }
    const replaces = format === 'csv' ? undefined : given.force ? 'all' : 'nothing';
    await saveFile(
      target,
      async (write) => {
        for await (const chunk of chunks) await write(chunk);
      },
      { replaces },
    );
    if (format === 'csv') context.err.line(`written: ${target}`);
  });
}

/** Calls `write` for each file that rows are left for, and once for a table without rows. */
export async function eachFile(rows: RowReader, write: (number: number) => Promise<void>): Promise<void> {
  for (let number = 1; number === 1 || (await rows.hasMore()); number++) await write(number);
}

/**
 * Writes files to a folder. They get their names when all of them are complete. With a partial result they are named after it, so
 * that several tasks can write to one folder. `write` returns the names of what it wrote to a temporary folder.
 */
export async function saveDataSet(
  target: string,
  format: string,
  { force, partial }: RowsGiven,
  write: (folder: string, stem: string) => Promise<string[]>,
  { err }: Pick<Context, 'err'>,
): Promise<void> {
  if (target === '-' || target === '')
    throw argumentError('Files of --rows N go to a folder.', 'Name a folder: --parquet out/.');
  const folder = resolve(target);
  const isTask = partial !== undefined && partial !== '-';
  const stem = isTask ? basename(partial).replace(/\.[^.]*$/, '') : 'part';
  const failed = `The folder "${folder}" cannot be written`;
  const isOwn = (name: string): boolean =>
    name.endsWith(`.${format}`) && (!isTask || name.startsWith(`${stem}-`));
  const before = (
    await readdir(folder).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return [];
      throw ioError(failed, thrown, folder);
    })
  ).filter(isOwn);
  if (before.length > 0 && !force) {
    throw argumentError(
      `"${target}" has ${formatCount(before.length)} file${before.length === 1 ? '' : 's'} of a data set already, such as ${before[0]}.`,
      'Give --force to replace them, or name another folder.',
      { path: folder },
    );
  }
  const beside = join(
    dirname(folder),
    `.${basename(folder).slice(0, 50)}.${ownProcess()}.${crypto.randomUUID().slice(-12)}.unfinished`,
  );
  await unfinished.add(beside);
  try {
    await mkdir(beside, { recursive: true });
    const names = await write(beside, stem);
    await mkdir(folder, { recursive: true });
    for (const name of before) await rm(join(folder, name));
    for (const name of names) await giveName(join(beside, name), join(folder, name));
    err.line(`written: ${formatCount(names.length)} file${names.length === 1 ? '' : 's'} in ${target}`);
  } catch (thrown) {
    if (thrown instanceof XylemError) throw thrown;
    throw ioError(failed, thrown, folder);
  } finally {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    unfinished.drop(beside);
  }
}
