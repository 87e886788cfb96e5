import { formatBytes, formatCount } from '../../../base/format';
import type { BranchStats, CollectionStats, TreeStats } from '../../../reads/layout-stats';
import { type Column, column, type Fact, type Report, type Table } from '../../../report/report';
import { sortedRows } from '../../../report/rows';
import type { BranchFacts, LayoutFacts } from './layout-facts';

/** The columns for branches. `--sort` and links use their ids. */
export const LAYOUT_COLUMNS = [
  column<BranchStats>('name', 'Branch', 'text', ({ path }) => path, {
    place: ({ index }) => ({ branch: index }),
  }),
  column<BranchStats>('stored', 'Stored', 'bytes', ({ storedBytes }) => storedBytes, { bar: true }),
  column<BranchStats>('total', 'Uncompressed', 'bytes', ({ totalBytes }) => totalBytes),
  column<BranchStats>('factor', 'Factor', 'ratio', ({ factor }) => factor),
  column<BranchStats>('baskets', 'Baskets', 'count', ({ baskets }) => baskets),
  column<BranchStats>('basket', 'Mean size', 'bytes', ({ basketBytes }) => basketBytes.mean),
  column<BranchStats>('smallest', 'Smallest', 'bytes', ({ basketBytes }) => basketBytes.min),
  column<BranchStats>('largest', 'Largest', 'bytes', ({ basketBytes }) => basketBytes.max),
  column<BranchStats>('entries', 'Entries in one', 'count', ({ entriesPerBasket }) => entriesPerBasket.mean),
  column<BranchStats>('perentry', 'Bytes an entry', 'number', ({ bytesPerEntry }) => bytesPerEntry, {
    text: ({ bytesPerEntry }) => String(Number(bytesPerEntry.toPrecision(3))),
  }),
  column<BranchStats>('codec', 'Codec', 'text', ({ compression }) => compression),
];

/** The columns of the buffers and of the form of each branch. */
export const BUFFER_COLUMNS = [
  column<BranchFacts>('name', 'Branch', 'text', ({ path }) => path, {
    place: ({ index }) => ({ branch: index }),
  }),
  column<BranchFacts>('buffer', 'Basket size', 'bytes', ({ bufferBytes }) => bufferBytes),
  column<BranchFacts>('recommended', 'Recommended', 'bytes', ({ recommendedBytes }) => recommendedBytes),
  column<BranchFacts>('baskets', 'Baskets', 'count', ({ baskets }) => baskets),
  column<BranchFacts>('then', 'Baskets then', 'count', ({ recommendedBaskets }) => recommendedBaskets),
  column<BranchFacts>('split', 'Split', 'count', ({ splitLevel }) => splitLevel),
  column<BranchFacts>('streaming', 'Collections', 'text', ({ streaming }) => streaming),
  column<BranchFacts>('codec', 'Codec', 'text', ({ compression, uncompressed }) =>
    uncompressed ? `${compression} → none` : compression,
  ),
];

/** The default order of rows. */
const STORED = 'stored';

/** All columns of branches by which rows are sorted, each id once. */
const COLUMNS: Column<BranchFacts>[] = [
  ...LAYOUT_COLUMNS,
  ...BUFFER_COLUMNS.filter(({ id }) => !LAYOUT_COLUMNS.some((one) => one.id === id)),
];
export const SORTED_BY = COLUMNS.map(({ id }) => id);

/** Returns branches sorted by a column; in the tree's order if there is no such column. */
export const sortedBranches = ({ branches }: LayoutFacts, by = STORED): BranchFacts[] => [
  ...sortedRows({ id: 'branches', columns: COLUMNS, rows: branches }, by),
];

/** Returns the layout of a tree: facts, branches, buffers and collections. `limit`: number of rows in a terminal. */
export function layoutReport(
  stats: LayoutFacts,
  collections: readonly CollectionStats[],
  by = STORED,
  limit?: number,
): Report {
  const isTree = stats.kind === 'TTree';
  const cut = { limit, rest: '--top 0 shows all' };
  const titles: Record<string, string> = isTree ? {} : { Branch: 'Field', Baskets: 'Pages' };
  const columns: Column<BranchStats>[] = LAYOUT_COLUMNS.map((one) => ({
    ...one,
    title: titles[one.title] ?? one.title,
  }));
  return {
    title: stats.path,
    text: [inWords(stats)],
    facts: factsOf(stats),
    tables: [
      { id: 'branches', columns, rows: stats.branches.filter(({ baskets }) => baskets > 0), by, ...cut },
      ...(isTree ? [buffersTable(stats, by, cut)] : []),
      {
        id: 'collections',
        columns: collectionColumns(stats),
        rows: collections,
        by: STORED,
        ...cut,
      },
    ],
  };
}

/** The branches in the order of the table of branches, also where its column is not shown here. */
function buffersTable(
  stats: LayoutFacts,
  by: string,
  cut: Pick<Table<BranchFacts>, 'limit' | 'rest'>,
): Table<BranchFacts> {
  const rows = sortedBranches(stats, by).filter(
    ({ baskets, recommendedBytes }) => baskets > 0 || recommendedBytes !== undefined,
  );
  const isShown = BUFFER_COLUMNS.some(({ id }) => id === by);
  return { id: 'buffers', columns: BUFFER_COLUMNS, rows, by: isShown ? by : undefined, ...cut };
}

const collectionColumns = ({ storedBytes: all }: TreeStats): Column<CollectionStats>[] => [
  column('name', 'Collection', 'text', ({ name }) => name),
  column('branches', 'Branches', 'count', ({ branches }) => branches),
  column('stored', 'Stored', 'bytes', ({ storedBytes }) => storedBytes, { bar: true }),
  column('total', 'Uncompressed', 'bytes', ({ totalBytes }) => totalBytes),
  column('share', 'Share', 'percent', ({ storedBytes }) => storedBytes / Math.max(1, all)),
];

function factsOf(stats: LayoutFacts): Fact[] {
  const isTree = stats.kind === 'TTree';
  return [
    { label: 'Entries', value: stats.entries, unit: 'count' },
    { label: 'Stored', value: stats.storedBytes, unit: 'bytes' },
    { label: 'Uncompressed', value: stats.totalBytes, unit: 'bytes' },
    { label: 'Compression factor', value: stats.factor, unit: 'ratio' },
    { label: isTree ? 'Baskets' : 'Pages', value: stats.baskets, unit: 'count' },
    { label: 'Mean size', value: stats.basketBytes.mean, unit: 'bytes' },
    { label: 'Smallest', value: stats.basketBytes.min, unit: 'bytes' },
    { label: 'Largest', value: stats.basketBytes.max, unit: 'bytes' },
    { label: "In the tree's record", value: embeddedIn(stats) },
    autoFlushFact(stats.autoFlush),
    {
      label: stats.wrongClusters ? 'Clusters claimed' : 'Clusters',
      value: stats.clusters > 0 ? formatCount(stats.clusters) : 'none',
    },
    { label: 'True clusters', value: isTree ? stats.trueClusters : undefined, unit: 'count' },
    { label: 'Seeks back', value: stats.backwardSeeks, unit: 'count' },
    { label: 'Skips forward', value: stats.forwardSkips, unit: 'count' },
    { label: 'Scatter', value: stats.scatter, unit: 'ratio' },
    { label: 'Buffers', value: stats.bufferBytes, unit: 'bytes' },
    { label: 'Buffers, recommended', value: stats.optimized?.memoryThen, unit: 'bytes' },
    { label: 'Baskets by buffers', value: stats.optimized?.basketsNow, unit: 'count' },
    { label: 'Baskets, recommended', value: stats.optimized?.basketsThen, unit: 'count' },
  ];
}

/** Returns fAutoFlush: entries, or bytes if it is negative. */
function autoFlushFact(value: number | undefined): Fact {
  if (value === undefined || value === 0)
    return { label: 'AutoFlush', value: value === 0 ? 'off' : undefined };
  return value > 0
    ? { label: 'AutoFlush, entries', value, unit: 'count' }
    : { label: 'AutoFlush', value: -value, unit: 'bytes' };
}

/** Describes the baskets in the tree's own record and its size; undefined if it has none. */
const embeddedIn = ({ embeddedBaskets, recordBytes }: TreeStats): string | undefined =>
  embeddedBaskets > 0 ? `${formatCount(embeddedBaskets)} of ${formatBytes(recordBytes)}` : undefined;

/** Explains the figures and their effect on reading. */
export function inWords(stats: TreeStats): string {
  const unit = stats.kind === 'TTree' ? 'basket' : 'page';
  const codecs = stats.compressions.map(({ name }) => name).join(', ');
  const isEmbedded = stats.baskets > 0 && stats.embeddedBaskets === stats.baskets;
  const clusters = isEmbedded
    ? `All ${unit}s lie in the tree's own record and are read when it is opened.`
    : stats.wrongClusters
      ? wrongInWords(stats, unit)
      : stats.clusters === 0
        ? `It has no clusters: each ${unit} was written when it was full, wherever the file ended then.`
        : `Clusters are of ${formatBytes(stats.clusterBytes.min)} to ${formatBytes(stats.clusterBytes.max)}; ${
            stats.crossing === 0
              ? `every ${unit} lies within one`
              : `${formatCount(stats.crossing)} ${unit}s reach over the end of one`
          }.`;
  const scatter = Number.isFinite(stats.scatter)
    ? ` What is read together lies in a stretch ${stats.scatter < 1.005 ? 'of just its own bytes' : `${stats.scatter.toFixed(2)} times its bytes`}.`
    : '';
  return `${codecs === '' ? '' : `Compressed with ${codecs}. `}${clusters}${scatter}`;
}

function wrongInWords({ clusters, trueClusters, crossing, clusterBytes }: TreeStats, unit: string): string {
  return `Its record claims ${formatCount(clusters)} clusters, and ${formatCount(crossing)} ${unit}s reach over the end of one. The ${unit}s themselves have ${formatCount(trueClusters)} clusters, of ${formatBytes(clusterBytes.min)} to ${formatBytes(clusterBytes.max)}.`;
}
