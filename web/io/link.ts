import { totalLength, union } from './ranges';
import type { ReadRecord } from './trace';

/** Latency and bandwidth of a link, as far as they have been measured. */
export interface LinkEstimate {
  /** Time from the request to the first byte of the answer, in ms. */
  latencyMs: number;
  /** Bandwidth of all connections together, in bytes per ms. */
  bytesPerMs: number;
}

/** Costs of reading a file of this machine: nobody else pays for what is read over. */
export interface LocalCosts extends LinkEstimate {
  /** Time that each range costs beside others in one read, in ms. */
  partMs: number;
}

/** The estimate is made of this many recent requests. */
const RECENT = 48;
/** Smaller answers do not show the bandwidth. */
const MIN_BYTES = 16 * 1024;
/** An answer that arrives at once seems to take no time at all. */
const MIN_MS = 0.5;

/**
 * Latency and bandwidth from the requests that ended last; undefined before the first one. The smallest
 * latency is taken, because longer ones include connecting and waiting for other requests; the bandwidth is
 * that of the time in which anything arrived, because connections share the link.
 */
export function estimateLink(records: readonly ReadRecord[]): LinkEstimate | undefined {
  let latencyMs = Number.POSITIVE_INFINITY;
  const bodies: { from: number; until: number }[] = [];
  let bytes = 0;
  for (const record of latestRequests(records)) {
    latencyMs = Math.min(latencyMs, record.answered - record.started);
    if (record.got < MIN_BYTES) continue;
    bytes += record.got;
    bodies.push({ from: record.answered, until: Math.max(record.done, record.answered + MIN_MS) });
  }
  if (bodies.length === 0) return undefined;
  return { latencyMs, bytesPerMs: bytes / busyTime(bodies) };
}

/** Cache by trace, because a trace only grows, and is asked for its last requests with each read. */
const found = new WeakMap<readonly ReadRecord[], { seen: number; latest: ReadRecord[] }>();

/** The requests that ended last and returned bytes. */
function latestRequests(records: readonly ReadRecord[]): readonly ReadRecord[] {
  let known = found.get(records);
  if (!known || known.seen > records.length) {
    known = { seen: 0, latest: [] };
    found.set(records, known);
  }
  for (; known.seen < records.length; known.seen++) {
    const record = records[known.seen];
    if (!record || !measures(record)) continue;
    known.latest.push(record);
    if (known.latest.length > RECENT) known.latest.shift();
  }
  return known.latest;
}

function measures({ origin, failed, got }: ReadRecord): boolean {
  return origin === 'network' && !failed && got > 0;
}

/** Length of the union of time spans. */
export function busyTime(spans: readonly { from: number; until: number }[]): number {
  return totalLength(union(spans.map(({ from, until }) => ({ offset: from, length: until - from }))));
}
