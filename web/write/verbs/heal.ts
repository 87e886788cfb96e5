import type { CallOptions, FileInfo, KeyInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { argumentError } from '../../base/errors';
import { notFound } from '../../base/suggest';
import { type Codec, compressionNumber } from '../../core/compression';
import { branchesRead } from '../../insight/reads/branches-read';
import type { Reading } from '../../insight/reads/reading';
import { cyclePath, newestKeys } from '../../model/keys';
import { type CopyOptions, type CopyPlan, copyFile, type Written } from '../copy/copy-file';
import type { Sink } from '../file/sink';
import { type PlanOptions, planCopy, type WritePlan } from '../plan/write-plan';

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
  /** A recorded reading of this file: in each cluster the branches come first that it used, in its order. */
  by?: Reading | undefined;
}

/**
 * Writes a file anew so that it is read faster: see `HealLevel`. Values do not change, and baskets are copied
 * compressed where they stay as they are. Throws as `copyFile`, and for a trace NOT_FOUND and ARGUMENT.
 */
export async function healFile(
  reader: EngineApi,
  info: FileInfo,
  sink: Sink,
  { level, codec, clusterBytes, by, ...options }: HealOptions,
): Promise<Written> {
  const plan = await planOf(reader, info, { level, codec, clusterBytes, by }, options);
  return copyFile(reader, info, sink, plan, options);
}

/** Tells what `healFile` would do; nothing is written. Throws as `planCopy`. */
export async function planHeal(
  reader: EngineApi,
  info: FileInfo,
  { level, codec, clusterBytes, by, ...options }: HealOptions & PlanOptions,
): Promise<WritePlan> {
  const plan = await planOf(reader, info, { level, codec, clusterBytes, by }, options);
  return planCopy(reader, info, plan, options);
}

async function planOf(
  reader: EngineApi,
  info: FileInfo,
  { level, codec, clusterBytes = CLUSTER_BYTES, by }: Omit<HealOptions, keyof CopyOptions>,
  { signal }: CallOptions,
): Promise<CopyPlan> {
  const rebaskets = level === 'rebasket';
  const regroup = (rebaskets || codec) && {
    compress: codec && compressionNumber(codec),
    clusterBytes: rebaskets ? clusterBytes : undefined,
  };
  const plan = { ...PLANS[level], regroup: regroup || undefined };
  if (!by) return plan;
  if (plan.order === 'file') {
    throw argumentError(
      `Baskets are not sorted by a trace with the level "${level}".`,
      'Take the level "order" or "rebasket".',
    );
  }
  const traced = await treeOfTrace(reader, info, by, { signal });
  return {
    ...plan,
    firstBranches: (key, layout) => (cyclePath(key) === traced ? branchesRead(by, layout) : undefined),
  };
}

/** The tree that a trace is of; ROOT saves its name only. Throws NOT_FOUND and ARGUMENT. */
async function treeOfTrace(
  reader: EngineApi,
  info: FileInfo,
  { tree, by }: Reading,
  options: CallOptions,
): Promise<string> {
  const keys = [...newestKeys(await reader.keys(info.id, options)).values()];
  const trees = keys.filter(({ kind }) => kind === 'tree');
  const fits = ({ path, name }: KeyInfo) => path === tree || (by === 'ROOT' && name === tree);
  // A trace that names no tree is of the only one.
  const found = tree === undefined && trees.length === 1 ? trees[0] : trees.find(fits);
  if (found) return cyclePath(found);
  const paths = trees.map(({ path }) => path);
  if (tree !== undefined) throw notFound('TTree', tree, paths);
  throw argumentError(
    `The trace of "${by}" does not say of which of the ${paths.length} trees it is: ${paths.slice(0, 5).join(', ')}.`,
    'Take a trace that xylem or ROOT saved, which names the tree.',
  );
}
