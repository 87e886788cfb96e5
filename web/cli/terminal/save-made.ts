import { basename } from 'node:path';
import type { GatheredState, GatheredTable } from '../../api/selector';
import { floatText } from '../../export/canonical';
import type { RootWriter } from '../../library/write-root';
import { histogramOf, tableOf } from '../../measure/gathered';
import type { ScaledSample } from '../../measure/partial/samples';
import { saveFile } from '../../write/file/node-save-file';
import { memorySink } from '../../write/file/sink';
import { type Context, refuseTerminal } from '../context';

/**
 * Writes a ROOT file with all histograms, and a tree for each table, to a file or, with "-", to stdout; those of a sample into
 * a directory "samples/NAME".
 */
export async function saveMade(
  target: string,
  state: GatheredState,
  entries: number,
  samples: readonly ScaledSample[] | undefined,
  { force }: { force?: boolean | undefined },
  { out, reader }: Pick<Context, 'out' | 'reader'>,
): Promise<void> {
  if (target === '-') refuseTerminal(out);
  const { writeRoot } = await import('../../node');
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      await put(file, '', { state, entries });
      for (const one of samples ?? []) await put(file, `samples/${one.sample.name}/`, one);
    },
    { name: target === '-' ? undefined : basename(target), reader: await reader() },
  );
  if (target === '-') await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}

/** Writes the rows of a table in a format of "xylem export", from a ROOT file that is kept in memory alone. */
export async function saveRows(
  target: string,
  format: 'parquet' | 'arrow',
  [name, table]: [name: string, table: GatheredTable],
  { force }: { force?: boolean | undefined },
  context: Context,
): Promise<void> {
  if (target === '-') refuseTerminal(context.out);
  const [{ writeRoot }, { exportTree }] = await Promise.all([
    import('../../node'),
    import('../../export/export-tree'),
  ]);
  const sink = memorySink();
  const state = { [name]: table };
  await writeRoot(sink, (file) => put(file, '', { state, entries: 0 }), {
    name: `${name}.root`,
    codec: 'none',
    reader: await context.reader(),
  });
  const open = await context.open({
    kind: 'buffer',
    buffer: new Uint8Array(sink.bytes()).buffer,
    name: `${name}.root`,
  });
  try {
    const branches = table.columns.map((_, i) => i);
    const chunks = exportTree(open.reader, open.info.id, { tree: name, branches, format });
    if (target === '-') for await (const chunk of chunks) await context.out.write(chunk);
    else {
      const save = async (write: (bytes: Uint8Array) => Promise<void>): Promise<void> => {
        for await (const chunk of chunks) await write(chunk);
      };
      await saveFile(target, save, { replaces: force ? 'all' : 'nothing' });
    }
  } finally {
    await open.close();
  }
}

async function put(
  file: RootWriter,
  folder: string,
  { state, entries }: { state: GatheredState; entries: number },
): Promise<void> {
  for (const [name, one] of Object.entries(state)) {
    const path = folder + name;
    if (one.kind === 'histogram') await file.histogram(path, histogramOf(name, one, entries));
    if (one.kind !== 'table') continue;
    const types = { number: 'f64', whole: 'i64', unsigned: 'u64', text: 'string' } as const;
    const given = Object.fromEntries(one.columns.map((column) => [column.name, types[column.type]]));
    const tree = await file.tree(path, { types: given });
    await tree.append(tableOf(one));
  }
}

export function tableCsv(table: GatheredTable): string {
  const columns = Object.entries(tableOf(table));
  const lines = [columns.map(([name]) => quoted(name)).join(',')];
  const rows = columns[0]?.[1].length ?? 0;
  for (let i = 0; i < rows; i++) lines.push(columns.map(([, values]) => cellText(values[i])).join(','));
  return lines.join('\n');
}

function cellText(value: number | bigint | string | undefined): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' ? floatText(value).replaceAll('"', '') : String(value);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
