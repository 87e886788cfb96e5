/** Where bytes came from. */
export type ReadOrigin = 'network' | 'memory' | 'disk';

/** One read of the source, as it happened. Times are ms of a monotonic clock. */
export interface ReadRecord {
  offset: number;
  /** Bytes that something above wanted, asked of the source, and received. */
  wanted: number;
  asked: number;
  got: number;
  origin: ReadOrigin;
  /** What it was for: "head", "keys", "Muon_pt". */
  purpose: string;
  queued: number;
  started: number;
  done: number;
}

export interface TraceSummary {
  requests: number;
  /** Bytes received from the source. */
  bytes: number;
  /** Bytes served from memory without a request. */
  cachedBytes: number;
  /** Longest chain of reads that waited for one another. */
  roundTrips: number;
  /** ms during which at least one request was under way. */
  busyTime: number;
}
