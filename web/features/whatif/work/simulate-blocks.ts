import { READ_AHEAD_BYTES } from './programs';

/** One contiguous read of the file. */
export interface Block {
  offset: number;
  length: number;
  /** Wanted bytes in it. */
  wanted: number;
}

/** TFileCacheRead joins adjacent ranges up to about this size. */
const LONG_BLOCK_BYTES = 16_000_000;

/**
 * Returns the reads of one filled cache. Baskets are sorted, and adjacent ones joined until a block is longer than 16
 * MB (TFileCacheRead::Sort). Blocks that fit into the read-ahead, including gaps, are read together
 * (TFile::ReadBuffers). `baskets` is sorted in place.
 */
export function cacheReads(
  baskets: number[],
  offsets: Float64Array,
  bytes: Int32Array,
  readAhead = READ_AHEAD_BYTES,
): Block[] {
  baskets.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  return readBuffers(joinTouching(baskets, offsets, bytes), readAhead);
}

function joinTouching(baskets: readonly number[], offsets: Float64Array, bytes: Int32Array): Block[] {
  const blocks: Block[] = [];
  let end = -1;
  let before = -1;
  for (const basket of baskets) {
    const offset = offsets[basket] ?? 0;
    const length = bytes[basket] ?? 0;
    if (offset === before) continue;
    before = offset;
    const last = blocks.at(-1);
    if (last && offset === end && last.length <= LONG_BLOCK_BYTES) {
      last.length += length;
      last.wanted += length;
    } else blocks.push({ offset, length, wanted: length });
    end = offset + length;
  }
  return blocks;
}

/** Joins blocks that end less than `readAhead` bytes after the start of the first of them. */
export function readBuffers(blocks: readonly Block[], readAhead = READ_AHEAD_BYTES): Block[] {
  const reads: Block[] = [];
  let open: Block | undefined;
  for (const block of blocks) {
    const end = block.offset + block.length;
    if (open && end - open.offset < readAhead) {
      open.length = end - open.offset;
      open.wanted += block.wanted;
      continue;
    }
    const read: Block = { ...block };
    reads.push(read);
    // A block longer than the read-ahead is read separately.
    open = block.length < readAhead ? read : undefined;
  }
  return reads;
}
