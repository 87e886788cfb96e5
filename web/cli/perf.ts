import { chooseBranches } from '../file/choose';
import { PERF_NUMBERS, type PerfReport, perfReport } from '../insight/perf';
import { commonHelp, commonOptions, parseCommand, parseEntries, UsageError } from './arguments';
import { planSteps } from './branches';
import { type Command, type Context, progressLine, withFile, writeText } from './context';
import { savedReport } from './saved-report';
import { printable, tableLines } from './table';

const help = `Usage: xylem perf FILE TREE [--branches NAMES] [--entries A:B] [--compare SAVED] [--svg OUT] [--json OUT]
       xylem perf SAVED [--compare SAVED] [--svg OUT] [--json OUT]

Reads branches of a tree and tells how: the numbers of TTreePerfStats, and with --svg the pattern of the reads
as TTreePerfStats draws it. SAVED is what --json wrote, or a file in which ROOT saved a TTreePerfStats.

  --branches NAMES  names of branches, separated by commas; default: all
  --entries A:B     only the entries A to B-1
  --compare SAVED   another reading of the same file, laid over this one
  --svg OUT         write the pattern of the reads to OUT ("-" is stdout)
  --waterfall OUT   write the reads along the axis of time to OUT
  --json OUT        save the reading as JSON in OUT ("-" is stdout)
${commonHelp.split('\n').slice(1).join('\n')}

${PERF_NUMBERS.map(({ name, meaning }) => `  ${name.padEnd(10)} ${meaning}`).join('\n')}`;

const { json: _json, ...shared } = commonOptions;
const options = {
  ...shared,
  json: { type: 'string' },
  branches: { type: 'string', multiple: true },
  entries: { type: 'string' },
  compare: { type: 'string' },
  svg: { type: 'string' },
  waterfall: { type: 'string' },
} as const;

type Given = ReturnType<typeof parseCommand<typeof options>>['values'];

export const perf: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [1, 2]);
    const [file = '', path] = positionals;
    if ([given.json, given.svg, given.waterfall].filter((out) => out === '-').length > 1) {
      throw new UsageError('Only one thing can be written to stdout.');
    }
    const compare =
      given.compare === undefined ? undefined : await savedReport(given.compare, given, context);
    const report =
      path === undefined
        ? await savedReport(file, given, context)
        : await measure(file, path, given, context);
    await write(report, compare, given, context);
    return 0;
  },
};

async function measure(file: string, path: string, given: Given, context: Context): Promise<PerfReport> {
  const cpu = process.cpuUsage();
  return await withFile(file, given, context, async ({ reader, info }) => {
    const layout = await reader.layout(info.id, path);
    const { tree } = layout;
    const branches = chooseBranches(tree, given.branches);
    const range = given.entries === undefined ? undefined : parseEntries(given.entries, tree.entries);
    const progress = progressLine(context);
    for (const step of planSteps(branches, range ?? [0, tree.entries])) {
      const indices = step.branches.map(({ index }) => index);
      const results = await reader.read(
        info.id,
        { tree: path, branches: indices, entries: step.entries },
        { onProgress: progress.show },
      );
      for (const { branch, error } of results) {
        if (error !== undefined) context.err.line(`${printable(branch.path)}: ${error.message}`);
      }
    }
    const { user, system } = process.cpuUsage(cpu);
    await progress.wipe();
    // From the opening on: what the head of a file brings may hold baskets.
    return perfReport(info.name, layout, await reader.trace(info.id), (user + system) / 1000);
  });
}

async function write(
  report: PerfReport,
  compare: PerfReport | undefined,
  given: Given,
  context: Context,
): Promise<void> {
  const { out } = context;
  if (given.json !== undefined) await writeText(given.json, `${JSON.stringify(report, null, 1)}`, context);
  if (given.svg !== undefined || given.waterfall !== undefined) {
    const [{ readPatternDrawing, waterfallDrawing }, { drawingSvg }] = await Promise.all([
      import('../plot/read-pattern'),
      import('../plot/drawing'),
    ]);
    if (given.svg !== undefined) {
      await writeText(given.svg, drawingSvg(readPatternDrawing(report, { compare })), context);
    }
    if (given.waterfall !== undefined)
      await writeText(given.waterfall, drawingSvg(waterfallDrawing(report)), context);
  }
  if ([given.json, given.svg, given.waterfall].includes('-')) return;
  const columns = [{ title: '' }, { title: report.by, align: 'right' as const }];
  if (compare) columns.push({ title: compare.by, align: 'right' as const });
  const rows = PERF_NUMBERS.map(({ name, text }) => [
    name,
    text(report.numbers),
    ...(compare ? [text(compare.numbers)] : []),
  ]);
  out.line(printable(`${report.tree} in ${report.file}`));
  for (const line of tableLines(columns, rows)) out.line(line);
}
