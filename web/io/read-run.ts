import { onAbort } from '../base/abort';
import { abortError, toXylemError, XylemError } from '../base/errors';
import type { Extent, ExtentCache } from './extents';
import type { Fetch, Waiter } from './fetch/fetch';
import type { FetchQueue } from './fetch/queue';
import { type PlanOptions, planReads } from './planner';
import { checkRead, common, eachOverlap, endOf, pastTheEnd, subtract, totalLength, union } from './ranges';
import type { Range, SourceFacts } from './source';
import type { StoredExtents } from './stored';
import { type Trace, traceCached } from './trace';

export interface RunContext {
  source: SourceFacts;
  trace: Trace;
  cache: ExtentCache;
  queue: FetchQueue;
  stored: StoredExtents | undefined;
  plan: PlanOptions;
  maxInFlight: number;
}

/** See StreamOptions of reader.ts. */
export interface RunRequest {
  signal?: AbortSignal | undefined;
  purpose: string;
  priority: number;
  aheadBytes: number;
  onBytes?: ((bytes: number) => void) | undefined;
  onRange: (index: number, bytes: Uint8Array) => void | Promise<void>;
  onError?: ((index: number, error: XylemError) => void) | undefined;
}

/** One wanted range, clipped to the file if its size is known, and the fetches for which it waits. */
interface Want extends Range {
  index: number;
  /** The parts of it that have arrived, in any order. */
  extents: Extent[];
  links: Link[];
  /** Number of fetches that have not arrived. */
  open: number;
  reported: number;
  state: 'open' | 'handed' | 'over';
}

/** A fetch, as this run waits for it. */
interface Link {
  fetch: Fetch;
  /** `elsewhere`: another run started it. */
  state: 'waiting' | 'started' | 'elsewhere' | 'settled';
  /** The wanted ranges that it serves, and the number of bytes of each (0 if unknown). */
  wants: Want[];
  pieces: number[];
  /** Number of its wanted ranges that are not finished. */
  unused: number;
  /** Number of its bytes that count as read ahead. */
  ahead: number;
  extent?: Extent | undefined;
}

/** One call of a reader: gets wanted ranges from the cache and by fetches, and passes them to callbacks. */
export class ReadRun implements Waiter {
  readonly #context: RunContext;
  readonly #request: RunRequest;
  readonly #wants: Want[];
  readonly #links = new Map<Fetch, Link>();
  readonly #held = new Set<Extent>();
  /** Own fetches that have not been started, ascending. */
  #waiting: Link[] = [];
  #active = 0; // own fetches queued or under way
  #aheadBytes = 0; // bytes of own fetches that were started and are not used up
  #handed = 0; // wanted ranges whose callback has not settled
  #left: number; // wanted ranges that have not ended
  #over = false;
  #resolve: () => void = () => {};
  #reject: (error: XylemError) => void = () => {};
  #stopListening: () => void = () => {};

  /** Throws ARGUMENT for an impossible range. */
  constructor(context: RunContext, ranges: readonly Range[], request: RunRequest) {
    for (const range of ranges) checkRead(range);
    this.#context = context;
    this.#request = request;
    this.#left = ranges.length;
    const size = context.source.info().size ?? Number.POSITIVE_INFINITY;
    this.#wants = ranges.map(({ offset, length }, index) => ({
      index,
      offset,
      length: offset < size ? Math.min(length, size - offset) : length,
      extents: [],
      links: [],
      open: 0,
      reported: 0,
      state: 'open',
    }));
  }

  /** Resolves when all wanted ranges were passed on and used. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      const { signal } = this.#request;
      this.#stopListening = onAbort(signal, () => this.stop(abortError(signal?.reason)));
      if (this.#left === 0) this.#finish();
      else if (!this.#over) this.#plan();
    });
  }

  /** Ends the run with an error, and cancels requests that no other run waits for. */
  stop(error: XylemError): void {
    if (this.#over) return;
    this.#finish();
    this.#reject(error);
  }

  #plan(): void {
    const { source, cache, queue, plan } = this.#context;
    const { purpose, priority } = this.#request;
    const size = source.info().size ?? Number.POSITIVE_INFINITY;
    const beyond = this.#wants.filter((want) => want.length > 0 && want.offset >= size);
    const real = this.#wants.filter((want) => want.length > 0 && want.offset < size);
    for (const want of real) {
      want.extents = cache.find(want);
      for (const extent of want.extents) this.#hold(extent);
    }
    const all = union(real);
    const missing = subtract(all, union([...this.#held]));
    this.#traceCached(all, missing);

    const joined = new Set<Fetch>();
    eachOverlap(missing, queue.open, (_range, fetch) => joined.add(fetch));
    const ascending = [...real].sort((a, b) => a.offset - b.offset);
    eachOverlap(ascending, joined, (want, fetch) => {
      if (subtract([common(want, fetch)], union(want.extents)).length > 0)
        this.#link(fetch, want, 0, 'elsewhere');
    });
    const loads = this.#planLoads(subtract(missing, union([...joined])), ascending);
    for (const range of planReads(real, [...this.#held, ...joined, ...loads], plan).ranges) {
      const fetch = queue.plan(range, range.wanted, purpose, priority);
      for (const piece of range.pieces) {
        const want = real[piece.index];
        if (want) this.#link(fetch, want, piece.length, 'waiting');
      }
    }
    const links = [...this.#links.values()];
    this.#waiting = links
      .filter((link) => link.state === 'waiting')
      .sort((a, b) => a.fetch.offset - b.fetch.offset);

    for (const link of links) if (link.state === 'elsewhere') queue.start(link.fetch, priority);
    for (const want of beyond) this.#fail(want, pastTheEnd(source.name, want.offset, want.length, size));
    for (const want of this.#wants) {
      if (want.state === 'open' && want.open === 0) this.#deliver(want);
    }
    this.#startMore();
  }

  /** Plans fetches from the persistent cache for missing bytes. */
  #planLoads(missing: readonly Range[], ascending: readonly Want[]): Fetch[] {
    const { stored, queue } = this.#context;
    const { purpose, priority } = this.#request;
    const found = stored?.find(missing) ?? [];
    if (found.length === 0) return [];
    const wanted = new Map<Range, number>();
    eachOverlap(missing, found, (part, range) => {
      wanted.set(range, (wanted.get(range) ?? 0) + common(part, range).length);
    });
    const loads = found.map((range) => queue.plan(range, wanted.get(range) ?? 0, purpose, priority, true));
    eachOverlap(ascending, loads, (want, fetch) => {
      this.#link(fetch, want, common(want, fetch).length, 'waiting');
    });
    return loads;
  }

  #traceCached(all: readonly Range[], missing: readonly Range[]): void {
    const got = totalLength(all) - totalLength(missing);
    if (got > 0) traceCached(this.#context.trace, all[0]?.offset ?? 0, got, this.#request.purpose);
  }

  #hold(extent: Extent): void {
    if (this.#held.has(extent)) return;
    this.#held.add(extent);
    this.#context.cache.hold(extent);
  }

  #link(fetch: Fetch, want: Want, bytes: number, state: Link['state']): void {
    let link = this.#links.get(fetch);
    if (!link) {
      link = { fetch, state, wants: [], pieces: [], unused: 0, ahead: 0 };
      this.#links.set(fetch, link);
      this.#context.queue.join(fetch, this);
    }
    // A wanted range has several consecutive pieces in a fetch if cached bytes are between them.
    if (link.wants.at(-1) === want) {
      link.pieces.push((link.pieces.pop() ?? 0) + bytes);
      return;
    }
    link.wants.push(want);
    link.pieces.push(bytes);
    link.unused++;
    want.links.push(link);
    want.open++;
  }

  /** Starts own fetches in ascending order, as far as `aheadBytes` allows. */
  #startMore(): void {
    while (!this.#over) {
      const link = this.#waiting[0];
      if (!link) return;
      if (link.state === 'waiting') {
        // If nothing is being used, all arrived bytes wait for more, so the limit has to be exceeded.
        const stuck = this.#handed === 0 && this.#active < this.#context.maxInFlight;
        if (this.#aheadBytes >= this.#request.aheadBytes && !stuck) return;
        link.state = 'started';
        link.ahead = link.fetch.length;
        this.#active++;
        this.#aheadBytes += link.ahead;
        this.#context.queue.start(link.fetch, this.#request.priority);
      }
      this.#waiting.shift();
    }
  }

  arrived(fetch: Fetch, extent: Extent): void {
    const link = this.#links.get(fetch);
    if (!link) {
      this.#context.cache.release(extent);
      return;
    }
    link.extent = extent;
    this.#settle(link);
    for (const [at, want] of link.wants.entries()) {
      if (this.#over || want.state !== 'open') continue;
      want.extents.push(extent);
      want.open--;
      // At the end of the file fewer bytes arrive than planned. Delivery then reports their number.
      if (extent.length === fetch.length) this.#report(want, link.pieces[at] ?? 0);
      if (want.open === 0) this.#deliver(want);
    }
    this.#startMore();
  }

  failed(fetch: Fetch, error: XylemError): void {
    const link = this.#links.get(fetch);
    if (!link) return;
    this.#settle(link);
    for (const want of link.wants) {
      if (this.#over || want.state !== 'open') continue;
      want.open--;
      // At the end of the file, the start of the range may have arrived with another fetch.
      if (error.code !== 'TRUNCATED') this.#fail(want, error);
      else if (want.open === 0) this.#deliver(want);
    }
    this.#startMore();
  }

  #settle(link: Link): void {
    if (link.state === 'started') this.#active--;
    link.state = 'settled';
  }

  #report(want: Want, bytes: number): void {
    const more = Math.min(bytes, want.length - want.reported);
    want.reported += more;
    if (more <= 0 || this.#over) return;
    try {
      this.#request.onBytes?.(more);
    } catch (thrown) {
      this.stop(toXylemError(thrown));
    }
  }

  /** Passes on a range when all its existing bytes have arrived. */
  #deliver(want: Want): void {
    if (this.#over) return;
    want.state = 'handed';
    this.#handed++;
    const used = () => {
      this.#handed--;
      this.#end(want);
    };
    let bytes: Uint8Array;
    try {
      bytes = assemble(want, this.#context.source.name);
    } catch (thrown) {
      this.#handed--;
      this.#fail(want, toXylemError(thrown));
      return;
    }
    this.#report(want, bytes.length - want.reported);
    try {
      const using = this.#request.onRange(want.index, bytes);
      if (using) using.then(used, (thrown: unknown) => this.stop(toXylemError(thrown)));
      else used();
    } catch (thrown) {
      this.stop(toXylemError(thrown));
    }
  }

  #fail(want: Want, error: XylemError): void {
    if (this.#over) return;
    if (!this.#request.onError) {
      this.stop(error);
      return;
    }
    try {
      this.#request.onError(want.index, error);
      this.#end(want);
    } catch (thrown) {
      this.stop(toXylemError(thrown));
    }
  }

  /** Ends a wanted range, and the fetches that only served finished ranges. */
  #end(want: Want): void {
    if (this.#over || want.state === 'over') return;
    want.state = 'over';
    want.extents = [];
    for (const link of want.links) if (--link.unused === 0) this.#drop(link);
    if (--this.#left === 0) this.#finish();
    else this.#startMore();
  }

  #drop(link: Link): void {
    this.#links.delete(link.fetch);
    this.#aheadBytes -= link.ahead;
    if (link.extent) this.#context.cache.release(link.extent);
    else this.#context.queue.leave(link.fetch, this);
    this.#settle(link);
  }

  #finish(): void {
    this.#over = true;
    this.#stopListening();
    for (const link of [...this.#links.values()]) this.#drop(link);
    for (const extent of this.#held) this.#context.cache.release(extent);
    this.#held.clear();
    this.#waiting = [];
    if (this.#left === 0) this.#resolve();
  }
}

/**
 * Returns the bytes of a wanted range: a view if one extent contains them all, otherwise a copy. Throws TRUNCATED or
 * IO.
 */
function assemble(want: Want, name: string): Uint8Array {
  if (want.length === 0) return new Uint8Array(0);
  const end = endOf(want);
  const view = (extent: Extent, from: number, until: number) =>
    extent.bytes.subarray(from - extent.offset, until - extent.offset);
  const whole = want.extents.find((extent) => extent.offset <= want.offset && endOf(extent) >= end);
  if (whole) return view(whole, want.offset, end);

  const parts: Uint8Array[] = [];
  let at = want.offset;
  for (const extent of [...want.extents].sort((a, b) => a.offset - b.offset)) {
    if (extent.offset > at) {
      throw new XylemError({
        code: 'IO',
        message: `${name}: the source gave bytes up to ${at} as if the file ended there, and more from ${extent.offset}.`,
        where: { offset: want.offset, length: want.length },
      });
    }
    if (endOf(extent) <= at) continue;
    const part = view(extent, at, Math.min(end, endOf(extent)));
    parts.push(part);
    at += part.length;
  }
  const [only] = parts;
  if (!only) throw pastTheEnd(name, want.offset, want.length);
  if (parts.length === 1) return only;
  const bytes = new Uint8Array(at - want.offset);
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes;
}
