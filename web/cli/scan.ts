import { floatText } from '../export/canonical';
import type { EntrySelection, Table, TableValue } from '../file/api';
import { isRange } from '../file/entry-choice';
import {
  chosenEntries,
  commonHelp,
  commonOptions,
  entryHelp,
  entryOptions,
  parseCommand,
  parseWhole,
} from './arguments';
import { type Command, progressLine, tellPartial, withFile } from './context';
import { friendHelp, friendOptions, withFriends } from './friends';
import { tableLines } from './table';

const help = `Usage: xylem scan FILE TREE 'A:B:C' [CUT] [--friend FILE] [--entries A:B | --sample P%]
                  [--limit N] [--json]

Prints expressions entry by entry, as TTree::Scan does, for the entries that pass the cut. What has several
values in an entry is shown as a list. Reading stops when there are enough lines.

${entryHelp}
${friendHelp}
  --limit N          at most N entries; default 25
${commonHelp}

JSON, one line an entry: {"entry", "values": […]}.`;

const options = {
  ...commonOptions,
  ...entryOptions,
  ...friendOptions,
  limit: { type: 'string' },
} as const;

export const scan: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [3, 4]);
    const [file = '', path = '', columns = '', cut] = positionals;
    const limit = parseWhole(given.limit ?? '25', '--limit', 1, 10_000_000);
    return await withFile(file, given, context, async ({ reader, info }) => {
      const tree = await reader.tree(info.id, path);
      const entries = await chosenEntries(given, tree.entries);
      const progress = progressLine(context);
      const table = await withFriends(reader, path, given, (friends) => {
        const request = { tree: path, columns, cut, entries, limit, friends };
        return reader.table(info.id, request, { onProgress: progress.show });
      });
      await progress.wipe();
      const { out, err } = context;
      if (given.json) {
        for (const [row, entry] of table.entries.entries()) {
          const cells = table.values.map((values) => cellJson(values[row] ?? 0));
          out.line(`{"entry": ${entry}, "values": [${cells.join(', ')}]}`);
          await out.drain();
        }
      } else {
        for (const line of textTable(table)) out.line(line);
        await out.flush();
        if (table.next !== undefined) err.line(moreText(table.next, entries));
      }
      return tellPartial(table.partial, 'baskets', context);
    });
  },
};

/** How to go on behind what was shown. */
function moreText(next: number, entries: EntrySelection | undefined): string {
  if (entries !== undefined && !isRange(entries)) return 'more: raise --limit';
  return `more: --entries ${next}:${entries?.[1] ?? ''}`;
}

function textTable(table: Table): string[] {
  const columns = [
    { title: 'entry', align: 'right' as const },
    ...table.columns.map(({ title, kind, list }) => ({
      title,
      align: kind === 'string' || list ? ('left' as const) : ('right' as const),
    })),
  ];
  const rows = Array.from(table.entries, (entry, row) => [
    String(entry),
    ...table.values.map((values) => cellText(values[row] ?? '')),
  ]);
  return tableLines(columns, rows);
}

/** Seven digits are what a float has. */
function cellText(value: TableValue | TableValue[]): string {
  if (Array.isArray(value)) return `[${value.map(cellText).join(', ')}]`;
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
}

function cellJson(value: TableValue | TableValue[]): string {
  if (Array.isArray(value)) return `[${value.map(cellJson).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? floatText(value) : String(value);
}
