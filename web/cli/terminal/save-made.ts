import { basename } from 'node:path';
import type { Histogram } from '../../api/api';
import type { GatheredState, GatheredTable } from '../../api/selector';
import { floatText } from '../../export/canonical';
import { tableOf } from '../../measure/gathered';
import { saveFile } from '../../write/file/node-save-file';
import { memorySink } from '../../write/file/sink';
import { type Context, refuseTerminal } from '../context';

/** Writes a ROOT file with all histograms, and a tree for each table, to a file or, with "-", to stdout. */
export async function saveMade(
  target: string,
  state: GatheredState,
  results: Readonly<Record<string, unknown>>,
  { force }: { force?: boolean | undefined },
  { out, reader }: Pick<Context, 'out' | 'reader'>,
): Promise<void> {
  if (target === '-') refuseTerminal(out);
  const { writeRoot } = await import('../../node');
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      for (const [name, one] of Object.entries(state)) {
        if (one.kind === 'histogram') await file.histogram(name, results[name] as Histogram);
        if (one.kind !== 'table') continue;
        const types = { number: 'f64', whole: 'i64', text: 'string' } as const;
        const given = Object.fromEntries(one.columns.map((column) => [column.name, types[column.type]]));
        const tree = await file.tree(name, { types: given });
        await tree.append(tableOf(one));
      }
    },
    { name: target === '-' ? undefined : basename(target), reader: await reader() },
  );
  if (target === '-') await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}

/** The rows of a table as CSV. */
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
