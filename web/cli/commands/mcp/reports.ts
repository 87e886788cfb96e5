import { chooseBranches } from '../../../model/choose';
import { treeOf } from '../../../verbs/trees';
import { parseEntries } from '../../arguments';
import { summary } from '../summary';
import { checkCost, costOf } from './cost';
import { BRANCHES, ENTRIES, ofFile, TREE } from './schema';
import { filesOf, type Input, listOf, option, type Tool, textOf } from './tool';

const wordsOf = (input: Input): string[] => {
  const tree = textOf(input.tree);
  return [filesOf(input), ...(tree === undefined ? [] : [tree])];
};

const branchOptions = (branches: readonly string[]): string[] =>
  branches.flatMap((name) => option('branches', name));

export const summaryTool: Tool = {
  name: 'summary',
  title: 'Figures of branches',
  description:
    'Minimum, maximum, mean, standard deviation, number of NaN, zeros and distinct values of branches, over all entries or some. Reads these branches.',
  input: ofFile({ tree: TREE, branches: BRANCHES, entries: ENTRIES }),
  async run(input, call) {
    const branches = branchesOf(input);
    await call.withFile(filesOf(input), async (open) => {
      const { info } = await open.tree(await treeOf(open, textOf(input.tree)));
      const entries = parseEntries(textOf(input.entries) ?? ':', info.entries);
      const chosen = chooseBranches(info, branches);
      checkCost(await costOf(open, info, chosen, entries), `${chosen.length} branches`, call.limits);
    });
    const options = [...branchOptions(branches ?? []), ...option('entries', input.entries)];
    return { text: await call.command(summary, ['--json', ...options], wordsOf(input)) };
  },
};

/** Undefined for all. */
const branchesOf = (input: Input): string[] | undefined =>
  input.branches === undefined ? undefined : listOf(input.branches);
