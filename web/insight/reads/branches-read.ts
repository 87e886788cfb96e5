import type { TreeLayout } from '../../api/api';
import { XylemError } from '../../base/errors';
import { firstIndex } from '../../base/search';
import { endOf } from '../../io/ranges';
import type { ReadOrigin } from '../../io/trace';
import { withNeeded } from '../simulate/simulate-layout';
import type { Reading } from './reading';

/** Origins of reads that say where their bytes lie: what caches answer is listed with its length alone. */
const FETCHED = new Set<ReadOrigin>(['network', 'disk']);
/** Reads of these purposes look for metadata, and hold baskets by chance. */
const METADATA = new Set(['head', 'tail', 'end']);

/**
 * The branches of a tree that a recorded reading used: those that it names, or else those whose baskets it read from the
 * same file, in the order in which it came to them, and then those that they need. Branches of which only parts were read
 * over between others do not count. Throws ARGUMENT where there are none.
 */
export function branchesRead(report: Reading, layout: TreeLayout): number[] {
  const { tree } = layout;
  const paths = new Map(tree.branches.map(({ path, index }) => [path, index]));
  const named = (report.chosen ?? []).flatMap((path) => paths.get(path) ?? []);
  const used = named.length > 0 ? named : branchesAt(report, layout);
  if (used.length === 0) {
    throw new XylemError({
      code: 'ARGUMENT',
      message: `No read of the trace of "${report.file}" has a basket of "${tree.path}".`,
      fix: 'Take a trace of the same file whose baskets were read from it, not from a cache.',
    });
  }
  const chosen = new Set(used);
  const needed = withNeeded(
    tree,
    tree.branches.filter(({ index }) => chosen.has(index)),
  );
  return [...new Set([...used, ...needed.map(({ index }) => index)])];
}

/** The branches whose baskets lie where something was read. */
function branchesAt(report: Reading, layout: TreeLayout): number[] {
  const { tree, basketStart, offset, storedBytes } = layout;
  const order = Uint32Array.from(offset.keys()).sort((a, b) => (offset[a] ?? 0) - (offset[b] ?? 0));
  const branchOf = new Uint32Array(offset.length);
  const held = tree.branches.map((_, b) => {
    const [from = 0, to = 0] = basketStart.subarray(b, b + 2);
    branchOf.fill(b, from, to);
    return storedBytes.subarray(from, to).reduce((sum, bytes) => sum + bytes, 0);
  });
  /** Bytes that were read of each branch, in the order in which they were reached. */
  const read = new Map<number, number>();
  const seen = new Set<number>();
  for (const { offset: start, length, ranges, origin, purpose, failed } of report.reads) {
    if (!FETCHED.has(origin) || failed !== undefined || METADATA.has(purpose)) continue;
    for (const range of ranges ?? [{ offset: start, length }]) {
      const first = firstIndex(order.length, (i) => (offset[order[i] ?? 0] ?? 0) >= range.offset);
      for (const basket of order.subarray(first)) {
        const bytes = storedBytes[basket] ?? 0;
        if ((offset[basket] ?? 0) + bytes > endOf(range)) break;
        if (offset[basket] === 0 || seen.has(basket)) continue;
        seen.add(basket);
        const branch = branchOf[basket] ?? 0;
        read.set(branch, (read.get(branch) ?? 0) + bytes);
      }
    }
  }
  const share = ([branch, bytes]: readonly [number, number]): number =>
    bytes / Math.max(1, held[branch] ?? 0);
  const most = [...read].reduce((max, one) => Math.max(max, share(one)), 0);
  return [...read].filter((one) => share(one) >= most / 2).map(([branch]) => branch);
}
