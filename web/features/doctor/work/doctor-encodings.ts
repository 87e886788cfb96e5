import type { BranchInfo, TreeLayout } from '../../../api/api';
import { isCompressed } from '../../../core/compression';

/**
 * Column types of real numbers, as numbered in the format of RNTuples (section "Column Description" of its
 * specification).
 */
const REALS = new Set([0x0c, 0x0d, 0x18, 0x19]);
/** Column types of several bytes that are not split into byte planes, so that they compress worse. */
const PLAIN = new Set([0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x0e, 0x0f]);

/** Fields with an unsuitable encoding, and the stored bytes of their affected pages. */
export interface Encodings {
  /** Fields that are compressed without being split. */
  plain: FieldBytes[];
  /** Real numbers that hardly compress, because their last bits are noise. */
  noisy: FieldBytes[];
}

export interface FieldBytes {
  branch: BranchInfo;
  bytes: number;
}

/** Fields with fewer bytes, or with a smaller share of all bytes, are not reported. */
const MIN_BYTES = 20_000;
const MIN_SHARE = 0.01;
/** Real numbers have random bits if compression saves less than this fraction. */
export const MIN_SAVED = 0.2;

export function poorEncodings(layout: TreeLayout): Encodings {
  const { tree, basketStart, storedBytes, pageBytes, pageType, compress } = layout;
  const found: Encodings = { plain: [], noisy: [] };
  const least = Math.max(MIN_BYTES, MIN_SHARE * tree.storedBytes);
  if (pageBytes === undefined || pageType === undefined) return found;
  for (const branch of tree.branches) {
    // Splitting does not help without compression.
    if (!isCompressed(compress[branch.index] ?? 0)) continue;
    let plain = 0;
    let real = 0;
    let whole = 0;
    for (let i = basketStart[branch.index] ?? 0; i < (basketStart[branch.index + 1] ?? 0); i++) {
      const type = pageType[i] ?? 0;
      const bytes = storedBytes[i] ?? 0;
      if (PLAIN.has(type)) plain += bytes;
      if (!REALS.has(type)) continue;
      real += bytes;
      whole += pageBytes[i] ?? 0;
    }
    if (plain > least) found.plain.push({ branch, bytes: plain });
    if (real > least && real > (1 - MIN_SAVED) * whole) found.noisy.push({ branch, bytes: real });
  }
  for (const list of [found.plain, found.noisy]) list.sort((a, b) => b.bytes - a.bytes);
  return found;
}
