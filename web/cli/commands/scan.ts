import type { EntrySelection, ScanRequest, Table, TableValue } from '../../api/api';
import { numberJson } from '../../base/json';
import { isRange } from '../../model/entry-choice';
import { chosenEntries, parseWhole, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, progressLine, tellPartial, withFile } from '../context';
import { friendOptions, languageOptions, openFriends, rulesOf, seedOf } from '../expressions';
import { CHAIN_TEXT, commonOptions, entryOptions, valued } from '../options';
import { right, tableLines } from '../terminal/table';
import { withTree } from '../trees';

export const scan = command({
  usage: ['FILE [TREE] A:B:C [CUT]'],
  about: `Prints expressions as TTree::Scan does: a line for each instance of an entry, with its number where anything loops
over an array. A column that has no value there is empty. Where CUT loops over an array, all columns run over its
instances, up to the shortest, and only those for which it is true are printed; else it selects entries. Reading stops
when there are enough lines.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events nMuon:Muon_pt:Muon_eta --limit 5', 'a table of three columns'],
    ["sample.root Events Dimuon_mass 'Dimuon_mass>120'", 'the entries that pass a cut'],
  ],
  options: {
    ...entryOptions,
    ...friendOptions,
    ...languageOptions,
    by: valued(
      'WHAT',
      '"instance", the default, or "entry": a line for each entry for which CUT is true anywhere; what has several ' +
        'values is a list',
      { choices: ['instance', 'entry'] },
    ),
    limit: valued('N', 'at most N lines; default 25'),
    ...commonOptions,
  },
  json: `one line each: {"entry", "instance", "values": […]}; "instance" where anything loops, null for no value.`,
  async run(given, [file = '', ...words], context) {
    const rootVersion = rulesOf(given);
    const by: ScanRequest['by'] = given.by === 'entry' ? 'entry' : 'instance';
    const limit = parseWhole(given.limit ?? '25', '--limit', 1, 10_000_000);
    return await withFile(file, given, context, (open) =>
      withTree(open, words, 'A:B:C', async ({ path, rest: [columns = '', cut, extra] }) => {
        if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
        const { info: tree } = await open.tree(path);
        const entries = await chosenEntries(given, tree.entries);
        const progress = progressLine(context);
        const friends = await openFriends(open, path, given, context);
        const seed = seedOf(given);
        const request = { tree: path, columns, cut, entries, limit, by, friends, rootVersion, seed };
        const table = await open.reader.scan(open.info.id, request, { onProgress: progress.show });
        await progress.wipe();
        await show(table, entries, given.json === true, context);
        return tellPartial(table.partial, 'baskets', context);
      }),
    );
  },
});

async function show(
  table: Table,
  entries: EntrySelection | undefined,
  json: boolean,
  { out, err }: Context,
): Promise<void> {
  if (json) {
    for (const [row, entry] of table.entries.entries()) {
      const cells = table.values.map((values) => cellJson(values[row] ?? null));
      const instance = table.instances ? `"instance": ${table.instances[row]}, ` : '';
      out.line(`{"entry": ${entry}, ${instance}"values": [${cells.join(', ')}]}`);
      await out.drain();
    }
    return;
  }
  for (const line of textTable(table)) out.line(line);
  await out.flush();
  if (table.next !== undefined) err.line(moreText(table, entries));
}

/** How to continue after the rows that were shown. */
function moreText({ next, entries: shown }: Table, entries: EntrySelection | undefined): string {
  if (next === shown[shown.length - 1]) return `more instances of entry ${next}: raise --limit`;
  if (entries !== undefined && !isRange(entries)) return 'more: raise --limit';
  return `more: --entries ${next}:${entries?.[1] ?? ''}`;
}

function textTable(table: Table): string[] {
  const { instances } = table;
  const columns = [
    right('entry'),
    ...(instances ? [right('instance')] : []),
    ...table.columns.map(({ title, kind, list }) => (kind === 'string' || list ? title : right(title))),
  ];
  const rows = Array.from(table.entries, (entry, row) => [
    String(entry),
    ...(instances ? [String(instances[row])] : []),
    ...table.values.map((values) => cellText(values[row] ?? '')),
  ]);
  return tableLines(columns, rows);
}

/** Seven digits are the precision of a float. */
function cellText(value: TableValue | TableValue[]): string {
  if (Array.isArray(value)) return `[${value.map(cellText).join(', ')}]`;
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
}

function cellJson(value: TableValue | TableValue[] | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(cellJson).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  return numberJson(value);
}
