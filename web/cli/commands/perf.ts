import {
  loadPerfReport,
  PERF_NUMBERS,
  type PerfReport,
  perfReport,
  storedReading,
} from '../../insight/reads/perf';
import { chooseBranches } from '../../model/choose';
import { chooseEntries, countOf, sliceSelection } from '../../model/entry-choice';
import { chosenEntries, UsageError } from '../arguments';
import { planSteps } from '../branches';
import { type Command, command, type Given } from '../command';
import { type Context, type OpenFile, progressLine, withFile, writeText } from '../context';
import { branchesOption, chainText, commonOptions, entryOptions, type Options } from '../options';
import { savedReport, savedText } from '../saved-report';
import { tableLines } from '../terminal/table';
import { onlyTree } from '../trees';

const options = {
  ...branchesOption,
  ...entryOptions,
  compare: { type: 'string', value: 'SAVED', about: 'another reading of the same file, laid over this one' },
  save: { type: 'string', value: 'OUT', about: 'save the reading as JSON in the file OUT' },
  svg: { type: 'string', value: 'OUT', about: 'write the pattern of the reads to OUT ("-" is stdout)' },
  waterfall: { type: 'string', value: 'OUT', about: 'write the reads along the axis of time to OUT' },
  ...commonOptions,
} as const satisfies Options;

type PerfGiven = Given<typeof options>;

const definition = command({
  usage: ['FILE [TREE]', 'SAVED'],
  about: `Reads branches of a tree and tells how: the numbers of TTreePerfStats, and with --svg the pattern of the reads
as TTreePerfStats draws it. SAVED is what --save or --json wrote, or a file in which ROOT saved a TTreePerfStats.
${chainText}`,
  options,
  notes: PERF_NUMBERS.map(({ name, meaning }) => `  ${name.padEnd(10)} ${meaning}`).join('\n'),
  json: `{"format": "xylem perf 1", "by": "xylem" or "ROOT", "file", "tree", "numbers": {"treeCache", "leaves",
"readTotal", …}, "chosen": [branches], "reads": [{"entry", "offset", "length", …}, …]}, as --save writes it.`,
  async run(given, [file = '', path], context) {
    const outs = [given.json && '-', given.save, given.svg, given.waterfall];
    if (outs.filter((out) => out === '-').length > 1) {
      throw new UsageError('Only one thing can be written to stdout.');
    }
    const compare =
      given.compare === undefined ? undefined : await savedReport(given.compare, given, context);
    const report =
      path === undefined
        ? await savedOrMeasured(file, given, context)
        : await withFile(file, given, context, (open) => measure(open, path, given, context));
    await write(report, compare, given, context);
    return 0;
  },
});

export const perf: Command = {
  ...definition,
  run: (args, context) => definition.run(withoutOldJson(args), context),
};

/**
 * Before --save there was "--json OUT": an argument after it that ends in .json, and "-", is still taken for
 * OUT.
 */
function withoutOldJson(args: readonly string[]): string[] {
  const line: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [arg = '', next] = args.slice(i, i + 2);
    if (arg.startsWith('--json=')) line.push(`--save=${arg.slice('--json='.length)}`);
    else if (arg === '--json' && next === '-') line.push(args[i++] ?? '');
    else if (arg === '--json' && next?.endsWith('.json') && line.length > 0)
      line.push('--save', args[++i] ?? '');
    else line.push(arg);
  }
  return line;
}

/** A saved reading; else the file's only tree is read. */
async function savedOrMeasured(file: string, given: PerfGiven, context: Context): Promise<PerfReport> {
  const saved = await savedText(file);
  if (saved !== undefined) return loadPerfReport(saved);
  return await withFile(file, given, context, async (open) => {
    const stored = open.ownTree === undefined ? await storedReading(open.reader, open.info.id) : undefined;
    return stored ?? (await measure(open, await onlyTree(open), given, context));
  });
}

async function measure(
  { reader, info }: OpenFile,
  path: string,
  given: PerfGiven,
  context: Context,
): Promise<PerfReport> {
  const cpu = process.cpuUsage();
  const layout = await reader.layout(info.id, path);
  const { tree } = layout;
  const branches = chooseBranches(tree, given.branches);
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
    for (const { branch, error } of results) {
      if (error !== undefined) context.err.line(`${branch.path}: ${error.message}`);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  await progress.wipe();
  // From the opening on, because the head of a file may hold baskets.
  const report = perfReport(info.name, layout, await reader.trace(info.id), (user + system) / 1000);
  const { reads, ...head } = report;
  return { ...head, chosen: branches.map(({ path }) => path), reads };
}

async function write(
  report: PerfReport,
  compare: PerfReport | undefined,
  given: PerfGiven,
  context: Context,
): Promise<void> {
  const { out } = context;
  const json = (): string => JSON.stringify(report, null, 1);
  if (given.save !== undefined) await writeText(given.save, json(), context, 'json');
  if (given.svg !== undefined || given.waterfall !== undefined) {
    const [{ readPatternDrawing, waterfallDrawing }, { drawingSvg }] = await Promise.all([
      import('../../plot/read-pattern'),
      import('../../plot/drawing/drawing'),
    ]);
    if (given.svg !== undefined) {
      await writeText(given.svg, drawingSvg(readPatternDrawing(report, { compare })), context);
    }
    if (given.waterfall !== undefined)
      await writeText(given.waterfall, drawingSvg(waterfallDrawing(report)), context);
  }
  if (given.json) out.line(json());
  if (given.json || [given.save, given.svg, given.waterfall].includes('-')) return;
  const columns = [{ title: '' }, { title: report.by, align: 'right' as const }];
  if (compare) columns.push({ title: compare.by, align: 'right' as const });
  const rows = PERF_NUMBERS.map(({ name, text }) => [
    name,
    text(report.numbers),
    ...(compare ? [text(compare.numbers)] : []),
  ]);
  out.line(`${report.tree} in ${report.file}`);
  for (const line of tableLines(columns, rows)) out.line(line);
}
