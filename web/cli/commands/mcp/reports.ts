import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { treeOf } from '../../../verbs/trees';
import { whatif } from '../whatif';
import { BRANCHES, CUT, ENTRIES, ofFile, TREE, text } from './schema';
import { type Call, filesOf, type Input, listOf, option, type Tool, textOf } from './tool';

const wordsOf = (input: Input): string[] => {
  const tree = textOf(input.tree);
  return [filesOf(input), ...(tree === undefined ? [] : [tree])];
};

const branchOptions = (branches: readonly string[]): string[] =>
  branches.flatMap((name) => option('branches', name));

export const whatIf: Tool = {
  name: 'what_if',
  title: 'What a reading costs',
  description:
    'Requests, bytes and time that reading branches would cost on a link: with ROOT without a cache, with its TTreeCache, and with xylem. From metadata alone: nothing is read.',
  input: ofFile({
    tree: TREE,
    branches: BRANCHES,
    expression: text('Instead of branches: an expression, whose branches are taken.'),
    cut: CUT,
    entries: ENTRIES,
    latencyMs: { type: 'number', exclusiveMinimum: 0, description: 'Round trip of the link; default 20.' },
    megabitsPerSecond: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Bandwidth of the link; default 100.',
    },
  }),
  async run(input, call) {
    const named = await branchesAsked(input, call);
    const options = [
      ...branchOptions(named),
      ...option('entries', input.entries),
      ...option('latency', input.latencyMs),
      ...option('bandwidth', input.megabitsPerSecond),
    ];
    return { text: await call.command(whatif, ['--json', ...options], wordsOf(input)) };
  },
};

/** The branches that are named, and those of an expression and a cut. */
async function branchesAsked(input: Input, call: Call): Promise<string[]> {
  const [expr, cut] = [textOf(input.expression), textOf(input.cut)];
  if (expr === undefined && cut === undefined) return listOf(input.branches);
  return await call.withFile(filesOf(input), async (open) => {
    const { info } = await open.tree(await treeOf(open, textOf(input.tree)));
    const found = branchesOfQuery(info, expr ?? cut ?? '', expr === undefined ? undefined : cut);
    return [...listOf(input.branches), ...found.map(({ path }) => path)];
  });
}
