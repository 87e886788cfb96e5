import type { TreeLayout } from '../file/layout';
import type { DoctorCost } from './doctor-types';
import { type Strategy, simulateReading } from './simulate';
import { type BasketLayout, basketLayout } from './simulate-layout';

/** Links at which a finding is priced. */
const LINKS = [
  { name: 'LAN, 1 ms, 1 Gbit/s', latencyMs: 1, bytesPerMs: 125_000 },
  { name: '20 ms, 100 Mbit/s', latencyMs: 20, bytesPerMs: 12_500 },
  { name: '150 ms, 50 Mbit/s', latencyMs: 150, bytesPerMs: 6_250 },
];

const CACHE: Strategy = { kind: 'cache', bytes: 30_000_000 };
/** A typical histogram or selection reads so many branches. */
const FEW_BRANCHES = 8;

/** Clusters of about so many bytes are made where a tree is laid out anew. */
export const CLUSTER_BYTES = 30_000_000;

/** What reading a few branches, and all, costs today, and when the same bytes lie in order by clusters. */
export function layoutCosts(layout: TreeLayout): DoctorCost[] {
  const now = basketLayout(layout);
  const better = inOrder(now);
  const { branches } = layout.tree;
  const readable = branches.filter(({ kind, storedBytes }) => kind !== 'group' && storedBytes > 0);
  const step = Math.max(1, Math.floor(readable.length / FEW_BRANCHES));
  const few = readable.filter((_, i) => i % step === 0).slice(0, FEW_BRANCHES);
  const entries = { from: 0, to: layout.tree.entries, step: 1 };
  const cases: { reading: string; branches: number[]; strategy: Strategy }[] = [
    {
      reading: `${few.length} branches without a cache`,
      branches: few.map(({ index }) => index),
      strategy: { kind: 'none' },
    },
    {
      reading: `${few.length} branches with a TTreeCache of 30 MB`,
      branches: few.map(({ index }) => index),
      strategy: CACHE,
    },
  ];
  return LINKS.flatMap(({ name, ...link }) =>
    cases.map(({ reading, branches: chosen, strategy }): DoctorCost => {
      const [today] = simulateReading(now, { branches: chosen, entries }, link, [strategy]);
      const [then] = simulateReading(better, { branches: chosen, entries }, link, [strategy]);
      return {
        link: name,
        reading,
        calls: today?.calls ?? 0,
        ms: today?.ms ?? 0,
        betterCalls: then?.calls ?? 0,
        betterMs: then?.ms ?? 0,
      };
    }),
  );
}

/** The same bytes as one basket of each branch in each cluster of about 30 MB, one behind the other. */
export function inOrder(layout: BasketLayout): BasketLayout {
  const { entries, storedBytes, starts } = layout;
  const clusters = Math.max(1, Math.round(storedBytes / CLUSTER_BYTES));
  const branches = starts.length - 1;
  const size = Math.ceil(entries / clusters);
  const count = Math.max(1, Math.ceil(entries / Math.max(1, size)));
  const better: BasketLayout = {
    entries,
    storedBytes,
    autoFlush: size,
    clusterStarts: Float64Array.from({ length: count }, (_, i) => i * size),
    starts: Int32Array.from({ length: branches + 1 }, (_, b) => b * count),
    offsets: new Float64Array(branches * count),
    bytes: new Int32Array(branches * count),
    firsts: new Float64Array(branches * count),
    ends: new Float64Array(branches * count),
  };
  let at = 100;
  for (let cluster = 0; cluster < count; cluster++) {
    for (let b = 0; b < branches; b++) {
      const i = b * count + cluster;
      const bytes = Math.round(bytesOf(layout, b) / count);
      better.firsts[i] = cluster * size;
      better.ends[i] = Math.min(entries, (cluster + 1) * size);
      better.bytes[i] = bytes;
      better.offsets[i] = bytes > 0 ? at : 0;
      at += bytes;
    }
  }
  return better;
}

function bytesOf({ starts, bytes }: BasketLayout, branch: number): number {
  let sum = 0;
  for (let i = starts[branch] ?? 0; i < (starts[branch + 1] ?? 0); i++) sum += bytes[i] ?? 0;
  return sum;
}
