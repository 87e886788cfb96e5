import { formatBytes, formatCount } from '../../base/format';
import { own } from '../../base/own';
import {
  type BranchStats,
  type CollectionStats,
  collectionStats,
  layoutStats,
  type TreeStats,
} from '../../insight/doctor/layout-stats';
import { parseWhole } from '../arguments';
import { command } from '../command';
import { type Context, withFile } from '../context';
import { CHAIN_TEXT, commonOptions, flag, valued } from '../options';
import { right, tableLines } from '../terminal/table';
import { treeOf } from '../trees';

/** Largest first; names and the file's order ascend. */
const orders: Record<string, (a: BranchStats, b: BranchStats) => number> = {
  stored: (a, b) => b.storedBytes - a.storedBytes,
  total: (a, b) => b.totalBytes - a.totalBytes,
  factor: (a, b) => (b.factor || 0) - (a.factor || 0),
  baskets: (a, b) => b.baskets - a.baskets,
  basket: (a, b) => b.basketBytes.mean - a.basketBytes.mean,
  entries: (a, b) => b.entriesPerBasket.mean - a.entriesPerBasket.mean,
  perentry: (a, b) => b.bytesPerEntry - a.bytesPerEntry,
  name: (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  file: (a, b) => a.index - b.index,
};

export const layout = command({
  usage: ['FILE [TREE]'],
  about: `How the branches of a tree (or the fields of an RNTuple) lie in the file: bytes, compression, baskets,
clusters, and how far apart lies what is read together. It is known from metadata alone.
${CHAIN_TEXT}`,
  options: {
    sort: valued(
      'BY',
      'stored (default), total, factor, baskets, basket (mean size), entries (in a basket), perentry, name, ' +
        "file (the tree's own order)",
      { choices: Object.keys(orders) },
    ),
    top: valued('N', 'only the first N rows; default 40, 0 is all'),
    collections: flag(
      'bytes of each collection instead: a branch at the top with what is below it, or branches of one prefix ' +
        '(Muon_pt, Muon_eta), largest first',
    ),
    ...commonOptions,
  },
  json: `{"path", "entries", "storedBytes", "totalBytes", "factor", "baskets", "basketBytes": {"min", "mean",
"max"}, "embeddedBaskets", "clusters", "trueClusters", "wrongClusters", "clusterBytes", "crossing",
"backwardSeeks", "forwardSkips", "scatter", "recordBytes", "compressions", "branches": [{"path", "collection",
"storedBytes", …}], "collections": […]}.
embeddedBaskets: those of the baskets that lie in the tree's own record, and count with their part of its
stored bytes. clusters: those that the tree's record claims. trueClusters: those that the baskets have, which
begin where no basket has entries on both sides; baskets in the tree's record and the only one of a branch do
not count. wrongClusters: whether more than 2 % of the baskets lie in two claimed clusters, and at least half as
many true ones stand for them in clusterBytes and scatter. crossing: baskets that hold entries of more than one
claimed cluster. backwardSeeks, forwardSkips:
reading all baskets in the order of their first entries. scatter: the stretch of the file that a cluster's
baskets reach over, by their bytes; 1 is best. Sizes are in bytes; a factor of nothing is null.`,
  async run(given, [file = '', word], context) {
    const top = parseWhole(given.top ?? '40', '--top', 0, Number.MAX_SAFE_INTEGER);
    return await withFile(file, given, context, async (open) => {
      const { reader, info } = open;
      const stats = layoutStats(await reader.layout(info.id, await treeOf(open, word)));
      stats.branches.sort(own(orders, given.sort ?? 'stored'));
      const collections = collectionStats(stats.branches);
      const { out } = context;
      if (given.json) {
        out.line(JSON.stringify({ ...stats, collections }));
        return 0;
      }
      for (const line of headLines(stats)) out.line(line);
      out.line();
      const rows = stats.branches.filter(({ baskets }) => baskets > 0);
      const [lines, all] = given.collections
        ? [collectionLines(collections, stats.storedBytes, top), collections.length]
        : [branchLines(rows, stats.kind, top), rows.length];
      for (const line of lines) {
        out.line(line);
        await out.drain();
      }
      if (top > 0 && all > top) tellMore(all - top, context);
      return 0;
    });
  },
});

function tellMore(count: number, { err }: Context): void {
  err.line(`… and ${formatCount(count)} more; --top 0 shows all.`);
}

function headLines(stats: TreeStats): string[] {
  const { path, entries, storedBytes, totalBytes, factor, baskets, basketBytes } = stats;
  const unit = stats.kind === 'TTree' ? 'baskets' : 'pages';
  const ratio = Number.isFinite(factor) ? `, factor ${factor.toFixed(2)}` : '';
  const embedded =
    stats.embeddedBaskets > 0
      ? `; ${formatCount(stats.embeddedBaskets)} of them in the tree's own record (${formatBytes(stats.recordBytes)})`
      : '';
  const codecs = stats.compressions.map(({ name }) => name).join(', ');
  return [
    `${path}  ${formatCount(entries)} entries, ${formatBytes(totalBytes)} in ${formatBytes(storedBytes)}${ratio} (${codecs})`,
    `${formatCount(baskets)} ${unit} of ${formatBytes(basketBytes.min)} to ${formatBytes(basketBytes.max)}, mean ${formatBytes(basketBytes.mean)}${embedded}`,
    clusterLine(stats, unit),
    `in entry order: ${formatCount(stats.backwardSeeks)} seeks back, ${formatCount(stats.forwardSkips)} skips forward; scatter ${Number.isFinite(stats.scatter) ? stats.scatter.toFixed(2) : 'none'}`,
  ];
}

/** The clusters that the tree's record claims, and those that its baskets have. */
function clusterLine(stats: TreeStats, unit: string): string {
  const { clusters, trueClusters, wrongClusters, clusterBytes, crossing, kind } = stats;
  const sizes = `${formatBytes(clusterBytes.min)} to ${formatBytes(clusterBytes.max)}`;
  const found = `the ${unit} have ${formatCount(trueClusters)}`;
  if (clusters === 0) return `clusters: the file does not say; ${found}`;
  const across = `${formatCount(crossing)} ${unit} lie in more than one`;
  if (wrongClusters) return `${formatCount(clusters)} clusters claimed, ${across}; ${found} of ${sizes}`;
  const claimed = `${formatCount(clusters)} clusters of ${sizes}; ${across}`;
  return kind === 'RNTuple' ? claimed : `${claimed}; ${found}`;
}

function branchLines(branches: readonly BranchStats[], kind: TreeStats['kind'], top: number): string[] {
  const unit = kind === 'TTree' ? 'Baskets' : 'Pages';
  const columns = [
    kind === 'TTree' ? 'Branch' : 'Field',
    ...['Stored', 'Size', 'Factor', unit, 'Mean', 'Smallest', 'Largest'].map(right),
    ...['Entries in one', 'Bytes/entry'].map(right),
    'Codec',
  ];
  const rows = (top > 0 ? branches.slice(0, top) : branches).map((branch) => [
    branch.path,
    formatBytes(branch.storedBytes),
    formatBytes(branch.totalBytes),
    Number.isFinite(branch.factor) ? branch.factor.toFixed(2) : '',
    formatCount(branch.baskets),
    formatBytes(branch.basketBytes.mean),
    formatBytes(branch.basketBytes.min),
    formatBytes(branch.basketBytes.max),
    formatCount(Math.round(branch.entriesPerBasket.mean)),
    branch.bytesPerEntry.toPrecision(3),
    branch.compression,
  ]);
  return tableLines(columns, rows);
}

function collectionLines(collections: readonly CollectionStats[], stored: number, top: number): string[] {
  const columns = ['Collection', ...['Branches', 'Stored', 'Size', 'Share'].map(right), ''];
  const most = collections[0]?.storedBytes ?? 1;
  const rows = (top > 0 ? collections.slice(0, top) : collections).map((one) => [
    one.name,
    formatCount(one.branches),
    formatBytes(one.storedBytes),
    formatBytes(one.totalBytes),
    `${((100 * one.storedBytes) / Math.max(1, stored)).toFixed(1)} %`,
    '█'.repeat(Math.round((24 * one.storedBytes) / Math.max(1, most))),
  ]);
  return tableLines(columns, rows);
}
