import { evenSample, evenSampleSize } from '../../../../base/even-sample';
import { countOf } from '../../../../model/entry-choice';
import type { Records } from '../file/records';
import type { Input } from '../input/input';
import { KEY_BYTES } from '../regroup/groups';
import type { PlacedGroup } from '../regroup/place';
import {
  type BasketGroup,
  type RegroupedTree,
  type RegroupOptions,
  regroupBaskets,
} from '../regroup/regroup';
import type { TreeGroups } from '../regroup/regroup-trees';

/** Bytes and number of baskets that are compressed to estimate the new size. */
const SAMPLE_BYTES = 4 * 1024 * 1024;
const SAMPLE_BASKETS = 64;

/** Baskets with their estimated positions and sizes. */
export interface EstimatedGroups {
  placed: PlacedGroup[];
  /** False if all baskets are copied as they are stored, so that the sizes are exact. */
  estimated: boolean;
}

/**
 * Returns the baskets of a plan from position `at` on. A new basket is assumed to keep the share of stored bytes that
 * its entries have in the old baskets. If all baskets are compressed again, a sample gives the change of size.
 */
export async function estimateGroups(
  input: Input,
  records: Records,
  group: TreeGroups | undefined,
  at: number,
  options: RegroupOptions,
): Promise<EstimatedGroups> {
  if (!group) return { placed: [], estimated: false };
  const { sources, groups } = group;
  const shares = groups.map((one) => shareOf(one, sources));
  const factor = await sampledFactor(input, records, sources, { groups, shares }, options);
  let end = at;
  let estimated = false;
  const placed = groups.flatMap((one, i): PlacedGroup[] => {
    const { bytes = 0, exact = true } = shares[i] ?? {};
    const isExact = exact && one.compress === undefined;
    const length = isExact
      ? bytes
      : Math.max(1, Math.round(one.compress === undefined ? bytes : bytes * factor));
    if (!isExact) estimated = true;
    end += length;
    const place = { at: end - length, length, totalBytes: length };
    return [one, ...(one.also ?? [])].map((group) => ({ group, ...place }));
  });
  return { placed, estimated };
}

/** Returns the stored bytes of the entries of a basket, and whether they are exactly one stored basket. */
function shareOf(
  { tree, branch, parts }: BasketGroup,
  trees: readonly RegroupedTree[],
): { bytes: number; exact: boolean } {
  const { layout, embedded } = trees[tree] ?? {};
  const key = KEY_BYTES + (layout?.tree.branches[branch]?.name.length ?? 0) + (layout?.tree.name.length ?? 0);
  const [only, ...others] = parts;
  let bytes = others.length > 0 || only?.ranges ? key : 0;
  let exact = parts.length === 1;
  for (const { basket, ranges } of parts) {
    const inside = embedded?.get(basket);
    const stored = inside?.length ?? layout?.storedBytes[basket] ?? 0;
    if (inside || ranges) exact = false;
    const values = bytes > 0 ? Math.max(0, stored - key) : stored;
    bytes += ranges ? (values * countOf(ranges)) / Math.max(1, layout?.entries[basket] ?? 1) : values;
  }
  return { bytes, exact };
}

/**
 * Returns the factor by which compressing again changes the size of baskets. Samples baskets at even distances in
 * bytes, so that large ones have more weight.
 */
async function sampledFactor(
  input: Input,
  records: Records,
  sources: readonly RegroupedTree[],
  { groups, shares }: { groups: readonly BasketGroup[]; shares: readonly { bytes: number }[] },
  options: RegroupOptions,
): Promise<number> {
  const sizes = groups.map(({ compress }, i) => (compress === undefined ? 0 : (shares[i]?.bytes ?? 0)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return 1;
  const count = Math.max(1, Math.min(SAMPLE_BASKETS, Math.floor(SAMPLE_BYTES / evenSampleSize(sizes))));
  const sample = new Map<BasketGroup, number>();
  for (const i of evenSample(sizes, count)) {
    const group = groups[i];
    if (group) sample.set(group, sizes[i] ?? 0);
  }
  let factors = 0;
  for await (const { baskets } of regroupBaskets(input, records, sources, [...sample.keys()], options))
    for (const { group, record } of baskets) factors += record.length / (sample.get(group) ?? record.length);
  return sample.size > 0 ? factors / sample.size : 1;
}
