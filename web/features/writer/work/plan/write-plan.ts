import type { EntryRange, FileInfo } from '../../../../api/api';
import type { NamedLink } from '../../../../api/doctor';
import type { EngineApi } from '../../../../api/engine-api';
import type { TreeLayout } from '../../../../api/layout';
import type { BasketSum, FetchCost, PlannedTree, PlanOptions, WritePlan } from '../../../../api/write';
import type { Range } from '../../../../io/source';
import { newestKeys } from '../../../../model/keys';
import { basketLayout } from '../../../../reads/basket-layout';
import { openLinkTo, streamed } from '../../../../reads/planned';
import { LINKS, layoutCosts } from '../../../whatif/work/layout-costs';
import {
  beginCopy,
  type Copying,
  type CopyOptions,
  type CopyPlan,
  endCopy,
  notesOf,
} from '../copy/copy-file';
import type { OrderedLayout } from '../input/clusters';
import { batchesOf, type Copied, copyRecords } from '../input/copy';
import { basketPieces, placesOf, type TreeJob } from '../input/tree-copy';
import { pagePieces } from '../ntuple/ntuple-copy';
import type { NtupleInput } from '../ntuple/ntuple-input';
import { basketsOf } from '../regroup/groups';
import { type BasketGroup, readsOf } from '../regroup/regroup';
import { groupTrees, type RegroupedTrees, type TreeGroups, treesOf } from '../regroup/regroup-trees';
import { entryStrip } from './entry-strip';
import { estimateGroups } from './estimate';

/** How trees are described in a plan. */
interface Telling {
  places: number;
  layouts: boolean;
  links: readonly NamedLink[];
}

/**
 * Returns what `copyFile` would do. Reads metadata, and some baskets if all are compressed again. Throws as
 * `copyFile` does before it writes.
 */
export async function planCopy(
  reader: EngineApi,
  info: FileInfo,
  plan: CopyPlan,
  { places = 0, layouts = false, links = LINKS, ...options }: PlanOptions & CopyOptions,
): Promise<WritePlan> {
  const { signal, writer } = options;
  const copying = await beginCopy(reader, info, undefined, plan, options);
  const { input, out, records, codec, keys, made, stored, ntuples, pieces } = copying;
  const copied = await copyRecords(input, out, records, pieces, { signal });
  const regroup = { ...plan.regroup, order: plan.order };
  const group =
    made.length > 0 ? await groupTrees({ input, records, codec }, made, regroup, { signal }) : undefined;
  const { placed, estimated } = await estimateGroups(input, records, group, out.end, {
    ...{ signal, writer },
    joined: layouts,
  });
  for (const { at, length } of placed) if (at >= out.end) out.skip(length);
  const trees = group && treesOf(group, placed, regroup, input.header);
  const telling = { places, layouts, links };
  const newest = new Set<unknown>(newestKeys(keys).values());
  const reports = [
    ...stored.map((job) => () => storedTree(job, copying, copied, telling)),
    ...made.map((job, i) => () => madeTree(job, i, group, trees, telling)),
    ...ntuples.map((ntuple) => () => plannedNtuple(ntuple, copying, layouts)),
  ];
  const jobs = [...stored, ...made, ...ntuples];
  const position = new Map(keys.map((key, i) => [key, i]));
  const planned = jobs
    .map(({ key }, i) => ({ key, report: reports[i] }))
    .filter(({ key }) => newest.has(key))
    .sort((a, b) => (position.get(a.key) ?? 0) - (position.get(b.key) ?? 0))
    .flatMap(({ report }) => report?.() ?? []);
  const batches = [
    ...Array.from(batchesOf(pieces), ({ ranges }) => ranges),
    ...(group ? Array.from(readsOf(group.sources, group.groups), ({ ranges }) => fromFile(ranges)) : []),
    ...copying.pages.flatMap((own) => Array.from(batchesOf(own), ({ ranges }) => ranges)),
  ];
  const bytes = await endCopy(copying, copied, trees, async (ntuple) => {
    const seek = out.end;
    const { layout, anchor, metadata } = ntuple;
    const pages = copying.pages[ntuples.indexOf(ntuple)] ?? [];
    for (const { length } of [...pages, ...layout.parts, anchor]) out.skip(length);
    metadata.free();
    return { seek };
  });
  return {
    read: {
      bytes: batches.flat().reduce((sum, { length }) => sum + length, 0),
      links: fetchCosts(batches, info.size, links),
    },
    write: { bytes, estimated: estimated || ntuples.length > 0 },
    trees: planned,
    notes: notesOf(copying, trees),
  };
}

/** Without baskets that are in the record of a tree. */
const fromFile = (ranges: readonly Range[]): Range[] => ranges.filter(({ offset }) => offset > 0);

/** Returns the costs of ranges that are fetched batch by batch. A disk is not a link. */
function fetchCosts(
  batches: readonly (readonly Range[])[],
  size: number,
  links: readonly NamedLink[],
): FetchCost[] {
  return links.flatMap(({ name: link, isDisk, ...speed }) => {
    if (isDisk) return [];
    const { calls, bytes, ms } = streamed(openLinkTo('parts', size, speed), batches);
    return { link, requests: calls, bytes, ms };
  });
}

interface NewBasket extends Copied {
  branch: number;
  firstEntry: number;
  entries: number;
}

function storedTree(
  job: TreeJob,
  { pieces, plan }: Copying,
  copied: readonly Copied[],
  telling: Telling,
): PlannedTree {
  const { source, layout } = job;
  const placeOf = placesOf(pieces, copied);
  const baskets = layout.tree.branches.flatMap(({ index: branch }) =>
    basketsOf(source, branch).flatMap((i): NewBasket[] => {
      const at = placeOf.get(source.offset[i] ?? 0);
      if (at === undefined) return [];
      const [firstEntry = 0, entries = 0] = [source.firstEntry[i], source.entries[i]];
      return [{ branch, firstEntry, entries, at, length: source.storedBytes[i] ?? 0 }];
    }),
  );
  const whole = sumOf(basketPieces([layout], plan.order));
  return plannedTree(job, job, baskets, { whole, unpacked: { baskets: 0, bytes: 0 } }, telling);
}

function madeTree(
  job: TreeJob,
  index: number,
  group: TreeGroups | undefined,
  trees: RegroupedTrees | undefined,
  telling: Telling,
): PlannedTree {
  const baskets = (trees?.placed ?? [])
    .filter(({ group: { tree } }) => tree === index)
    .map(({ group: { branch, firstEntry, entries }, at, length }) => ({
      branch,
      firstEntry,
      entries,
      at,
      length,
    }));
  const [whole, unpacked] = [new Set<number>(), new Set<number>()];
  for (const own of group?.groups ?? []) {
    if (own.tree !== index) continue;
    for (const { basket } of own.parts)
      if ((job.source.offset[basket] ?? 0) > 0) (isStored(own) ? whole : unpacked).add(basket);
  }
  const sum = (chosen: ReadonlySet<number>): BasketSum => ({
    baskets: chosen.size,
    bytes: [...chosen].reduce((bytes, basket) => bytes + (job.source.storedBytes[basket] ?? 0), 0),
  });
  return plannedTree(
    job,
    trees?.jobs[index] ?? job,
    baskets,
    { whole: sum(whole), unpacked: sum(unpacked) },
    telling,
  );
}

/** Whether a basket is a stored basket of the input, unchanged. */
function isStored({ parts, compress }: BasketGroup): boolean {
  return compress === undefined && parts.length === 1 && parts[0]?.ranges === undefined;
}

/** `now` is the copied tree, `then` the tree as it is written, with `baskets`. */
function plannedTree(
  now: TreeJob,
  then: TreeJob,
  baskets: readonly NewBasket[],
  sums: Pick<PlannedTree, 'whole' | 'unpacked'>,
  { places, layouts, links }: Telling,
): PlannedTree {
  const { key, source, layout, chosen } = now;
  const after = layoutAfter(now.source, then, baskets);
  const pieces = basketPieces([layout], 'clusters');
  const before = sumOf(pieces);
  const written = basketPieces([after], 'file');
  const part: EntryRange | undefined = chosen && [chosen.from, chosen.to];
  return {
    path: key.path,
    kind: 'tree',
    entries: source.tree.entries,
    entriesAfter: after.tree.entries,
    baskets: before.baskets,
    bytes: before.bytes,
    basketsAfter: written.length,
    bytesAfter: sumOf(written).bytes,
    ...sums,
    clustersClaimed: layout.clusterStart.length,
    clustersTrue: source.trueStart.length,
    clustersAfter: after.clusterStart.length,
    clustersChange: then.clusters !== undefined,
    seeksBefore: seeksOf(pieces),
    seeksAfter: seeksOf(basketPieces([after], 'clusters')),
    costs:
      written.length > 0 ? layoutCosts(source, { better: basketLayout(after), entries: part, links }) : [],
    ...(layouts && { layoutAfter: after }),
    ...(places > 0 && {
      strips: {
        before: entryStrip(layout, basketPieces([layout], 'file'), places),
        after: entryStrip(after, written, places),
      },
    }),
  };
}

/** Returns the new layout of a tree. Branches keep their index of the input, even if some are left out. */
function layoutAfter(
  source: TreeLayout,
  { layout, clusters }: TreeJob,
  baskets: readonly NewBasket[],
): OrderedLayout {
  const { entries } = layout.tree;
  const byBranch = source.tree.branches.map((): NewBasket[] => []);
  for (const basket of baskets) byBranch[basket.branch]?.push(basket);
  const sorted = byBranch.map((own) => own.sort((a, b) => a.firstEntry - b.firstEntry));
  const all = sorted.flat();
  const basketStart = new Uint32Array(sorted.length + 1);
  for (const [b, own] of sorted.entries()) basketStart[b + 1] = (basketStart[b] ?? 0) + own.length;
  const storedBytes = Float64Array.from(all, ({ length }) => length);
  return {
    ...source,
    tree: { ...source.tree, entries, storedBytes: storedBytes.reduce((a, b) => a + b, 0) },
    basketStart,
    offset: Float64Array.from(all, ({ at }) => at),
    storedBytes,
    firstEntry: Float64Array.from(all, ({ firstEntry }) => firstEntry),
    entries: Float64Array.from(all, ({ entries }) => entries),
    clusterStart: clusters ? layout.trueStart : layout.clusterStart.filter((at) => at === 0 || at < entries),
    trueStart: layout.trueStart,
    firstBranches: layout.firstBranches,
    autoFlush: clusters?.autoFlush ?? source.autoFlush,
  };
}

function plannedNtuple(ntuple: NtupleInput, { plan }: Copying, layouts: boolean): PlannedTree {
  const { key, layout } = ntuple;
  const { entries } = layout.tree;
  const reading = pagePieces(ntuple, 'clusters');
  const sum = sumOf(reading);
  const after = new Map<number, number>();
  let end = 1;
  for (const { offset, length } of pagePieces(ntuple, plan.order)) {
    after.set(offset, end);
    end += length;
  }
  const clusters = layout.clusterStart.length;
  return {
    path: key.path,
    kind: 'ntuple',
    entries,
    entriesAfter: entries,
    ...sum,
    basketsAfter: sum.baskets,
    bytesAfter: sum.bytes,
    whole: sum,
    unpacked: { baskets: 0, bytes: 0 },
    clustersClaimed: clusters,
    clustersTrue: clusters,
    clustersAfter: clusters,
    clustersChange: false,
    seeksBefore: seeksOf(reading),
    seeksAfter: seeksOf(reading.map(({ offset, length }) => ({ offset: after.get(offset) ?? 0, length }))),
    costs: [],
    ...(layouts && {
      layoutAfter: { ...ntuple.source, offset: ntuple.source.offset.map((offset) => after.get(offset) ?? 0) },
    }),
  };
}

function sumOf(pieces: readonly Range[]): BasketSum {
  return { baskets: pieces.length, bytes: pieces.reduce((sum, { length }) => sum + length, 0) };
}

function seeksOf(pieces: readonly Range[]): number {
  let seeks = 0;
  let end: number | undefined;
  for (const { offset, length } of pieces) {
    if (offset !== end) seeks++;
    end = offset + length;
  }
  return seeks;
}
