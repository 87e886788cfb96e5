import { lastAtMost } from '../../../base/search';
import type { BasketLayout, BasketVisits } from '../../../reads/basket-layout';
import type { Block } from './simulate-blocks';

/**
 * Maximum share of additional bytes, relative to the wanted ones, that ROOT reads to make fewer requests for a
 * cluster.
 */
const MAX_OVERHEAD = 0.25;

/**
 * Simulates ROOT's cluster pool (RPageSourceFile of ROOT 6.40 with its default options). All pages of the chosen
 * fields in a cluster are read together, in the order of the file. Gaps are read over, the smallest first, while
 * their sum is at most a quarter of the wanted bytes. Calls `onRead` for each cluster with its first entry.
 */
export function clusterPoolReads(
  layout: BasketLayout,
  visits: BasketVisits,
  onRead: (blocks: Block[], first: number) => void,
): void {
  const clusters = new Map<number, number[]>();
  for (const page of visits.basket) {
    if ((layout.offsets[page] ?? 0) === 0) continue;
    const { clusterStarts } = layout;
    const first =
      clusterStarts[lastAtMost(clusterStarts, clusterStarts.length, layout.firsts[page] ?? 0)] ?? 0;
    const pages = clusters.get(first);
    if (pages) pages.push(page);
    else clusters.set(first, [page]);
  }
  for (const first of [...clusters.keys()].sort((a, b) => a - b))
    onRead(requests(layout, clusters.get(first) ?? []), first);
}

function requests({ offsets, bytes }: BasketLayout, pages: readonly number[]): Block[] {
  const places = [...new Set(pages)]
    .map((page) => ({ offset: offsets[page] ?? 0, length: bytes[page] ?? 0 }))
    .sort((a, b) => a.offset - b.offset);
  const wanted = places.reduce((sum, { length }) => sum + length, 0);
  const most = gapLimit(places, MAX_OVERHEAD * wanted);
  const blocks: Block[] = [];
  for (const { offset, length } of places) {
    const last = blocks.at(-1);
    const end = last ? last.offset + last.length : 0;
    // Pages of equal content may be stored once.
    if (last && offset - end <= most) {
      const more = Math.max(0, offset + length - end);
      last.length += more;
      last.wanted += Math.min(more, length);
    } else blocks.push({ offset, length, wanted: length });
  }
  return blocks;
}

/** Returns the largest gap that is read over. */
function gapLimit(places: readonly { offset: number; length: number }[], overhead: number): number {
  const gaps: number[] = [];
  for (const [i, { offset }] of places.entries()) {
    const before = places[i - 1];
    if (before) gaps.push(Math.max(0, offset - before.offset - before.length));
  }
  gaps.sort((a, b) => a - b);
  let limit = 0;
  let current = 0;
  let extra = 0;
  for (const gap of gaps) {
    if (gap !== current) {
      limit = current;
      current = gap;
    }
    extra += gap;
    if (extra > overhead) break;
  }
  return limit;
}
