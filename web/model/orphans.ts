import type { Range } from '../io/source';
import type { WalkedRecords } from './records';

/** Records that nothing names, or bytes that are in no record. */
export interface Orphan {
  offset: number;
  length: number;
  /** "" for bytes that are in no record. */
  className: string;
  name: string;
}

/** The parts of [0, end) that no claim covers, in order. */
export function holesOf(claims: readonly Range[], end: number): Range[] {
  const sorted = [...claims].sort((a, b) => a.offset - b.offset);
  const holes: Range[] = [];
  let at = 0;
  for (const { offset, length } of sorted) {
    if (offset > at) holes.push({ offset: at, length: Math.min(offset, end) - at });
    at = Math.max(at, offset + length);
    if (at >= end) return holes;
  }
  if (at < end) holes.push({ offset: at, length: end - at });
  return holes;
}

/**
 * What lies in holes, by the records that a walk met there. Gaps are free. A record that reaches
 * over the end of its hole holds what is claimed (pages of an RNTuple lie in such), so that the
 * holes within it are its own.
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
