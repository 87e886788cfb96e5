import type { BranchInfo } from '../file/api';
import type { TreeLayout } from '../file/layout';

/** Types of columns as the format of RNTuples numbers them (section "Column Description" of its specification). */
const REALS = new Set([0x0c, 0x0d, 0x18, 0x19]);
/** Of several bytes, and not split into planes of bytes, so that they compress worse. */
const PLAIN = new Set([0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x0e, 0x0f]);

/** Fields whose encoding does not pay, with the stored bytes of the pages that it is about. */
export interface Encodings {
  /** Compressed without having been split. */
  plain: FieldBytes[];
  /** Numbers with a fraction that compression leaves nearly as they are: their last bits are noise. */
  noisy: FieldBytes[];
}

export interface FieldBytes {
  branch: BranchInfo;
  bytes: number;
}

/** A field of fewer bytes, or of a smaller part of all, is not worth a thought. */
const LEAST_BYTES = 20_000;
const LEAST_SHARE = 0.01;
/** Reals of which compression saves less have random bits. */
export const LEAST_SAVED = 0.2;

export function poorEncodings(layout: TreeLayout): Encodings {
  const { tree, basketStart, storedBytes, pageBytes, pageType, compress } = layout;
  const found: Encodings = { plain: [], noisy: [] };
  const least = Math.max(LEAST_BYTES, LEAST_SHARE * tree.storedBytes);
  if (pageBytes === undefined || pageType === undefined) return found;
  for (const branch of tree.branches) {
    // What is not compressed gains nothing by being split.
    if ((compress[branch.index] ?? 0) % 100 <= 0) continue;
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
    if (real > least && real > (1 - LEAST_SAVED) * whole) found.noisy.push({ branch, bytes: real });
  }
  for (const list of [found.plain, found.noisy]) list.sort((a, b) => b.bytes - a.bytes);
  return found;
}

/** Names in ROOT::ENTupleColumnType by type; what has several bytes, as it is when split. */
const SPLIT_NAMES = [
  ...['kBit', 'kByte', 'kChar', 'kInt8', 'kUInt8'],
  ...['kSplitInt16', 'kSplitUInt16', 'kSplitInt32', 'kSplitUInt32', 'kSplitInt64', 'kSplitUInt64'],
  ...['kReal16', 'kSplitReal32', 'kSplitReal64', 'kSplitIndex32', 'kSplitIndex64'],
];

/** The columns of a field as they would be split, for SetColumnRepresentatives. */
export function splitColumns({ basketStart, pageType }: TreeLayout, { index }: BranchInfo): string {
  const types = new Set(pageType?.subarray(basketStart[index] ?? 0, basketStart[index + 1] ?? 0));
  const names = Array.from(types, (type) => SPLIT_NAMES[type]).filter((name) => name !== undefined);
  return names.map((name) => `ROOT::ENTupleColumnType::${name}`).join(', ');
}
