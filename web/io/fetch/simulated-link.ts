import { createExtentBudget, type Extent, ExtentIndex } from '../extents';
import type { LinkEstimate } from '../link';
import { planOf } from '../planner';
import { totalLength } from '../ranges';
import { ReadRun } from '../read-run';
import type { Range, SourceFacts } from '../source';
import { type ReadRecord, summarize, type Trace, type TraceSummary } from '../trace';
import { type Fetch, settle, spanOf } from './fetch';
import { createFetchQueue, type Requests } from './queue';

/** A source of which no byte is read. */
export interface SimulatedSource extends SourceFacts {
  /** Set if the server does not answer requests of several ranges: is told of each, when it ends. */
  refused?(ranges: number): void;
  /** Whether requests share connections that are open, so that only the first one waits for a connection. */
  isShared?: boolean;
  /** Returns the requests that the server gets for one of the planner. Default: one. */
  requestsFor?(ranges: readonly Range[]): number;
}

export interface SimulatedReads extends TraceSummary {
  /** Requests that the server gets. */
  calls: number;
  /** Bytes that are wanted, and not in memory. */
  wanted: number;
  /** Time in ms. */
  ms: number;
}

/** Round trips until the first byte over a new connection. */
const CONNECTING = 2;
/** Bytes of all extents: none is ever looked at. */
const NOTHING = new Uint8Array(16 * 1024 * 1024);

/** A request under way. */
interface Running {
  batch: readonly Fetch[];
  end: number;
  isAnswered: boolean;
  record: ReadRecord;
  done: (left: readonly Fetch[]) => void;
}

/**
 * Reads nothing, and counts what reading would request: the planner, the queue and the memory are those of `createByteReader`,
 * only the source and the clock are not. All connections share the bandwidth, and each waits a round trip for its first byte.
 */
export class SimulatedLink {
  readonly #source: SimulatedSource;
  readonly #link: LinkEstimate;
  readonly #records: ReadRecord[] = [];
  readonly #cache = new ExtentIndex(createExtentBudget());
  readonly #open = new Set<Fetch>();
  readonly #running: Running[] = [];
  readonly #soon: (() => void)[] = [];
  readonly #trace: Trace;
  readonly #queue: ReturnType<typeof createFetchQueue>;
  /** Open connections that carry nothing. */
  #idle = 0;
  #isConnected = false;
  #now = 0;
  /** Time from which the link is free. */
  #free = 0;
  #calls = 0;

  constructor(source: SimulatedSource, link: LinkEstimate) {
    this.#source = source;
    this.#link = link;
    this.#trace = {
      now: () => (this.#now += 1e-9),
      add: (record) => this.#records.push(record),
      records: () => this.#records,
      summary: () => summarize(this.#records),
    };
    const requests: Requests = {
      send: (batch, done) => this.#send(batch, done),
      load: (_fetch, done) => done(false),
      soon: (run) => this.#soon.push(run),
    };
    const { concurrency: maxInFlight } = source;
    this.#queue = createFetchQueue({ source, trace: this.#trace, maxInFlight, open: this.#open, requests });
  }

  /** The requests so far. Times in ms. */
  get records(): readonly ReadRecord[] {
    return this.#records;
  }

  /** Reads ranges by a request for each, each `afterMs` later than the one before it, as a file is opened. */
  fetch(ranges: readonly Range[], afterMs: number): void {
    for (const [i, range] of ranges.entries()) {
      if (i > 0) this.#now += afterMs;
      this.#queue.start(this.#queue.plan(range, range.length, 'head', 0), 0);
      for (const run of this.#soon.splice(0)) run();
    }
    this.#run();
  }

  /** Opens a connection and measures the link, as opening a file does, and takes no bytes into memory. */
  warm(): void {
    const { latencyMs, bytesPerMs } = this.#link;
    const [got, origin] = [256 * 1024, this.#source.origin ?? 'network'];
    const times = { queued: 0, started: 0, answered: latencyMs, done: latencyMs + got / bytesPerMs };
    this.#records.push({ offset: 0, wanted: got, asked: got, got, origin, purpose: 'head', ...times });
    this.#idle = 1;
    this.#isConnected = true;
  }

  /** Takes ranges as being in memory. */
  keep(ranges: readonly Range[]): void {
    for (const { offset, length } of ranges)
      for (let at = 0; at < length; at += NOTHING.length)
        this.#cache.add(nothingAt(offset + at, Math.min(NOTHING.length, length - at)));
  }

  /** Reads ranges together, as `ByteReader.stream`. Returns what that costs. */
  stream(ranges: readonly Range[], aheadBytes = Number.POSITIVE_INFINITY): SimulatedReads {
    const [before, from, calls] = [this.#records.length, this.#now, this.#calls];
    const { concurrency } = this.#source;
    const run = new ReadRun(
      {
        ...{ source: this.#source, trace: this.#trace, cache: this.#cache, queue: this.#queue },
        ...{ stored: undefined, maxInFlight: concurrency },
        plan: planOf(this.#source, this.#trace, { concurrency }),
      },
      ranges,
      { purpose: 'data', priority: 0, aheadBytes, onRange: () => {} },
    );
    void run.start();
    this.#run();
    const records = this.#records.slice(before);
    const requests = records.filter(({ origin }) => origin !== 'memory');
    return {
      ...summarize(records),
      calls: this.#calls - calls,
      wanted: requests.reduce((sum, { wanted }) => sum + wanted, 0),
      // After an endless read no time is left to tell.
      ms: Number.isFinite(from) ? this.#now - from : from,
    };
  }

  #send(batch: readonly Fetch[], done: Running['done']): void {
    const [first] = batch as readonly [Fetch, ...Fetch[]];
    const { refused, requestsFor, isShared, origin = 'network', maxParts = 0 } = this.#source;
    // As `Requests` sends them: by one long range if the source does not answer several.
    const asParts = batch.length > 1 && maxParts > 1;
    const ranges = asParts ? batch : [spanOf(batch)];
    const isAnswered = !asParts || refused === undefined;
    this.#calls += requestsFor?.(ranges) ?? 1;
    const isNew = isShared ? !this.#isConnected : this.#idle === 0;
    this.#isConnected = true;
    if (!isNew) this.#idle--;
    const started = this.#now;
    const answered = started + this.#link.latencyMs * (isNew ? CONNECTING : 1);
    const asked = totalLength(ranges);
    const got = isAnswered ? asked : 0;
    this.#free = Math.max(this.#free, answered) + got / this.#link.bytesPerMs;
    const end = Math.max(answered, this.#free);
    const wanted = isAnswered ? batch.reduce((sum, fetch) => sum + fetch.wanted, 0) : 0;
    const { offset, purpose } = first;
    const parts = asParts ? { parts: ranges.length } : {};
    const record: ReadRecord = {
      ...{ offset, wanted, asked, got, origin, purpose, started, answered, done: end },
      // Requests that wait for a connection count as being in a row.
      queued: started,
      ...parts,
    };
    this.#running.push({ batch, end, isAnswered, record, done });
  }

  /** Lets time pass until nothing is under way. */
  #run(): void {
    for (;;) {
      const soon = this.#soon.shift();
      if (soon) {
        soon();
        continue;
      }
      const next = this.#running.reduce<Running | undefined>(
        (first, one) => (first && first.end <= one.end ? first : one),
        undefined,
      );
      if (!next) return;
      this.#running.splice(this.#running.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.end);
      this.#idle++;
      this.#records.push(next.record);
      if (next.isAnswered) for (const fetch of next.batch) this.#arrive(fetch);
      else this.#source.refused?.(next.batch.length);
      next.done(next.isAnswered ? [] : next.batch);
    }
  }

  #arrive(fetch: Fetch): void {
    const extent = nothingAt(fetch.offset, fetch.length);
    this.#cache.add(extent, fetch.waiters.size);
    settle(fetch, this.#open, (waiter) => waiter.arrived(fetch, extent));
  }
}

function nothingAt(offset: number, length: number): Extent {
  return {
    offset,
    length,
    bytes: length <= NOTHING.length ? NOTHING.subarray(0, length) : new Uint8Array(length),
  };
}
