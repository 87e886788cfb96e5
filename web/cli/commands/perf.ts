import type { TreeLayout } from '../../api/api';
import { XylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { branchesRead } from '../../insight/reads/branches-read';
import { columnReads } from '../../insight/reads/columns-read';
import { PERF_NUMBERS } from '../../insight/reads/perf-numbers';
import { storedReading } from '../../insight/reads/perfstats';
import { perfReport } from '../../insight/reads/place';
import type { PerfReport, Reading } from '../../insight/reads/reading';
import { columnsTable, numbersTable, readingReport, usedReport } from '../../insight/reads/reads-report';
import { reportOf, type Used, usedOf, usesReport } from '../../insight/reads/uses';
import { withoutShown } from '../../insight/simulate/simulate-layout';
import { chooseBranches } from '../../model/choose';
import { chooseEntries, countOf, sliceSelection } from '../../model/entry-choice';
import { planSteps } from '../../model/read-steps';
import type { Report } from '../../report/report';
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
import { reportLines } from '../terminal/report';

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

/** The files that options name for output. */
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

/** A reading, and the layout of its tree if that was read. */
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

/** Matches traces to a file, and writes what they used of it. */
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
    for (const line of reportLines(tracesReport(used, layout, file))) context.out.line(line);
    return 0;
  });
}

/** What readings used of a tree; of a single one also its numbers. */
function tracesReport(used: readonly Used[], layout: TreeLayout, file: string): Report {
  const found = usedReport(reportOf(used, layout, file), layout);
  const [first] = used;
  const { path } = layout.tree;
  if (first === undefined || used.length > 1)
    return { ...found, title: `${formatCount(used.length)} readings of ${path}` };
  const { report } = first;
  const { tables = [] } = found;
  return {
    ...found,
    title: `${report.by} read ${path} in ${report.file}`,
    tables: report.numbers.readCalls > 0 ? [numbersTable([report]), ...tables] : tables,
  };
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
  const shown =
    columns && layout
      ? columnsTable(columnReads(report, layout), layout, new Set(branchesRead(report, layout)))
      : undefined;
  const found = readingReport(compare === undefined ? [report] : [report, compare], shown);
  for (const line of reportLines(found)) out.line(line);
}
