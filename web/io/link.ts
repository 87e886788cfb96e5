import type { ReadRecord } from './trace';

/** What a link is like, as far as it has been seen. */
export interface LinkEstimate {
  /** From asking to the first of the answer, in ms. */
  latencyMs: number;
  /** Bandwidth of all connections together, in bytes per ms. */
  bytesPerMs: number;
}

/** The estimate follows the last so many requests. */
const RECENT = 48;
/** Smaller answers say nothing of the bandwidth. */
const LEAST_BYTES = 16 * 1024;
/** An answer that comes in one go seems to take no time at all. */
const LEAST_MS = 0.5;

/**
 * Latency and bandwidth from the requests that ended last; undefined before the first one. The
 * least latency is taken, since what is beyond it is connecting and waiting for one another; the
 * bandwidth is that of the time in which anything came, since connections share the link.
 */
export function estimateLink(records: readonly ReadRecord[]): LinkEstimate | undefined {
  let latencyMs = Number.POSITIVE_INFINITY;
  const bodies: { from: number; until: number }[] = [];
  let bytes = 0;
  let seen = 0;
  for (let at = records.length - 1; at >= 0 && seen < RECENT; at--) {
    const record = records[at];
    if (record?.origin !== 'network' || record.failed || record.got === 0) continue;
    seen++;
    latencyMs = Math.min(latencyMs, record.answered - record.started);
    if (record.got < LEAST_BYTES) continue;
    bytes += record.got;
    bodies.push({ from: record.answered, until: Math.max(record.done, record.answered + LEAST_MS) });
  }
  if (bodies.length === 0) return undefined;
  return { latencyMs, bytesPerMs: bytes / busyTime(bodies) };
}

/** Length of the union of spans. */
export function busyTime(spans: readonly { from: number; until: number }[]): number {
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, until } of [...spans].sort((a, b) => a.from - b.from)) {
    if (until <= end) continue;
    total += until - Math.max(from, end);
    end = until;
  }
  return total;
}
