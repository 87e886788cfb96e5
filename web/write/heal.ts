import type { FileInfo, ReaderApi } from '../api/api';
import { type CopyOptions, type CopyPlan, copyFile, type Written } from './copy-file';
import { compressionNumber } from './encode/class-codec';
import type { Codec } from './encode/types';
import { type PlanOptions, planCopy, type WritePlan } from './plan/write-plan';
import type { Sink } from './sink';

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
  { level, codec, clusterBytes, ...options }: HealOptions,
): Promise<Written> {
  return copyFile(reader, info, sink, planOf({ level, codec, clusterBytes }), options);
}

/** Tells what `healFile` would do; nothing is written. Throws as `planCopy`. */
export function planHeal(
  reader: ReaderApi,
  info: FileInfo,
  { level, codec, clusterBytes, ...options }: HealOptions & PlanOptions,
): Promise<WritePlan> {
  return planCopy(reader, info, planOf({ level, codec, clusterBytes }), options);
}

function planOf({
  level,
  codec,
  clusterBytes = CLUSTER_BYTES,
}: Pick<HealOptions, 'level' | 'codec' | 'clusterBytes'>): CopyPlan {
  const rebaskets = level === 'rebasket';
  const recut = (rebaskets || codec) && {
    compress: codec && compressionNumber(codec),
    clusterBytes: rebaskets ? clusterBytes : undefined,
  };
  return { ...PLANS[level], recut: recut || undefined };
}
