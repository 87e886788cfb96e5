import { globMatcher } from '../../../base/glob';
import { flag, needed, oneOf, optional, TEXT } from '../../../base/shape';
import { parseEntries, UsageError } from '../../../cli/arguments';
import type { Command } from '../../../cli/command';
import { isTree } from '../../../model/keys';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { readCost } from '../../../reads/read-cost';
import { BRANCHES, ENTRIES, TREE } from '../../../verbs/params';
import { treeOf } from '../../../verbs/trees';
import { exportCommand } from '../../exports/cli/export';
import { heal } from '../../writer/cli/heal';
import { merge } from '../../writer/cli/merge';
import { skim } from '../../writer/cli/skim';
import { HEAL_LEVELS } from '../../writer/work/verbs/heal';
import { newFileIn } from './allowed-folder';
import { checkCost } from './cost';
import { COLUMNS, CUT, ofFile, TEXTS } from './schema';
import { type Call, filesOf, type Input, listOf, option, type Tool, textOf } from './tool';
import { branchesRead } from './values';

const OUTPUT = needed(TEXT, 'OUT', 'Name of the new file, relative to the folder that the user allows.');
const DRY_RUN = flag('Only say what would be read and written, and write nothing.');

/** The path of the new file. Throws ARGUMENT for one that may not be made. */
async function outputOf(input: Input, { limits }: Call): Promise<string> {
  if (limits.writeTo === undefined) throw new UsageError('No folder is allowed.');
  return await newFileIn(limits.writeTo, String(input.output));
}

export const exportTool: Tool = {
  name: 'export',
  title: 'Write entries in another format',
  description:
    'Writes entries of a tree to a new CSV, JSON Lines, Arrow, Parquet, NumPy or ROOT file, by the ending of its name.',
  input: ofFile({ tree: TREE, columns: COLUMNS, cut: CUT, entries: ENTRIES, output: OUTPUT }),
  writes: true,
  async run(input, call) {
    const columns = listOf(input.columns);
    const cut = textOf(input.cut);
    const plain = await call.withFile(filesOf(input), async (open) => {
      const { info } = await open.tree(await treeOf(open, textOf(input.tree)));
      const entries = parseEntries(textOf(input.entries) ?? ':', info.entries);
      const branches = branchesRead(info, columns, cut);
      checkCost(await readCost(open, info, branches, entries), `${branches.length} branches`, call.limits);
      return { tree: info.path, areBranches: columns.every((name) => /^[\w./*?]+$/.test(name)) };
    });
    const out = await outputOf(input, call);
    const options = [
      ...['--json', ...option('out', out), ...option('cut', cut), ...option('entries', input.entries)],
      ...(plain.areBranches ? columns.flatMap((name) => option('branches', name)) : []),
    ];
    const words = [filesOf(input), plain.tree, ...(plain.areBranches ? [] : columns)];
    return { text: await call.command(exportCommand, options, words) };
  },
};

/** Runs a command that copies: what it would read is known before. */
async function copied(
  command: Command,
  input: Input,
  call: Call,
  options: readonly string[],
  words: (out: string) => string[],
) {
  const out = await outputOf(input, call);
  const plan = await call.command(command, ['--json', '--dry-run', ...options], words(out));
  if (input.dryRun === true) return { text: plan };
  checkCost({ bytes: plannedBytes(plan), requests: 1 }, 'what is copied', call.limits);
  return { text: await call.command(command, ['--json', ...options], words(out)) };
}

/**
 * Returns the number of bytes that a plan reads. The plan is the first line that the command prints; notes follow. The
 * plan of several files has only the bytes that are written, which are about as many, because baskets are copied.
 */
function plannedBytes(text: string): number {
  const plan: { read?: { bytes: number }; bytes: number } = JSON.parse(text.split('\n\n')[0] ?? '');
  return plan.read?.bytes ?? plan.bytes;
}

export const skimTool: Tool = {
  name: 'skim',
  title: 'Copy a part of ROOT files',
  description: 'Copies chosen trees, branches, entries and objects of ROOT files into a new ROOT file.',
  input: ofFile({
    trees: optional(TEXTS, 'NAMES', 'Only these trees; patterns with * and ?.'),
    branches: BRANCHES,
    cut: CUT,
    entries: ENTRIES,
    objects: optional(TEXTS, 'NAMES', 'Of other objects only these.'),
    output: OUTPUT,
    dryRun: DRY_RUN,
  }),
  writes: true,
  async run(input, call) {
    const many = (name: string, value: unknown) => listOf(value).flatMap((one) => option(name, one));
    const options = [
      ...many('tree', input.trees),
      ...many('branches', input.branches),
      ...many('objects', input.objects),
      ...option('cut', input.cut),
      ...option('entries', input.entries),
    ];
    await checkCut(input, call);
    return await copied(skim, input, call, options, (out) => [filesOf(input), out]);
  },
};

/** The plan of a copy evaluates the cut, which reads its branches: that is within the limit, too. */
async function checkCut(input: Input, call: Call): Promise<void> {
  const cut = textOf(input.cut);
  if (cut === undefined) return;
  await call.withFile(filesOf(input), async (open) => {
    const wanted = listOf(input.trees).map((name) => globMatcher(name));
    const paths = (await open.keys()).filter(isTree).map(({ path }) => path);
    const chosen = wanted.length === 0 ? paths : paths.filter((path) => wanted.some((like) => like(path)));
    for (const path of new Set(chosen)) {
      const { info } = await open.tree(path);
      const cost = await readCost(open, info, branchesOfQuery(info, cut), [0, info.entries]);
      checkCost(cost, `the branches of the cut in "${path}"`, call.limits);
    }
  });
}

export const healTool: Tool = {
  name: 'heal',
  title: 'Write a file anew so that it is read faster',
  description:
    'Copies a ROOT file with its baskets in the order in which they are read. Values do not change. See doctor first.',
  input: ofFile({
    level: optional(oneOf(...HEAL_LEVELS), 'LEVEL', 'Default: order.'),
    output: OUTPUT,
    dryRun: DRY_RUN,
  }),
  writes: true,
  async run(input, call) {
    return await copied(heal, input, call, option('level', input.level), (out) => [filesOf(input), out]);
  },
};

export const mergeTool: Tool = {
  name: 'merge',
  title: 'Several ROOT files as one',
  description: 'Merges ROOT files as hadd does: trees are chained, histograms and others added.',
  input: ofFile({ output: OUTPUT, dryRun: DRY_RUN }),
  writes: true,
  async run(input, call) {
    return await copied(merge, input, call, [], (out) => [out, filesOf(input)]);
  },
};
