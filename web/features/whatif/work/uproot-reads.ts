import { type BasketLayout, visitBaskets } from '../../../reads/basket-layout';
import type { ProgramRead, ReadChoice } from './program-read';
import type { Block } from './simulate-blocks';

/** uproot 5 reads over gaps of at most this (CoalesceConfig.max_range_gap). */
const GAP_BYTES = 32 * 1024;
/** A page ends with its checksum, if the writer stored one. uproot does not read it. */
const CHECKSUM_BYTES = 8;

/** Returns what uproot (5.7, coalesce.py) requests of a TTree: all baskets of the range of entries at once, in file order. */
export function uprootReads(layout: BasketLayout, choice: ReadChoice): ProgramRead[] {
  const { from, to } = choice.entries;
  const blocks: Block[] = [];
  // It reads a range of entries, and chooses others afterwards.
  for (const basket of visitBaskets(layout, choice.branches, { from, to, step: 1 }).basket) {
    const [offset = 0, length = 0] = [layout.offsets[basket], layout.bytes[basket]];
    if (offset > 0) blocks.push({ offset, length, wanted: length });
  }
  const merged: Block[] = [];
  for (const block of blocks.sort((a, b) => a.offset - b.offset)) {
    const last = merged.at(-1);
    if (last === undefined || block.offset - last.offset - last.length > GAP_BYTES) {
      merged.push(block);
      continue;
    }
    last.length = Math.max(last.length, block.offset + block.length - last.offset);
    last.wanted += block.wanted;
  }
  return merged.length === 0 ? [] : [{ entry: from, blocks: merged }];
}

/** Returns what uproot requests of an RNTuple: each page by itself, field by field. */
export function uprootPages(layout: BasketLayout, { branches, entries }: ReadChoice): ProgramRead[] {
  const { from, to } = entries;
  const reads: ProgramRead[] = [];
  for (const branch of branches) {
    for (let page = layout.starts[branch] ?? 0; page < (layout.starts[branch + 1] ?? 0); page++) {
      const [first = 0, end = 0] = [layout.firsts[page], layout.ends[page]];
      if (first >= to || end <= from) continue;
      const length = (layout.bytes[page] ?? 0) - CHECKSUM_BYTES;
      reads.push({
        entry: Math.max(from, first),
        blocks: [{ offset: layout.offsets[page] ?? 0, length, wanted: length }],
      });
    }
  }
  return reads;
}
