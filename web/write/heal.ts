import type { CallOptions, FileInfo, ReaderApi } from '../api/api';
import { newestKeys } from '../model/find-key';
import { withWindows } from './clusters';
import { type CopyOptions, type CopyPlan, copyFile, type Written } from './copy-file';
import { compressionNumber } from './encode/class-codec';
import type { Codec } from './encode/types';
import { entryStrip } from './entry-strip';
import type { Sink } from './sink';
import { basketPieces, trueClusters } from './tree-copy';

/** How much of a file is changed. See docs/write.md. */
export const HEAL_LEVELS = ['clusters', 'order', 'rebasket'] as const;
export type HealLevel = (typeof HEAL_LEVELS)[number];

const PLANS: Record<HealLevel, CopyPlan> = {
  clusters: { order: 'file', trueClusters: true, newest: false },
  order: { order: 'clusters', trueClusters: true, newest: true },
  rebasket: { order: 'clusters', trueClusters: true, newest: true },
};

/** Compressed bytes in a cluster that ROOT aims at, too. */
export const CLUSTER_BYTES = 30_000_000;

export interface HealOptions extends CopyOptions {
  level: HealLevel;
  /** For `rebasket`: compressed bytes in a cluster; default: `CLUSTER_BYTES`. */
  clusterBytes?: number | undefined;
  /** Compresses all baskets anew; undefined keeps those that are copied as they are stored. */
  codec?: Codec | undefined;
}

/**
 * Writes a file anew so that it is read faster: see `HealLevel`. Values do not change, and baskets are copied
 * compressed where they stay as they are. Throws as `copyFile`.
 */
export function healFile(
  reader: ReaderApi,
  info: FileInfo,
  sink: Sink,
  { level, codec, clusterBytes = CLUSTER_BYTES, ...options }: HealOptions,
): Promise<Written> {
  const rebaskets = level === 'rebasket';
  const recut = (rebaskets || codec) && {
    compress: codec && compressionNumber(codec),
    clusterBytes: rebaskets ? clusterBytes : undefined,
  };
  return copyFile(reader, info, sink, { ...PLANS[level], recut: recut || undefined }, options);
}

/** Effect of healing on a tree. */
export interface HealedTree {
  path: string;
  baskets: number;
  /** Bytes of its baskets in the file. */
  bytes: number;
  /** Clusters that the tree claims, and those that its baskets have. */
  clustersClaimed: number;
  clustersTrue: number;
  /** Whether it will claim others. */
  clustersChange: boolean;
  /** Times that the next basket in reading order does not follow the one before in the file. */
  seeksBefore: number;
  seeksAfter: number;
  /** Entries along its baskets, before and after: see `PlanOptions.places`. */
  strips?: { before: Float32Array; after: Float32Array } | undefined;
}

export interface PlanOptions extends CallOptions {
  /** Number of places, evenly in the baskets of each tree, for which the entries there are given: 0 to 1. Default: 0. */
  places?: number | undefined;
}

/** Tells what healing would do; nothing is written, and only metadata are read. */
export async function planHeal(
  reader: ReaderApi,
  info: FileInfo,
  level: HealLevel,
  { places = 0, ...options }: PlanOptions,
): Promise<HealedTree[]> {
  const { order } = PLANS[level];
  const keys = [...newestKeys(await reader.keys(info.id, options)).values()];
  const trees: HealedTree[] = [];
  for (const { path, kind } of keys) {
    if (kind !== 'tree') continue;
    const layout = withWindows(await reader.layout(info.id, path, options));
    const reading = basketPieces([layout], 'clusters');
    const after = new Map<number, number>();
    let end = 0;
    const written = basketPieces([layout], order);
    for (const { offset, length } of written) {
      after.set(offset, end);
      end += length;
    }
    trees.push({
      path,
      baskets: reading.length,
      bytes: end,
      clustersClaimed: layout.clusterStart.length,
      clustersTrue: layout.trueStart.length,
      clustersChange: trueClusters(layout) !== undefined,
      seeksBefore: seeksOf(reading),
      seeksAfter: seeksOf(reading.map(({ offset, length }) => ({ offset: after.get(offset) ?? 0, length }))),
      ...(places > 0 && {
        strips: {
          before: entryStrip(layout, basketPieces([layout], 'file'), places),
          after: entryStrip(layout, written, places),
        },
      }),
    });
  }
  return trees;
}

function seeksOf(pieces: readonly { offset: number; length: number }[]): number {
  let seeks = 0;
  let end: number | undefined;
  for (const { offset, length } of pieces) {
    if (offset !== end) seeks++;
    end = offset + length;
  }
  return seeks;
}
