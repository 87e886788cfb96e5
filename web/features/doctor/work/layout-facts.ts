import type { BranchInfo, TreeLayout } from '../../../api/api';
import { type BranchStats, layoutStats, type TreeStats } from '../../../reads/layout-stats';
import { type Distributions, distributionsOf } from './distributions';
import { type OptimizedBaskets, type OptimizeOptions, optimizeBaskets } from './optimize-baskets';

/** The bytes of a branch with its buffer and its class. The members added here are missing for the fields of an RNTuple. */
export interface BranchFacts extends BranchStats {
  /** The size of baskets that TTree::OptimizeBaskets of ROOT would set; missing for a branch with branches below it. */
  recommendedBytes?: number | undefined;
  /** The number of baskets that ROOT expects of that size. */
  recommendedBaskets?: number | undefined;
  /** Whether OptimizeBaskets would no longer compress the branch. */
  uncompressed?: boolean | undefined;
  splitLevel?: number | undefined;
  /** TBranchElement::fType and fStreamerType; missing for branches of other classes. */
  elementType?: number | undefined;
  streamerType?: number | undefined;
  streaming?: Streaming | undefined;
}

/**
 * In which order the members of collections of objects are stored: `split`, as branches of their own; `object-wise`,
 * `member-wise` or `both` as its first basket says; `not read`, because that basket was not read. Missing for a branch
 * without such collections.
 */
export type Streaming = 'split' | 'object-wise' | 'member-wise' | 'both' | 'not read';

/** The layout of a tree with what its record says of buffers and clusters. */
export interface LayoutFacts extends TreeStats {
  branches: BranchFacts[];
  /** fAutoFlush as stored: entries, or bytes if negative. Missing for an RNTuple. */
  autoFlush?: number | undefined;
  /** Sum of fBasketSize over the leaves of all branches, as OptimizeBaskets adds it up. Missing for an RNTuple. */
  bufferBytes?: number | undefined;
  /** Sums of the buffers that OptimizeBaskets would set. Missing for an RNTuple, and for a tree in whose file ROOT counts no bytes. */
  optimized?: Omit<OptimizedBaskets, 'branches'> | undefined;
  distributions: Distributions;
}

export function layoutFacts(layout: TreeLayout, options: OptimizeOptions = {}): LayoutFacts {
  const stats = layoutStats(layout);
  const { settings, tree, orders } = layout;
  const distributions = distributionsOf(layout);
  if (settings === undefined) return { ...stats, distributions };
  const { branches: sized, ...optimized } = optimizeBaskets(layout, options) ?? { branches: [] };
  const sizes = new Map(sized.map((one) => [one.index, one]));
  const typeOf = (type: number | undefined) => (type === undefined || type <= NO_ELEMENT ? undefined : type);
  const branches = stats.branches.map((branch): BranchFacts => {
    const { index } = branch;
    const size = sizes.get(index);
    const info = tree.branches[index];
    return {
      ...branch,
      ...(size && { recommendedBytes: size.to, recommendedBaskets: size.baskets }),
      ...(size?.uncompressed && { uncompressed: true }),
      splitLevel: settings.splitLevel[index],
      elementType: typeOf(settings.elementType[index]),
      streamerType: typeOf(settings.streamerType[index]),
      ...(info && { streaming: streamingOf(info, settings.elementType[index], orders?.[index]) }),
    };
  });
  const bufferBytes = layout.basketSize.reduce(
    (sum, size, i) => sum + size * (settings.leafCount[i] ?? 0),
    0,
  );
  return {
    ...stats,
    branches,
    autoFlush: layout.autoFlush,
    bufferBytes,
    ...(sized.length > 0 && { optimized: optimized as Omit<OptimizedBaskets, 'branches'> }),
    distributions,
  };
}

/** The number that the core gives for branches that are not a TBranchElement. */
const NO_ELEMENT = -100;
/** TBranchElement::fType of collections that are split, and of their members. */
const SPLIT = new Set([3, 4, 31, 41]);

function streamingOf(
  { kind, baskets }: BranchInfo,
  elementType = NO_ELEMENT,
  order?: number,
): Streaming | undefined {
  if (order) return (['object-wise', 'member-wise', 'both'] as const)[order - 1];
  if (SPLIT.has(elementType)) return 'split';
  return kind === 'object' && baskets > 0 && order === undefined ? 'not read' : undefined;
}
