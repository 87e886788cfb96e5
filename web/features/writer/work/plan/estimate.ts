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
 * its entries have in the old baskets. If all baskets are compressed again, a sample gives the change of size. With
 * `joined`, also of baskets that are only joined or divided.
 */
export async function estimateGroups(
  input: Input,
  records: Records,
  group: TreeGroups | undefined,
  at: number,
  { joined = false, ...options }: RegroupOptions & { joined?: boolean | undefined },
): Promise<EstimatedGroups> {
  if (!group) return { placed: [], estimated: false };
  const { sources, groups } = group;
  const shares = groups.map((one) => shareOf(one, sources));
  const isMade = groups.map(
    ({ compress }, i) => compress !== undefined || (joined && shares[i]?.exact === false),
  );
  const sampled = { groups, shares, isMade };
  const { factor, lengths } = await sampledFactor(input, records, sources, sampled, options);
  let end = at;
  let estimated = false;
  const placed = groups.flatMap((one, i): PlacedGroup[] => {
    const { bytes = 0, exact = true } = shares[i] ?? {};
    const isExact = exact && one.compress === undefined;
    const length = isExact
      ? bytes
      : (lengths.get(one) ?? Math.max(1, Math.round(isMade[i] ? bytes * factor : bytes)));
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
 * Returns the factor by which compressing again changes the size of baskets, and the lengths of the sampled ones. Samples
 * baskets at even distances in bytes, so that large ones have more weight.
 */
async function sampledFactor(
  input: Input,
  records: Records,
  sources: readonly RegroupedTree[],
  {
    groups,
    shares,
    isMade,
  }: {
    groups: readonly BasketGroup[];
    shares: readonly { bytes: number }[];
    isMade: readonly boolean[];
  },
  options: RegroupOptions,
): Promise<{ factor: number; lengths: ReadonlyMap<BasketGroup, number> }> {
  const lengths = new Map<BasketGroup, number>();
  const sizes = groups.map((_, i) => (isMade[i] ? (shares[i]?.bytes ?? 0) : 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return { factor: 1, lengths };
  const count = Math.max(1, Math.min(SAMPLE_BASKETS, Math.floor(SAMPLE_BYTES / evenSampleSize(sizes))));
  const sample = new Map<BasketGroup, number>();
  for (const i of evenSample(sizes, count)) {
    const group = groups[i];
    if (group) sample.set(group, sizes[i] ?? 0);
  }
  let factors = 0;
  for await (const { baskets } of regroupBaskets(input, records, sources, [...sample.keys()], options))
    for (const { group, record } of baskets) {
      factors += record.length / (sample.get(group) ?? record.length);
      lengths.set(group, record.length);
    }
  return { factor: sample.size > 0 ? factors / sample.size : 1, lengths };
}
