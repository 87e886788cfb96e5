import type { EntryRange } from '../../../api/api';
import { optional, whole } from '../../../base/shape';
import { parseEntries } from '../../../cli/arguments';
import type { OpenFile } from '../../../cli/context';
import { rowWriter } from '../../../export/canonical';
import type { TreeHandle } from '../../../library/tree-handle';
import { type ReadCost, readCost } from '../../../reads/read-cost';
import { branchesRead } from '../../../verbs/branches-cost';
import { COLUMNS, CUT, ENTRIES, TREE } from '../../../verbs/params';
import { treeOf } from '../../../verbs/trees';
import { missing } from './contents';
import { checkCost } from './cost';
import { ofFile } from './schema';
import { type Call, checkAnswer, filesOf, type Input, listOf, type Tool, textOf } from './tool';

/** Rows when no number is given, and the most of them. */
const [ROWS, MOST_ROWS] = [20, 1000];
/** Number of entries that are searched first for those that pass a cut. The number doubles in each further step. */
const FIRST_ENTRIES = 10_000;

export const values: Tool = {
  name: 'values',
  title: 'Values of entries',
  description: `Values of branches and expressions, entry by entry: at most ${MOST_ROWS} entries. Of many entries use draw or summary, which send bins and figures instead of values.`,
  input: ofFile({
    tree: TREE,
    columns: COLUMNS,
    cut: CUT,
    entries: ENTRIES,
    limit: optional(whole(1, MOST_ROWS), 'N', `Maximum number of rows; default ${ROWS}.`),
  }),
  run: (input, call) => call.withFile(filesOf(input), (open) => readValues(open, input, call)),
};

async function readValues(open: OpenFile, input: Input, call: Call) {
  const tree = await open.tree(await treeOf(open, textOf(input.tree)));
  const { info } = tree;
  const columns = listOf(input.columns);
  const cut = textOf(input.cut);
  const limit = Number(input.limit ?? ROWS);
  const [from, to] = parseEntries(textOf(input.entries) ?? ':', info.entries);
  const table = new Table(call);
  const read: ReadCost = { bytes: 0, requests: 0 };
  const branches = branchesRead(info, columns, cut);
  let at = from;
  for (let step = cut === undefined ? limit : FIRST_ENTRIES; at < to && table.rows < limit; step *= 2) {
    const part: EntryRange = [at, Math.min(to, at + step)];
    const cost = await readCost(open, info, branches, part);
    const sum = { bytes: read.bytes + cost.bytes, requests: read.requests + cost.requests };
    // The rows found so far are answered, with where to go on.
    if (table.rows > 0 && sum.bytes > call.limits.read) break;
    checkCost(sum, `entries ${from} to ${part[1] - 1}`, call.limits);
    Object.assign(read, sum);
    await table.add(tree, columns, { entries: part, cut, signal: call.signal }, limit - table.rows);
    at = part[1];
  }
  const more = table.rows < limit ? at : (table.lastEntry ?? at - 1) + 1;
  const head = {
    tree: info.path,
    entries: info.entries,
    looked: [from, more],
    ...(more < to && { next: { entries: `${more}:${to}` } }),
    read,
    partial: missing(info.partial ?? info.lost),
  };
  return { text: table.text(head) };
}

/** Name of the column with the number of the entry. */
const ENTRY = 'Entry$';

/** Rows as text: integers of 64 bits are exact. */
class Table {
  rows = 0;
  lastEntry: number | undefined;
  #names: string[] = [];
  #lines: string[] = [];
  #bytes = 0;

  constructor(readonly call: Call) {}

  async add(
    tree: TreeHandle,
    columns: readonly string[],
    options: { entries: EntryRange; cut: string | undefined; signal: AbortSignal | undefined },
    most: number,
  ): Promise<void> {
    const { [ENTRY]: entries, ...read } = await tree.arrays([...columns, ENTRY], options);
    this.#names = Object.keys(read);
    const writers = Object.values(read).map(({ column }) => rowWriter(column));
    for (let row = 0; row < Math.min(most, entries?.length ?? 0); row++) {
      const entry = Number([entries?.at(row)].flat()[0]);
      let line = `[${entry}`;
      for (const write of writers) {
        line += ',';
        write(row, (text) => {
          line += text;
        });
      }
      this.#lines.push(`${line}]`);
      this.#bytes += line.length + 2;
      this.lastEntry = entry;
      this.rows++;
      checkAnswer(this.#bytes, this.call.limits.answer);
    }
  }

  text(head: object): string {
    const columns = JSON.stringify(['entry', ...this.#names]);
    return `${JSON.stringify(head).slice(0, -1)},"columns":${columns},"rows":[\n${this.#lines.join(',\n')}]}`;
  }
}
