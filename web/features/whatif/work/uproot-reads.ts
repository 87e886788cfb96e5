import type { Block } from './simulate-blocks';

/** uproot 5 reads over gaps smaller than this (CoalesceConfig.max_range_gap). */
const GAP_BYTES = 32 * 1024;

/** Returns the ranges that uproot requests at once, in file order: over smaller gaps it reads. */
export function uprootRanges(blocks: readonly Block[]): Block[] {
  const merged: Block[] = [];
  for (const block of [...blocks].sort((a, b) => a.offset - b.offset)) {
    const last = merged.at(-1);
    if (last === undefined || block.offset - last.offset - last.length > GAP_BYTES) {
      merged.push({ ...block });
      continue;
    }
    last.length = Math.max(last.length, block.offset + block.length - last.offset);
    last.wanted += block.wanted;
  }
  return merged;
}
