import type { TreeLayout } from '../../api/api';
import { XylemError } from '../../base/errors';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { branchesRead } from '../../insight/reads/branches-read';
import { columnReads } from '../../insight/reads/columns-read';
import { columnTable } from '../../insight/reads/columns-text';
import { PERF_NUMBERS } from '../../insight/reads/perf-numbers';
import { storedReading } from '../../insight/reads/perfstats';
import { perfReport } from '../../insight/reads/place';
import type { PerfReport, Reading } from '../../insight/reads/reading';
import { type BetterWay, betterWays, linkOf, rateText, type UseReport } from '../../insight/reads/use';
import { branchSums, USUAL_LINK, type Used, usedOf, usesReport } from '../../insight/reads/uses';
import { withoutShown } from '../../insight/simulate/simulate-layout';
import { chooseBranches } from '../../model/choose';
import { chooseEntries, countOf, sliceSelection } from '../../model/entry-choice';
import { planSteps } from '../../model/read-steps';
import { onlyTree, treeOf, treePaths } from '../../verbs/trees';
import { chosenEntries, UsageError } from '../arguments';
import { command, type Given } from '../command';
import { type Context, type OpenFile, progressLine, withFile, writeText } from '../context';
import {
  branchesOption,
  CHAIN_TEXT,
  commonOptions,
  entryOptions,
  flag,
  type Options,
  valued,
} from '../options';
import { readingsOfFile, savedReadings, savedReport, traceBytes } from '../saved-report';
import { perfLines } from '../terminal/perf-lines';
import { right, tableLines } from '../terminal/table';

const options = {
  ...branchesOption,
  ...entryOptions,
  file: valued(
    'FILE',
    'puts the reads of traces to the branches of this file, and says what they read without need and what is better',
  ),
  tree: valued('TREE', 'with --file: the tree, where it has several; by default the one that was read most'),
  compare: valued('SAVED', 'another reading of the same file, laid over this one'),
  save: valued('OUT', 'save the reading as JSON in the file OUT'),
  svg: valued('OUT', 'write the pattern of the reads to OUT ("-" is stdout)'),
  waterfall: valued('OUT', 'write the reads along the axis of time to OUT'),
  columns: flag(
    'also a row for each branch, or for each column of the fields of an RNTuple: baskets or pages, and bytes',
  ),
  'trace-events': valued(
    'OUT',
    'write the reads along the axis of time as JSON that Perfetto and chrome://tracing open',
  ),
  ...commonOptions,
} as const satisfies Options;

type PerfGiven = Given<typeof options>;

export const perf = command({
  usage: ['FILE [TREE]', 'SAVED', 'TRACE… --file FILE'],
  about: `Reads branches of a tree and tells how: the numbers of TTreePerfStats, and with --svg the pattern of the reads
as TTreePerfStats draws it. SAVED is what --save or --json wrote, or a file in which ROOT saved a TTreePerfStats.
TRACE is also what other programs record: an access log, a HAR file, strace, XrdCl, XCache, fsspec: docs/traces.md.
${CHAIN_TEXT}`,
  options,
  notes: PERF_NUMBERS.map(({ name, meaning }) => `  ${name.padEnd(10)} ${meaning}`).join('\n'),
  json: `{"format": "xylem perf 1", "by": "xylem" or "ROOT", "file", "tree", "numbers": {"treeCache", "leaves",
"readTotal", …}, "chosen": [branches], "reads": [{"entry", "offset", "length", …}, …]}, as --save writes it. With --columns
or --file also "columns": [{"path", "column", "type", "pages", "pagesRead", "storedBytes", "readBytes", "againBytes",
"calls"}, …]; with --file a list of one such for each reading, with "use".`,
  async run(given, words, context) {
    if ([given.json && '-', ...outsOf(given)].filter((out) => out === '-').length > 1) {
      throw new UsageError('Only one thing can be written to stdout.');
    }
    if (given.file !== undefined) return await tellUse(given.file, words, given, context);
    const [file = '', path] = words;
    const compare =
      given.compare === undefined ? undefined : await savedReport(given.compare, given, context);
    const measured =
      path === undefined
        ? await savedOrMeasured(file, given, context)
        : await withFile(file, given, context, (open) => measure(open, path, given, context));
    await write(measured, compare, given, context);
    return 0;
  },
});

/** A reading that is written, with another one over it, or with the readings of all traces and what they used. */
interface Shown {
  report: PerfReport;
  compare?: PerfReport | undefined;
  used?: { all: readonly Used[]; layout: TreeLayout };
}

/** The options that write a file, and the text of each. */
const OUTPUTS: readonly {
  option: 'save' | 'svg' | 'waterfall' | 'trace-events';
  kind?: 'json';
  text(shown: Shown): string | Promise<string>;
}[] = [
  { option: 'save', kind: 'json', text: ({ report }) => JSON.stringify(report, null, 1) },
  { option: 'svg', text: patternText },
  {
    option: 'waterfall',
    text: async ({ report }) => (await import('../../plot/read-svg')).waterfallSvg(report),
  },
  {
    option: 'trace-events',
    kind: 'json',
    text: async ({ report }) =>
      JSON.stringify((await import('../../insight/reads/trace-events')).traceEvents(report)),
  },
];

/** Where options write to. */
const outsOf = (given: PerfGiven): (string | undefined)[] => OUTPUTS.map(({ option }) => given[option]);

async function writeOutputs(shown: Shown, given: PerfGiven, context: Context): Promise<void> {
  for (const { option, kind, text } of OUTPUTS) {
    const out = given[option];
    if (out !== undefined) await writeText(out, await text(shown), context, kind);
  }
}

/** The pattern of one reading; of several, which branches each used. */
async function patternText({ report, compare, used }: Shown): Promise<string> {
  if (used === undefined || used.all.length === 1) {
    const { patternSvg } = await import('../../plot/read-svg');
    return patternSvg(report, compare);
  }
  const [{ useDrawing }, { drawingSvg }] = await Promise.all([
    import('../../plot/use-drawing'),
    import('../../plot/drawing/drawing'),
  ]);
  const uses = used.all.flatMap(({ report: { by }, use }) => (use === undefined ? [] : [{ by, use }]));
  return drawingSvg(useDrawing(uses, used.layout.tree));
}

/** A reading; the layout of its tree where that was read. */
interface Measured {
  report: PerfReport;
  layout?: TreeLayout | undefined;
}

/** A saved reading; else the file's only tree is read. */
async function savedOrMeasured(file: string, given: PerfGiven, context: Context): Promise<Measured> {
  if ((await traceBytes(file, context)) !== undefined) {
    refuseWithoutFile(given);
    return { report: await savedReport(file, given, context) };
  }
  return await withFile(file, given, context, async (open) => {
    const stored = open.ownTree === undefined ? await storedReading(open.reader, open.info.id) : undefined;
    if (stored === undefined) return await measure(open, await onlyTree(open), given, context);
    refuseWithoutFile(given);
    return { report: stored };
  });
}

/** Throws UsageError if `--columns` is asked of a saved reading, which has no places of baskets. */
function refuseWithoutFile(given: PerfGiven): void {
  if (given.columns) throw new UsageError('--columns needs the file that was read: --file FILE.');
}

async function measure(
  { reader, info }: OpenFile,
  path: string,
  given: PerfGiven,
  context: Context,
): Promise<Measured> {
  const cpu = process.cpuUsage();
  const layout = await reader.layout(info.id, path);
  const { tree } = layout;
  const chosen = chooseBranches(tree, given.branches);
  const branches = layout.source === undefined ? chosen : withoutShown(tree, chosen, layout.source);
  const selection = (await chosenEntries(given, tree.entries)) ?? [0, tree.entries];
  const choice = chooseEntries(selection, tree.entries);
  const part = countOf(choice.spans(choice.from, choice.to)) / Math.max(1, choice.to - choice.from);
  const progress = progressLine(context);
  for (const step of planSteps(branches, [choice.from, choice.to], part)) {
    const results = await reader.arrays(
      info.id,
      {
        tree: path,
        branches: step.branches.map(({ index }) => index),
        entries: sliceSelection(selection, ...step.entries),
      },
      { onProgress: progress.show },
    );
    for (const { branch, error, missing = error } of results) {
      if (missing !== undefined) context.err.line(`${branch.path}: ${missing.message}`);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  await progress.wipe();
  // From the opening on, because the head of a file may hold baskets.
  const report = perfReport(info.name, layout, await reader.trace(info.id), (user + system) / 1000);
  const { reads, ...head } = report;
  return { report: { ...head, chosen: branches.map(({ path }) => path), reads }, layout };
}

/** The columns of a reading, with the paths of their branches. */
function namedColumns(report: PerfReport, layout: TreeLayout) {
  return columnReads(report, layout).map(({ branch, ...column }) => ({
    path: layout.tree.branches[branch]?.path,
    ...column,
  }));
}

function columnLines(report: PerfReport, layout: TreeLayout, wanted?: ReadonlySet<number>): string[] {
  const { titles, numbers, rows } = columnTable(columnReads(report, layout), layout, wanted);
  const lines = tableLines(
    titles.map((title, i) => (numbers.includes(i) ? right(title) : title)),
    rows.slice(0, MAX_ROWS),
  );
  if (rows.length > MAX_ROWS)
    lines.push(`… and ${formatCount(rows.length - MAX_ROWS)} more; --json has all.`);
  return lines;
}

/** Puts traces to a file, and tells what they used. */
async function tellUse(
  file: string,
  traces: readonly string[],
  given: PerfGiven,
  context: Context,
): Promise<number> {
  if (given.compare !== undefined || given.save !== undefined) {
    throw new UsageError('--file takes neither --compare nor --save.');
  }
  const readings: Reading[][] = [];
  for (const trace of traces) readings.push(await savedReadings(trace, given, context));
  return await withFile(file, given, context, async (open) => {
    const { name, size } = open.info;
    const own = readings.flatMap((some) => readingsOfFile(some, { name, size }));
    const layout = await layoutRead(open, own, given.tree);
    const used = usedReadings(own, layout, context);
    const [first] = used;
    if (first !== undefined)
      await writeOutputs({ report: first.report, used: { all: used, layout } }, given, context);
    if (given.json) {
      context.out.line(
        JSON.stringify(
          used.map(({ report, use }) => ({ ...report, use, columns: namedColumns(report, layout) })),
        ),
      );
      return 0;
    }
    if (outsOf(given).includes('-')) return 0;
    const lines =
      first !== undefined && used.length === 1 ? oneUse(first, layout, file) : manyUses(used, layout);
    for (const line of lines) context.out.line(line);
    return 0;
  });
}

/** The layout of the named tree; else of the only one, or of the one of whose branches most was read. */
async function layoutRead(
  open: OpenFile,
  readings: readonly Reading[],
  name: string | undefined,
): Promise<TreeLayout> {
  const { reader, info } = open;
  const paths = name === undefined && open.ownTree === undefined ? await treePaths(open) : [];
  if (paths.length < 2) return await reader.layout(info.id, await treeOf(open, name));
  let most = 0;
  let found: TreeLayout | undefined;
  for (const path of paths) {
    const layout = await reader.layout(info.id, path);
    const { uses } = usesReport(readings, layout, info.name);
    const bytes = uses.reduce((sum, { use }) => sum + (use?.wantedBytes ?? 0), 0);
    if (bytes > most) [most, found] = [bytes, layout];
  }
  if (found !== undefined) return found;
  throw new UsageError(`The reads are of none of the ${paths.length} trees: name one with --tree.`);
}

/** The readings that read the tree; a program that opens a file twice may read it once only. Throws as `usedOf`. */
function usedReadings(readings: readonly Reading[], layout: TreeLayout, { err }: Context): Used[] {
  const used: Used[] = [];
  let without: XylemError | undefined;
  let count = 0;
  for (const reading of readings) {
    try {
      used.push(usedOf(reading, layout));
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.code !== 'ARGUMENT') throw thrown;
      without = thrown;
      count++;
    }
  }
  if (without !== undefined && used.length === 0) throw without;
  if (count > 0)
    err.line(
      `note: ${formatCount(count)} of ${formatCount(readings.length)} readings read no basket of ${layout.tree.path}, and are left out`,
    );
  return used;
}

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

const MAX_ROWS = 40;

function oneUse({ report, use }: Used, layout: TreeLayout, file: string): string[] {
  const lines = [`${report.by} read ${layout.tree.path} in ${report.file}`];
  for (const [name, value] of report.facts ?? []) lines.push(`${name}: ${value}`);
  const numbers = PERF_NUMBERS.map(({ name, text }) => [name, text(report.numbers)]);
  if (report.numbers.readCalls > 0) lines.push(...tableLines(['', right('')], numbers).slice(1), '');
  if (use === undefined) return lines;
  const [from, to] = use.entries;
  lines.push(
    `${formatCount(use.calls)} reads of ${formatBytes(use.bytes)}, entries ${formatCount(from)} to ${formatCount(to)}:`,
    `  ${formatBytes(use.wantedBytes)} (${share(use.wantedBytes, use.bytes)}) of branches that were used`,
    `  ${formatBytes(use.vainBytes)} (${share(use.vainBytes, use.bytes)}) without need: of other branches, between them`,
    `  ${formatBytes(use.otherBytes)} (${share(use.otherBytes, use.bytes)}) outside of the tree's baskets`,
    `  ${formatBytes(use.againBytes)} (${share(use.againBytes, use.bytes)}) read again`,
    `  ${formatCount(use.smallCalls)} reads of at most 1,000 bytes`,
    '',
  );
  const wanted = new Set(use.branches.flatMap(({ branch, wanted }) => (wanted ? [branch] : [])));
  lines.push(...columnLines(report, layout, wanted), '');
  const link = linkOf(report);
  const { latencyMs, bytesPerMs } = link ?? USUAL_LINK;
  const from_ = link === undefined ? 'a link that is usual' : 'the link that the trace shows';
  const ways = betterWays(use, layout, link ?? USUAL_LINK, file);
  lines.push(`On ${from_} (${formatDuration(latencyMs)}, ${rateText(bytesPerMs)}):`);
  lines.push(...wayLines(ways));
  for (const { command } of ways) if (command !== undefined) lines.push(command);
  return lines;
}

function wayLines(ways: readonly BetterWay[]): string[] {
  return tableLines(
    ['Read', right('Reads'), right('Bytes'), right('Time')],
    ways.map(({ name, calls, bytes, ms }) => [
      name,
      formatCount(calls),
      formatBytes(bytes),
      formatDuration(ms),
    ]),
  );
}

/** Which branches the readings used, those of most readings first. */
function branchLines(used: readonly Used[], layout: TreeLayout): string[] {
  const rows = branchSums(used);
  const lines = tableLines(
    ['Branch', right('Readings'), right('Read'), right('Of its bytes')],
    rows
      .slice(0, MAX_ROWS)
      .map(({ branch, readings, bytes, storedBytes }) => [
        layout.tree.branches[branch]?.path ?? '',
        formatCount(readings),
        formatBytes(bytes),
        share(bytes, storedBytes * readings),
      ]),
  );
  if (rows.length > MAX_ROWS) lines.push(`… and ${formatCount(rows.length - MAX_ROWS)} more branches`);
  return lines;
}

function manyUses(used: readonly Used[], layout: TreeLayout): string[] {
  const told = used.filter(({ use }) => use !== undefined);
  const sums = used.filter(({ use }) => use === undefined).map(({ report }) => report);
  const factLines = sums.slice(0, MAX_ROWS).map(({ by, file, facts = [] }) => {
    return `${by}, ${file}: ${facts.map(([name, value]) => `${name} ${value}`).join(', ')}`;
  });
  if (sums.length > MAX_ROWS) factLines.push(`… and ${formatCount(sums.length - MAX_ROWS)} more`);
  if (told.length === 0) return factLines;
  const sum = (of: (use: UseReport) => number) =>
    told.reduce((total, { use }) => total + (use ? of(use) : 0), 0);
  const bytes = sum((use) => use.bytes);
  const vain = sum((use) => use.vainBytes);
  const again = sum((use) => use.againBytes);
  return [
    `${formatCount(used.length)} readings of ${layout.tree.path}: ${formatCount(sum(({ calls }) => calls))} reads of ` +
      `${formatBytes(bytes)}, ${share(vain, bytes)} of it without need, ${share(again, bytes)} again`,
    '',
    ...branchLines(used, layout),
    ...factLines,
  ];
}

async function write(
  { report, layout }: Measured,
  compare: PerfReport | undefined,
  given: PerfGiven,
  context: Context,
): Promise<void> {
  const { out } = context;
  await writeOutputs({ report, compare }, given, context);
  const columns = given.columns && layout !== undefined ? namedColumns(report, layout) : undefined;
  if (given.json) out.line(JSON.stringify({ ...report, columns }, null, 1));
  if (given.json || outsOf(given).includes('-')) return;
  for (const line of perfLines(report, compare)) out.line(line);
  if (!given.columns || layout === undefined) return;
  out.line();
  for (const line of columnLines(report, layout, new Set(branchesRead(report, layout)))) out.line(line);
}
