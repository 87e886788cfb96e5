import type { CallOptions, FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Reading } from '../../../../api/reading';
import type { Sink } from '../../../../api/sink';
import type { HealChoice, HealLevel, PlanOptions, WritePlan } from '../../../../api/write';
import { argumentError } from '../../../../base/errors';
import { notFound } from '../../../../base/suggest';
import { compressionNumber } from '../../../../core/compression';
import { cyclePath, newestKeys } from '../../../../model/keys';
import { branchesRead } from '../../../../reads/branches-read';
import { type CopyOptions, type CopyPlan, copyFile, type Written } from '../copy/copy-file';
import { planCopy } from '../plan/write-plan';

/** How much of a file is changed: see docs/features/writer.md. */
export const HEAL_LEVELS = ['clusters', 'order', 'rebasket'] as const satisfies readonly HealLevel[];

const PLANS: Record<HealLevel, CopyPlan> = {
  clusters: { order: 'file', trueClusters: true, newest: false },
  order: { order: 'clusters', trueClusters: true, newest: true },
  rebasket: { order: 'clusters', trueClusters: true, newest: true },
};

/** Target for the compressed bytes in a cluster, the same as ROOT's. */
export const CLUSTER_BYTES = 30_000_000;

export interface HealOptions extends CopyOptions, HealChoice {
  level: HealLevel;
}

/**
 * Rewrites a file so that it can be read faster: see `HealLevel`. Values do not change, and unchanged baskets are
 * copied compressed. Throws as `copyFile`, and NOT_FOUND and ARGUMENT for a trace.
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

/** Returns what `healFile` would do, without writing. Throws as `planCopy`. */
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

/** Returns the tree of a trace. ROOT stores only its name. Throws NOT_FOUND and ARGUMENT. */
async function treeOfTrace(
  reader: EngineApi,
  info: FileInfo,
  { tree, by }: Reading,
  options: CallOptions,
): Promise<string> {
  const keys = [...newestKeys(await reader.keys(info.id, options)).values()];
  const trees = keys.filter(({ kind }) => kind === 'tree');
  const fits = ({ path, name }: KeyInfo) => path === tree || (by === 'ROOT' && name === tree);
  // A trace that names no tree belongs to the only tree of the file.
  const found = tree === undefined && trees.length === 1 ? trees[0] : trees.find(fits);
  if (found) return cyclePath(found);
  const paths = trees.map(({ path }) => path);
  if (tree !== undefined) throw notFound('TTree', tree, paths);
  throw argumentError(
    `The trace of "${by}" does not say of which of the ${paths.length} trees it is: ${paths.slice(0, 5).join(', ')}.`,
    'Take a trace that xylem or ROOT saved, which names the tree.',
  );
}
