import type { TreeLayout } from '../api/api';
import type { PerfRead, Reading } from '../api/reading';
import { argumentError } from '../base/errors';
import type { Range } from '../io/source';
import type { ReadOrigin } from '../io/trace';
import { withNeeded } from './basket-layout';
import { basketOrder } from './basket-order';

/** Origins of reads with known offsets. For answers of caches only the length is listed. */
const FETCHED = new Set<ReadOrigin>(['network', 'disk']);
/** Reads with these purposes look for metadata, and contain baskets by chance. */
const METADATA = new Set(['head', 'tail', 'end']);

/**
 * Returns the branches of a tree that a recorded reading used: those that it names, otherwise those whose baskets it
 * read, in order of use; then the branches that these need. Branches that were only read over in gaps do not count.
 * Throws ARGUMENT if there are none.
 */
export function branchesRead(report: Reading, layout: TreeLayout): number[] {
  const { tree } = layout;
  const paths = new Map(tree.branches.map(({ path, index }) => [path, index]));
  const named = (report.chosen ?? []).flatMap((path) => paths.get(path) ?? []);
  const used = named.length > 0 ? named : branchesAt(report, layout);
  if (used.length === 0) {
    throw argumentError(
      report.reads.some(({ ranges }) => ranges?.length === 0)
        ? `The trace of "${report.file}" has vector reads without their ranges.`
        : `No read of the trace of "${report.file}" has a basket of "${tree.path}".`,
      'Take a trace of the same file whose baskets were read from it, not from a cache.',
    );
  }
  // The pages of an RNTuple show exactly which fields were read.
  if (named.length === 0 && tree.kind === 'RNTuple') return used;
  const chosen = new Set(used);
  const needed = withNeeded(
    tree,
    tree.branches.filter(({ index }) => chosen.has(index)),
    layout.source,
  );
  return [...new Set([...used, ...needed.map(({ index }) => index)])];
}

/**
 * Number of bytes at the start of a file that programs read when they open it. They may contain the first baskets.
 */
const HEAD_BYTES = 65_536;

/** Returns the branches with bytes in the reads. The start of the file counts only if nothing else was read. */
function branchesAt(report: Reading, layout: TreeLayout): number[] {
  const asked = branchesOf(report.asked?.map(readOf) ?? [], layout);
  if (asked.length > 0) return asked;
  const isHead = ({ offset, length }: PerfRead): boolean => offset === 0 && length <= HEAD_BYTES;
  const found = branchesOf(
    report.reads.filter((read) => !isHead(read)),
    layout,
  );
  return found.length > 0 ? found : branchesOf(report.reads, layout);
}

type Fetch = Pick<PerfRead, 'offset' | 'length' | 'ranges' | 'origin' | 'purpose' | 'failed'>;

const readOf = (range: Range): Fetch => ({ ...range, origin: 'network', purpose: '' });

function branchesOf(reads: readonly Fetch[], layout: TreeLayout): number[] {
  const { basketStart, storedBytes, offset: basketOffset } = layout;
  const { branchOf, within } = basketOrder(layout);
  /** Bytes that were read of each branch, in the order in which they were reached. */
  const read = new Map<number, number>();
  const seen = new Set<number>();
  /**
   * End position of each read, with the beginning of the gapless sequence it belongs to, because a basket may arrive
   * in several reads.
   */
  const runs = new Map<number, number>();
  for (const { offset, length, ranges, origin, purpose, failed } of reads) {
    if (!FETCHED.has(origin) || failed !== undefined || METADATA.has(purpose)) continue;
    for (const range of ranges ?? [{ offset, length }]) {
      const end = range.offset + range.length;
      const begin = runs.get(range.offset) ?? range.offset;
      runs.delete(range.offset);
      runs.set(end, Math.min(begin, runs.get(end) ?? begin));
      within(range, (basket) => {
        const from = basketOffset[basket] ?? 0;
        const bytes = storedBytes[basket] ?? 0;
        if (from < begin || from + bytes > end || seen.has(basket)) return;
        seen.add(basket);
        const branch = branchOf[basket] ?? 0;
        read.set(branch, (read.get(branch) ?? 0) + bytes);
      });
    }
  }
  const share = ([branch, bytes]: readonly [number, number]): number => {
    const held = storedBytes.subarray(basketStart[branch], basketStart[branch + 1]);
    return (
      bytes /
      Math.max(
        1,
        held.reduce((sum, one) => sum + one, 0),
      )
    );
  };
  const shares = [...read].map((one) => [one[0], share(one)] as const);
  const most = shares.reduce((max, [, part]) => Math.max(max, part), 0);
  return shares.filter(([, part]) => part >= most / 2).map(([branch]) => branch);
}
