import type { Range } from '../../../io/source';
import type { BasketLayout } from '../../../reads/basket-layout';
import type { ReadChoice } from './program-read';
import type { Block } from './simulate-blocks';

/** Bytes of baskets that JSROOT collects before it reads (settings.TreeReadBunchSize). */
const BUNCH_BYTES = 1e6;
/** Maximum number of ranges in one request (settings.MaxRanges), if the server answers several. */
export const JSROOT_RANGES = 200;
/** Smaller gaps are read over (kMinimalHttpGap of its io.mjs). */
const GAP_BYTES = 128;
/** A page ends with its checksum, if the writer stored one. JSROOT does not read it. */
const CHECKSUM_BYTES = 8;

/** One request of JSROOT. */
export interface JsrootRead {
  /** First entry that needs it. */
  entry: number;
  blocks: Block[];
}

/**
 * Returns the requests of JSROOT's treeProcess (7.11, tree.mjs and io.mjs). It collects one basket of each branch in
 * turn until they have 1 MB, or until another turn might exceed the ranges of a request. It reads these in file
 * order, one request after another, and then collects the next ones.
 */
export function jsrootReads(
  layout: BasketLayout,
  { branches: chosen, entries: { from, to } }: ReadChoice,
  maxRanges: number,
): JsrootRead[] {
  const reads: JsrootRead[] = [];
  const branches = chosen.filter((branch) => layout.starts[branch] !== layout.starts[branch + 1]);
  const next = branches.map((branch) => layout.starts[branch] ?? 0);
  for (;;) {
    const bunch: number[] = [];
    let bytes = 0;
    let isAny = true;
    while (isAny && bytes < BUNCH_BYTES && (bunch.length === 0 || bunch.length + next.length <= maxRanges)) {
      isAny = false;
      branches.forEach((branch, i) => {
        const basket = nextBasket(layout, next[i] ?? 0, layout.starts[branch + 1] ?? 0, from, to);
        next[i] = basket === undefined ? (layout.starts[branch + 1] ?? 0) : basket + 1;
        if (basket === undefined) return;
        bunch.push(basket);
        bytes += layout.bytes[basket] ?? 0;
        isAny = true;
      });
    }
    if (bunch.length === 0) return reads;
    const entry = bunch.reduce((least, basket) => Math.min(least, layout.firsts[basket] ?? 0), to);
    const places = bunch.map((basket) => ({
      offset: layout.offsets[basket] ?? 0,
      length: layout.bytes[basket] ?? 0,
    }));
    reads.push(...requests(Math.max(from, entry), places, maxRanges));
  }
}

/**
 * Returns the requests of JSROOT's rntupleProcess (7.11, rntuple.mjs): all pages of the fields in a cluster, in file
 * order, with as many ranges as a request takes; then the next cluster with chosen entries.
 */
export function jsrootNtupleReads(
  layout: BasketLayout,
  { branches, entries: { from, to } }: ReadChoice,
  maxRanges: number,
): JsrootRead[] {
  const reads: JsrootRead[] = [];
  layout.clusterStarts.forEach((first, i) => {
    const end = layout.clusterStarts[i + 1] ?? layout.entries;
    if (first >= to || end <= from) return;
    const places: Range[] = [];
    for (const branch of branches) {
      for (let page = layout.starts[branch] ?? 0; page < (layout.starts[branch + 1] ?? 0); page++) {
        const entry = layout.firsts[page] ?? 0;
        if (entry >= first && entry < end)
          places.push({
            offset: layout.offsets[page] ?? 0,
            length: (layout.bytes[page] ?? 0) - CHECKSUM_BYTES,
          });
      }
    }
    reads.push(...requests(Math.max(from, first), places, maxRanges));
  });
  return reads;
}

/** Returns the successive requests for these ranges, all needed by this entry. */
function requests(entry: number, places: readonly Range[], maxRanges: number): JsrootRead[] {
  const blocks = mergedBlocks(places);
  const reads: JsrootRead[] = [];
  for (let i = 0; i < blocks.length; i += maxRanges)
    reads.push({ entry, blocks: blocks.slice(i, i + maxRanges) });
  return reads;
}

/** Returns the next basket of a branch with chosen entries that is in the file itself. */
function nextBasket(
  layout: BasketLayout,
  first: number,
  end: number,
  from: number,
  to: number,
): number | undefined {
  for (let basket = first; basket < end && (layout.firsts[basket] ?? 0) < to; basket++) {
    if ((layout.ends[basket] ?? 0) > from && (layout.offsets[basket] ?? 0) > 0) return basket;
  }
  return undefined;
}

function mergedBlocks(places: readonly Range[]): Block[] {
  const blocks: Block[] = [];
  for (const { offset, length } of [...places].sort((a, b) => a.offset - b.offset)) {
    const last = blocks.at(-1);
    if (last === undefined || last.offset + last.length + GAP_BYTES <= offset) {
      blocks.push({ offset, length, wanted: length });
      continue;
    }
    last.length = offset + length - last.offset;
    last.wanted += length;
  }
  return blocks;
}
