import { totalLength, union } from './ranges';
import type { ReadRecord } from './trace';

/** Measured latency and bandwidth of a link. */
export interface LinkEstimate {
  /** Time from the request to the first byte of the answer, in ms. */
  latencyMs: number;
  /** Bandwidth of all connections together, in bytes per ms. */
  bytesPerMs: number;
}

/** Costs of reading a local file. Bytes read in gaps do not load a network that others use. */
export interface LocalCosts extends LinkEstimate {
  /** Additional time for each range in one read, in ms. */
  partMs: number;
}

/** Number of recent requests that are used for the estimate. */
const RECENT = 48;
/** Minimum bytes of an answer that is used for the bandwidth, and of one that is used beside larger ones. */
const MIN_BYTES = 16 * 1024;
const MANY_BYTES = 128 * 1024;
/**
 * Minimum duration of an answer in ms. A program that starts takes some ms itself, so that the answers with which a file is
 * opened do not tell more than about 300 Mbit/s. Without this, what is planned next would depend on chance.
 */
const MIN_MS = 8;

/**
 * Estimates latency and bandwidth from the most recent requests; undefined before the first one. The smallest latency
 * is used, because longer ones include connecting and waiting for other requests. The bandwidth refers to the time in
 * which anything arrived, because connections share the link. Small answers count only if there are no large ones.
 */
export function estimateLink(records: readonly ReadRecord[]): LinkEstimate | undefined {
  let latencyMs = Number.POSITIVE_INFINITY;
  const bodies: { got: number; from: number; until: number }[] = [];
  for (const { got, started, answered, done } of latestRequests(records)) {
    latencyMs = Math.min(latencyMs, answered - started);
    bodies.push({ got, from: answered, until: Math.max(done, answered + MIN_MS) });
  }
  const most = bodies.reduce((largest, { got }) => Math.max(largest, got), 0);
  if (most < MIN_BYTES) return undefined;
  const used = bodies.filter(({ got }) => got >= (most < MANY_BYTES ? MIN_BYTES : MANY_BYTES));
  return { latencyMs, bytesPerMs: used.reduce((sum, { got }) => sum + got, 0) / busyTime(used) };
}

/** Recent requests by trace. A trace only grows, so each read examines only its new records. */
const found = new WeakMap<readonly ReadRecord[], { seen: number; latest: ReadRecord[] }>();

/** Returns the requests that ended last and returned bytes. */
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

/** Returns the length of the union of time spans. */
export function busyTime(spans: readonly { from: number; until: number }[]): number {
  return totalLength(union(spans.map(({ from, until }) => ({ offset: from, length: until - from }))));
}
