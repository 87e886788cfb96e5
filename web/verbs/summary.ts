import type { PartialNote } from '../api/api';
import { membersJson } from '../base/json';
import { type BranchFigures, summaryReport } from '../insight/summary-report';
import { chooseBranches } from '../model/choose';
import { branchesCost } from './branches-cost';
import { BRANCHES, CHAIN_TEXT, CHOSEN_ENTRIES, FILE, TREE } from './params';
import { treeOf } from './trees';
import { verb } from './verb';

export const summary = verb({
  name: 'summary',
  words: 'FILE [TREE]',
  about: `What the values of each branch are like, lists and arrays taken apart: minimum, maximum, mean and
standard deviation of the finite numbers; how many are NaN, how many zero (or empty texts); how many
differ (exact up to 4,096, else an estimate, marked ~, with a standard error of 0.8 %); whether all
are equal, or the same as another branch's (by 64-bit checksums of values and lengths).
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events', 'all branches'],
    ["sample.root Events --branches 'Muon_*' --entries 0:1000", 'some branches of the first entries'],
  ],
  params: {
    file: FILE,
    tree: TREE,
    branches: BRANCHES,
    ...CHOSEN_ENTRIES,
  },
  json: `{"branches": [{"path", "type", "entries", "values", "nans", "infinities", "min", "max", "sum", "mean", "stdDev",
"integer", "zeros", "distinct", "distinctExact", "constant", "duplicateOf", "missing", "error"}, …]}
values are those without NaN; min, max and sum are the nearest 64-bit floats, also of integers beyond 2^53; missing says that a branch has fewer entries than the tree; a branch that
cannot be read has an error, and the exit status is 1. Files of several that could not be
read are in "partial".`,
  notes: 'Of partial results, nothing is said about equal branches.',
  run: ({ file, tree: name, branches, ...asked }, call) =>
    call.withFile(file, async (open) => {
      const { info } = await open.tree(await treeOf(open, name));
      const request = {
        tree: info.path,
        branches: chooseBranches(info, branches).map(({ index }) => index),
        entries: await call.entriesOf(asked, info.entries),
        details: true,
      };
      const { signal, onProgress } = call;
      const results = await open.reader.summarize(open.info.id, request, { signal, onProgress });
      return {
        tree: info.path,
        branches: results.map(
          ({ branch: { path, typeName, kind }, exact: _, ...figures }): BranchFigures => ({
            ...{ path, type: typeName, texts: kind === 'string' },
            ...figures,
          }),
        ),
        partial: info.partial,
      };
    }),
  report: ({ tree, branches, partial }) => summaryReport(tree, branches, partial),
  // A branch of objects has no figures in a sound file either.
  status: ({ branches, partial }) =>
    partial || branches.some(({ error }) => error && error.code !== 'UNSUPPORTED') ? 1 : 0,
  toJson: ({ branches, partial }) => summaryJson(branches, partial),
  tool: {
    title: 'Figures of branches',
    description:
      'Minimum, maximum, mean, standard deviation, number of NaN, zeros and distinct values of branches, over all entries or some. Reads these branches.',
    without: ['entryList', 'sample', 'seed'],
    cost: ({ file, ...asked }, call) => call.withFile(file, (open) => branchesCost(open, asked, call)),
  },
});

/** The figures of branches as JSON, with numbers that JSON does not have as texts. */
export function summaryJson(branches: readonly BranchFigures[], partial?: PartialNote): string {
  const note = partial ? `, "partial": ${JSON.stringify(partial)}` : '';
  return `{"branches": [\n${branches.map(branchJson).join(',\n')}\n]${note}}`;
}

function branchJson({ path, type, texts, missing, error, details, ...figures }: BranchFigures): string {
  const counts: Partial<typeof figures> = { entries: figures.entries, values: figures.values };
  const members = {
    path,
    type,
    ...(texts ? counts : figures),
    ...details,
    missing: missing?.message,
    error: error?.message,
  };
  return membersJson(members);
}
