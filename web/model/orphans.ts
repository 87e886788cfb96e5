import type { WalkedRecords } from '../api/records';
import { subtract, union } from '../io/ranges';
import type { Range } from '../io/source';

/** A record that nothing refers to, or bytes outside all records. */
export interface Orphan {
  offset: number;
  length: number;
  /** Empty for bytes outside all records. */
  className: string;
  name: string;
}

/** Returns the parts of [0, end) that no claim covers, in order. */
export function holesOf(claims: readonly Range[], end: number): Range[] {
  return subtract([{ offset: 0, length: end }], union(claims));
}

/**
 * Returns the content of holes, using the records that a walk found there. Gaps are free space. A record that extends
 * beyond its hole contains claimed bytes (for example pages of an RNTuple), so the other holes within it belong to
 * it.
 */
export function orphansIn(holes: readonly Range[], walked: WalkedRecords): Orphan[] {
  const stops = new Set(walked.stopped.map(({ offset }) => offset));
  const orphans: Orphan[] = [];
  const order = Array.from(walked.offset, (_, i) => i);
  order.sort((a, b) => (walked.offset[a] ?? 0) - (walked.offset[b] ?? 0));
  let next = 0;
  let reach = 0;
  for (const hole of holes) {
    const end = hole.offset + hole.length;
    for (; next < order.length; next++) {
      const i = order[next] ?? 0;
      const offset = walked.offset[i] ?? 0;
      if (offset >= end) break;
      if (offset < reach) continue;
      const length = walked.length[i] ?? 0;
      reach = offset + length;
      const className = walked.texts[walked.className[i] ?? 0] ?? '';
      if (reach <= end && className !== '') {
        orphans.push({ offset, length, className, name: walked.texts[walked.name[i] ?? 0] ?? '' });
      }
    }
    const rest = Math.max(reach, hole.offset);
    if (rest < end && stops.has(rest)) {
      orphans.push({ offset: rest, length: end - rest, className: '', name: '' });
    }
  }
  return orphans;
}
