import { globMatcher } from '../../../base/glob';
import { listOf, optional, TEXT } from '../../../base/shape';
import { commandTool } from '../../../cli/tool';
import { isTree } from '../../../model/keys';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { readCost } from '../../../reads/read-cost';
import { BRANCHES, CUT, ENTRIES } from '../../../verbs/params';

const NAMES = listOf(TEXT, undefined, 1);

export const skimTool = commandTool({
  title: 'Copy a part of ROOT files',
  description: 'Copies chosen trees, branches, entries and objects of ROOT files into a new ROOT file.',
  params: {
    trees: optional(NAMES, 'NAMES', 'Only these trees; patterns with * and ?.'),
    branches: BRANCHES,
    cut: CUT,
    entries: ENTRIES,
    objects: optional(NAMES, 'NAMES', 'Of other objects only these.'),
  },
  writes: true,
  line: ({ trees: tree, branches, objects, cut, entries }, { file, output }) => ({
    options: { json: true, tree, branches, objects, cut, entries },
    words: [file, output],
  }),
  /** The plan of a copy evaluates the cut, which reads its branches. */
  async cost({ cut, trees = [] }, file, call) {
    const sum = { bytes: 0, requests: 0, what: 'the branches of the cut' };
    if (cut === undefined) return sum;
    return await call.withFile(file, async (open) => {
      const wanted = trees.map((name) => globMatcher(name));
      const paths = (await open.keys()).filter(isTree).map(({ path }) => path);
      const chosen = wanted.length === 0 ? paths : paths.filter((path) => wanted.some((like) => like(path)));
      for (const path of new Set(chosen)) {
        const { info } = await open.tree(path);
        const cost = await readCost(open, info, branchesOfQuery(info, cut), [0, info.entries]);
        sum.bytes += cost.bytes;
        sum.requests += cost.requests;
      }
      return sum;
    });
  },
});
