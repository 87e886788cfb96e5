import type { TreeLayout } from '../../api/api';
import type { FileUse } from '../../api/reading';
import { XylemError } from '../../base/errors';
import { listOf, optional, POSITIVE } from '../../base/shape';
import { chooseBranches } from '../../model/choose';
import { basketLayout, withNeeded } from '../../reads/basket-layout';
import { usedBranches } from '../../reads/use';
import { entryRange, notEntryRange } from '../../verbs/entry-range';
import { BRANCHES, CHAIN_TEXT, ENTRIES, FILE, FRACTION, TREE, USE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { verb } from '../../verbs/verb';
import { STRATEGIES, type Strategy, simulateReading, strategiesFor } from './work/simulate';
import { whatIfJson, whatIfReport, whatIfTitle } from './work/whatif-report';

/** Bytes in a millisecond of a link of 1 Mbit/s. */
const MBIT = 125;

export const whatif = verb({
  name: 'whatif',
  words: 'FILE [TREE]',
  about: `Says what reading branches would cost, from the tree's metadata alone: without a cache, with a read-ahead of
256 kB, with ROOT's TTreeCache (as ROOT 6.40 fills it, by its defaults) or, of an RNTuple, its cluster pool, and with
xylem's own plan.
${CHAIN_TEXT}`,
  params: {
    file: FILE,
    tree: TREE,
    branches: BRANCHES,
    ...USE,
    entries: { ...ENTRIES, about: 'only the entries A to B-1' },
    sample: optional(FRACTION, 'PART', 'every n-th entry, so that about this part is read: 1% or 0.01'),
    latency: optional(POSITIVE, 'MS', 'round trip of the link; default 20'),
    bandwidth: optional(POSITIVE, 'MBIT', 'bandwidth of the link in Mbit/s; default 100'),
    caches: optional(listOf(POSITIVE), 'MB,…', 'sizes of TTreeCache; default 10,30,60,200'),
  },
  notes: `Calls are what TTreePerfStats calls ReadCalls; a fill of a TTreeCache is one vectored request, so that the
link's latency counts once for it. Times are of the link only: decoding comes on top.`,
  json: `{"tree", "branches": n, "entries": [from, to, step], "link": {"latencyMs", "bytesPerMs"}, "outcomes":
[{"strategy", "calls", "trips", "bytes", "overread", "ms"}, …]}. A time that is too large for a number is "inf".`,
  async run(
    { file, tree, entries = ':', sample = 1, latency = 20, bandwidth = 100, caches, ...asked },
    call,
  ) {
    const link = { latencyMs: latency, bytesPerMs: bandwidth * MBIT };
    const useOf = await call.useOf(asked);
    return await call.withFile(file, async (open) => {
      const { reader, info } = open;
      const layout = await reader.layout(info.id, await treeOf(open, tree));
      const { path, kind, entries: all } = layout.tree;
      const chosen = neededOf(useOf(info), layout);
      const range = entryRange(entries, all);
      if (range === undefined) throw call.misused(notEntryRange(entries));
      const [from, to] = range;
      const choice = {
        branches: chosen.map(({ index }) => index),
        entries: { from, to, step: Math.max(1, Math.round(1 / sample)) },
      };
      const strategies = caches === undefined ? strategiesFor(kind) : withCaches(caches);
      const outcomes = simulateReading(basketLayout(layout), choice, link, strategies);
      return { tree: path, branches: chosen.length, entries: choice.entries, link, outcomes };
    });
  },
  report: (found) => whatIfReport(found),
  toJson: whatIfJson,
  outputs: {
    svg: {
      about: 'write the plot of cache size against calls and time to OUT ("-" is stdout)',
      async make(found) {
        const [{ whatIfPlot }, { plotSvg }] = await Promise.all([
          import('./work/simulation'),
          import('../../plot/svg'),
        ]);
        return plotSvg(whatIfPlot(found.outcomes, whatIfTitle(found)), { width: 860, log: { y: true } });
      },
    },
  },
  tool: {
    name: 'what_if',
    title: 'What a reading costs',
    description:
      'Requests, bytes and time that reading branches would cost on a link: with ROOT without a cache, with its TTreeCache, and with xylem. From metadata alone: nothing is read.',
    without: ['reads', 'selector', 'sample', 'caches'],
    names: { draw: 'expression', latency: 'latencyMs', bandwidth: 'megabitsPerSecond' },
  },
});

/** Returns the branches of a use and those that they need; all if there is no use. Throws NOT_FOUND if it reads none of the tree. */
function neededOf(use: FileUse | undefined, layout: TreeLayout) {
  const { tree, source } = layout;
  if (use === undefined) return withNeeded(tree, chooseBranches(tree, undefined), source);
  const used = usedBranches(use, layout);
  if (used === undefined) {
    throw new XylemError({ code: 'NOT_FOUND', message: `${use.name} reads no branch of ${tree.path}.` });
  }
  return used.recorded ? [...used.branches] : withNeeded(tree, used.branches, source);
}

/** The strategies with caches of these sizes in MB. */
function withCaches(sizes: readonly number[]): Strategy[] {
  const caches = sizes.map((size): Strategy => ({ kind: 'cache', bytes: size * 1e6 }));
  return [...STRATEGIES.slice(0, 2), ...caches, ...STRATEGIES.slice(-1)];
}
