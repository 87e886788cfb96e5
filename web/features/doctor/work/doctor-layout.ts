import type { BranchInfo, TreeLayout } from '../../../api/api';
import type { DoctorGrade, DoctorPromise } from '../../../api/doctor';
import { formatBytes, formatCount } from '../../../base/format';
import { clustersOf, hasWrongClusters } from '../../../reads/layout-stats';
import { layoutCosts, worthIt } from '../../whatif/work/layout-costs';
import { clusterEntries, repairedLayout, repairedNtuple } from '../../whatif/work/repaired';
import { type LayoutMeasure, measureLayout } from './doctor-measure';
import { about, type Draft, draft, percent } from './doctor-types';

/** Maximum size of a tree whose layout hardly matters, because one or two requests read all of it. */
const SMALL_TREE = 5_000_000;
/** Baskets of the same entries are scattered if they extend over more than this multiple of their bytes. */
const APART = 1.05;
/** Minimum bytes of baskets in the tree's own record that are reported. Every opening of the tree reads them. */
const EMBEDDED_NOTE = 200_000;
const EMBEDDED_POOR = 1_000_000;

/** Returns findings on the positions of a tree's baskets or pages. */
export function layoutFindings(layout: TreeLayout): Draft[] {
  const measure = measureLayout(layout);
  const found =
    layout.tree.kind === 'TTree'
      ? [
          scattered(layout, measure),
          hasWrongClusters(layout) ? wrongClusters(layout) : misaligned(layout, measure),
          tinyBaskets(layout, measure),
          largeClusters(layout, measure),
          smallClusters(layout, measure),
          embedded(layout),
        ]
      : [smallPages(layout, measure), largeClusters(layout, measure), smallClusters(layout, measure)];
  return found.filter((finding) => finding !== undefined);
}

/** Returns the clusters and baskets now and in the rewritten tree. */
function laidAnew(layout: TreeLayout): DoctorPromise[] {
  const better = repairedLayout(layout);
  const clusters: DoctorPromise = {
    what: 'clusters',
    now: layout.clusterStart.length,
    after: better.clusterStarts.length,
  };
  const baskets: DoctorPromise = { what: 'baskets', now: layout.offset.length, after: better.offsets.length };
  return layout.clusterStart.length > 0 ? [clusters, baskets] : [baskets];
}

function scattered(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { span, shared, travel, backward, baskets, stored, windows } = measure;
  if (stored < SMALL_TREE || baskets < 100 || span < APART) return undefined;
  const costs = layoutCosts(layout);
  if (!worthIt(costs)) return undefined;
  const count = clustersOf(layout).length;
  const clusters = count > 0 ? `${formatCount(windows)} clusters` : 'no clusters';
  const evidence = [
    `The tree has ${clusters}.`,
    `The baskets of the same entries (${formatBytes(stored / windows)} of them) lie over ${span.toFixed(2)} times their bytes,`,
    `and ${percent(shared - 1)} of the bytes belong to two such ranges.`,
    `In entry order ${formatCount(backward)} of ${formatCount(baskets)} reads go backward, over ${travel.toFixed(1)} times the tree's size.`,
  ].join(' ');
  return draft(layout.tree.path, 'scattered', span >= 1.1 ? 'bad' : 'poor', evidence, {
    numbers: { span, shared, travel, backward, baskets, clusters: count },
    place: measure.worst && { offset: measure.worst.offset, length: measure.worst.length },
    promises: laidAnew(layout),
    costs,
    cure: 'rewrite',
  });
}

/**
 * Finds cluster borders that only the tree's record claims. hadd writes them when it copies baskets of several files.
 */
function wrongClusters(layout: TreeLayout): Draft | undefined {
  const { tree, clusterStart, trueStart } = layout;
  const { crossing, baskets, stored, shared } = measureLayout(layout, clusterStart);
  if (stored < SMALL_TREE) return undefined;
  const share = crossing / Math.max(1, baskets);
  const evidence = [
    `The tree's record claims ${formatCount(clusterStart.length)} clusters, but its baskets have ${formatCount(trueStart.length)} others.`,
    `${formatCount(crossing)} of ${formatCount(baskets)} baskets (${percent(share)}) have entries of two claimed clusters,`,
    `so that a reader for each claimed cluster reads and decompresses ${percent(shared - 1)} more: ${formatBytes(shared * stored)} for ${formatBytes(stored)}.`,
    'Only the record is wrong, as it often is in merged files: the baskets can stay as they are.',
  ].join(' ');
  const after = measureLayout(layout, trueStart).crossing;
  return draft(tree.path, 'wrong-clusters', shared > 1.2 ? 'bad' : 'poor', evidence, {
    numbers: { claimed: clusterStart.length, true: trueStart.length, crossing, baskets, share, shared },
    promises: [{ what: 'baskets in two clusters', now: crossing, after }],
    cure: 'rewrite',
  });
}

function misaligned(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { crossing, baskets, stored } = measure;
  const share = crossing / Math.max(1, baskets);
  if (layout.clusterStart.length < 2 || stored < SMALL_TREE || share < 0.02) return undefined;
  const evidence = `${formatCount(crossing)} of ${formatCount(baskets)} baskets (${percent(share)}) have entries of two clusters: they are read, and decompressed, twice where clusters are read in parallel.`;
  return draft(layout.tree.path, 'misaligned', share > 0.2 ? 'bad' : 'poor', evidence, {
    numbers: { crossing, baskets, share },
    promises: [{ what: 'baskets in two clusters', now: crossing, after: 0 }, ...laidAnew(layout)],
    costs: layoutCosts(layout),
    cure: 'rewrite',
  });
}

function tinyBaskets(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { medianBytes, baskets, stored } = measure;
  if (baskets < 2000 || medianBytes >= 4000) return undefined;
  // A tree with thousands of branches has that many baskets in any layout.
  if (repairedLayout(layout).offsets.length > 0.5 * baskets) return undefined;
  // Approximate bytes of the keys of baskets.
  const keys = baskets * 80;
  // Adjacent baskets of a cluster are read at once, so only their keys cost.
  const together = layout.clusterStart.length > 0 && measure.span < APART;
  const many = medianBytes < 1500 && baskets > 50_000;
  const grade: DoctorGrade = together ? (keys > 0.1 * stored ? 'poor' : 'note') : many ? 'bad' : 'poor';
  const evidence = `Half of the ${formatCount(baskets)} baskets have less than ${formatBytes(medianBytes)}; their keys alone are about ${percent(keys / stored)} of the tree.${together ? ' Those of a cluster lie together, so that a cache reads them at once.' : ''}`;
  return draft(layout.tree.path, 'tiny-baskets', grade, evidence, {
    numbers: { medianBytes, baskets, buffer: median(layout.basketSize) },
    ...about(smallestFirst(layout.tree.branches)),
    promises: laidAnew(layout),
    costs: layoutCosts(layout),
    cure: 'rewrite',
  });
}

function largeClusters(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { tree } = layout;
  const clusters = clustersOf(layout).length;
  const most = tree.kind === 'RNTuple' ? 250e6 : 100e6;
  if (clusters === 0 || measure.largestWindow < most) return undefined;
  const evidence = `The largest of ${formatCount(clusters)} clusters has ${formatBytes(measure.largestWindow)}: that much has to be in memory at once, and there are few parts to share among threads.`;
  const then =
    tree.kind === 'RNTuple'
      ? repairedNtuple(layout).clusters
      : Math.ceil(tree.entries / clusterEntries(tree));
  return draft(tree.path, 'large-clusters', measure.largestWindow > 4 * most ? 'bad' : 'poor', evidence, {
    numbers: { largest: measure.largestWindow, clusters },
    promises: [{ what: 'clusters', now: clusters, after: then }],
    cure: 'rewrite',
  });
}

function smallClusters(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { tree } = layout;
  const clusters = clustersOf(layout).length;
  const average = measure.stored / Math.max(1, clusters);
  if (clusters < 50 || average > 500_000) return undefined;
  const ntuple = tree.kind === 'RNTuple';
  const costs = ntuple ? [] : layoutCosts(layout);
  if (!ntuple && !worthIt(costs)) return undefined;
  const evidence = `${formatCount(clusters)} clusters of ${formatBytes(average)} on average: reading a branch takes as many small reads. Files merged without rewriting often look like this.`;
  return draft(tree.path, 'small-clusters', average < 100_000 ? 'bad' : 'poor', evidence, {
    numbers: { average, clusters },
    promises: ntuple ? fewerPages(layout, measure) : laidAnew(layout),
    costs,
    cure: 'rewrite',
  });
}

/** Returns the clusters and pages of an RNTuple now and after rewriting. */
function fewerPages(layout: TreeLayout, { baskets }: LayoutMeasure): DoctorPromise[] {
  const then = repairedNtuple(layout);
  return [
    { what: 'clusters', now: layout.clusterStart.length, after: then.clusters },
    { what: 'pages', now: baskets, after: then.pages },
  ];
}

function smallPages(layout: TreeLayout, measure: LayoutMeasure): Draft | undefined {
  const { medianBytes, baskets } = measure;
  if (baskets < 2000 || medianBytes >= 2000) return undefined;
  const { pages } = repairedNtuple(layout);
  if (pages > 0.5 * baskets) return undefined;
  const evidence = `Half of the ${formatCount(baskets)} pages have less than ${formatBytes(medianBytes)}.`;
  return draft(layout.tree.path, 'small-pages', 'poor', evidence, {
    numbers: { medianBytes, pages: baskets },
    promises: [{ what: 'pages', now: baskets, after: pages }],
    cure: 'rewrite',
  });
}

/** Finds values in the tree's own record. ROOT leaves them there when it writes a tree that was in memory. */
function embedded({ tree, record }: TreeLayout): Draft | undefined {
  const branches = tree.branches.filter(({ embeddedBytes = 0 }) => embeddedBytes > 0);
  const bytes = branches.reduce((sum, { embeddedBytes = 0 }) => sum + embeddedBytes, 0);
  const share = Math.min(1, bytes / Math.max(1, record.objectBytes));
  const stored = Math.round(share * record.length);
  if (stored < EMBEDDED_NOTE) return undefined;
  const evidence = `The values of ${formatCount(branches.length)} branches lie in the tree's own record, ${formatBytes(stored)} of its ${formatBytes(record.length)}: opening the tree reads them all, whatever is wanted.`;
  return draft(tree.path, 'embedded-baskets', stored > EMBEDDED_POOR ? 'poor' : 'note', evidence, {
    numbers: { branches: branches.length, bytes: stored, record: record.length },
    ...about(branches.sort((a, b) => (b.embeddedBytes ?? 0) - (a.embeddedBytes ?? 0))),
    place: { offset: record.offset, length: record.length },
    promises: [{ what: 'bytes of the record', now: record.length, after: record.length - stored }],
    cure: 'rewrite',
  });
}

function smallestFirst(branches: readonly BranchInfo[]): BranchInfo[] {
  return branches
    .filter(({ kind, baskets }) => kind !== 'group' && baskets > 0)
    .sort((a, b) => a.storedBytes / a.baskets - b.storedBytes / b.baskets);
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0;
}
