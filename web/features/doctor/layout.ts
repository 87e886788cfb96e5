import { flag, oneOf, optional, whole } from '../../base/shape';
import { collectionStats, layoutStats } from '../../reads/layout-stats';
import { CHAIN_TEXT, FILE, TREE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { verb } from '../../verbs/verb';
import { LAYOUT_COLUMNS, layoutReport, sortedBranches } from './work/layout-report';

/** The order of the tree itself. */
const OWN = 'file';

export const layout = verb({
  name: 'layout',
  words: 'FILE [TREE]',
  about: `How the branches of a tree (or the fields of an RNTuple) lie in the file: bytes, compression, baskets,
clusters, and how far apart lies what is read together. It is known from metadata alone.
${CHAIN_TEXT}`,
  params: {
    file: FILE,
    tree: TREE,
    sort: optional(
      oneOf(...LAYOUT_COLUMNS.map(({ id }) => id), OWN),
      'BY',
      `order of the rows: ${[...LAYOUT_COLUMNS.map(({ id }) => id)].join(', ')}, or ${OWN} (the tree's own order); default stored`,
    ),
    top: optional(whole(0), 'N', 'only the first N rows; default 40, 0 is all'),
    collections: flag(
      'bytes of each collection instead: a branch at the top with what is below it, or branches of one prefix ' +
        '(Muon_pt, Muon_eta), largest first',
    ),
  },
  json: `{"path", "entries", "storedBytes", "totalBytes", "factor", "baskets", "basketBytes": {"min", "mean",
"max"}, "embeddedBaskets", "clusters", "trueClusters", "wrongClusters", "clusterBytes", "crossing",
"backwardSeeks", "forwardSkips", "scatter", "recordBytes", "compressions", "branches": [{"path", "collection",
"storedBytes", …}], "collections": […]}.
embeddedBaskets: baskets that lie in the tree's own record; they count with their part of its stored bytes.
clusters: those that the tree's record claims. trueClusters: those that the baskets have, which
begin where no basket has entries on both sides; baskets in the tree's record and the only one of a branch do
not count. wrongClusters: whether more than 2 % of the baskets lie in two claimed clusters, and there are at least half as
many true ones; clusterBytes and scatter are of the true ones then. crossing: baskets that hold entries of more than one
claimed cluster. backwardSeeks, forwardSkips:
reading all baskets in the order of their first entries. scatter: the stretch of the file that a cluster's
baskets reach over, by their bytes; 1 is best. Sizes are in bytes; a factor of nothing is null.`,
  run: ({ file, tree, sort }, { withFile }) =>
    withFile(file, async (open) => {
      const stats = layoutStats(await open.reader.layout(open.info.id, await treeOf(open, tree)));
      return {
        ...stats,
        branches: sortedBranches(stats, sort),
        collections: collectionStats(stats.branches),
      };
    }),
  report({ collections, ...stats }, { sort, top = 40, collections: alone }) {
    const report = layoutReport(stats, collections, sort, top);
    const shown = alone ? 'collections' : 'branches';
    return { ...report, tables: report.tables?.filter(({ id }) => id === shown) ?? [] };
  },
  tool: {
    title: 'Layout of a tree',
    description:
      'How the branches of a tree lie in the file: bytes, compression, baskets, clusters, seeks. From metadata alone.',
  },
});
