import { onAbort } from '../../base/abort';
import { toXylemError, XylemError } from '../../base/errors';
import type { Extent } from '../extents';
import { endOf, totalLength } from '../ranges';
import type { ByteSource, Range } from '../source';
import type { StoredExtents } from '../stored';
import type { ReadOrigin, ReadRecord, Trace } from '../trace';
import type { Fetch, Waiter } from './fetch';

export interface RequestOptions {
  source: ByteSource;
  trace: Trace;
  /** Receives the bytes that arrived, with the number of their waiters. */
  keep: (extent: Extent, holds: number) => void;
  /** Receives bytes that came over the network: everything that one request delivered in one turn. */
  keepBeyond: (offset: number, bytes: Uint8Array) => void;
  /** Called for each failed request. */
  failed: (error: XylemError) => void;
  /** Called when the first bytes of an answer arrive. */
  answered: () => void;
  /** Returns the persistent cache, after the file is known. */
  stored: () => StoredExtents | undefined;
}

/** Sends requests to the source and passes the bytes to the waiters. Never rejects. */
export interface Requests {
  /** Reads from the persistent cache. Returns false if the bytes are missing. */
  load(fetch: Fetch): Promise<boolean>;
  run(fetch: Fetch): Promise<void>;
  /** Sends one request for several fetches. Returns false if the source did not answer all of them. */
  runMany(batch: readonly Fetch[]): Promise<boolean>;
}

/** The part of a request that the trace records. */
type Noted = Pick<Fetch, 'offset' | 'length' | 'wanted' | 'purpose' | 'planned'> &
  Pick<ReadRecord, 'parts' | 'ranges'>;

export function createRequests(options: RequestOptions, open: Set<Fetch>): Requests {
  const { source, trace } = options;

  function note(
    { offset, length, wanted, purpose, planned, parts, ranges }: Noted,
    origin: ReadOrigin,
    got: number,
    { started, answered }: { started: number; answered: number },
    failed?: XylemError['code'],
    asked = length,
  ): void {
    const times = { queued: planned, started, answered, done: trace.now() };
    const more = { ...(parts && { parts, ranges }), ...(failed && { failed }) };
    trace.add({ offset, wanted, asked, got, origin, purpose, ...times, ...more });
  }

  function settle(fetch: Fetch, tell: (waiter: Waiter) => void): void {
    fetch.state = 'settled';
    open.delete(fetch);
    for (const waiter of [...fetch.waiters]) tell(waiter);
    fetch.waiters.clear();
  }

  function arrive(fetch: Fetch, bytes: Uint8Array): void {
    const extent = { offset: fetch.offset, length: bytes.length, bytes };
    options.keep(extent, fetch.waiters.size);
    settle(fetch, (waiter) => waiter.arrived(fetch, extent));
  }

  function fail(fetches: readonly Fetch[], error: XylemError): void {
    for (const fetch of fetches) settle(fetch, (waiter) => waiter.failed(fetch, error));
  }

  async function load(fetch: Fetch): Promise<boolean> {
    const started = trace.now();
    const bytes = await options.stored()?.load(fetch);
    if (fetch.state === 'settled') return true;
    if (!bytes) return false;
    note(fetch, 'store', bytes.length, { started, answered: started });
    arrive(fetch, bytes);
    return true;
  }

  async function run(fetch: Fetch): Promise<void> {
    const { offset, length } = fetch;
    const started = trace.now();
    const times = { started, answered: started };
    const origin = source.origin ?? 'network';
    let bytes: Uint8Array;
    try {
      bytes = await source.read(offset, length, fetch.controller.signal, () => {
        times.answered = trace.now();
        options.answered();
      });
      if (bytes.length === 0 || bytes.length > length) throw wrongAnswer(source, fetch, bytes.length);
    } catch (thrown) {
      const error = toXylemError(thrown);
      note(fetch, origin, 0, times, error.code);
      options.failed(error);
      fail([fetch], error);
      return;
    }
    note(fetch, origin, bytes.length, times);
    if (origin === 'network') options.keepBeyond(offset, bytes);
    arrive(fetch, bytes);
  }

  async function runMany(batch: readonly Fetch[]): Promise<boolean> {
    const asParts = (source.maxParts ?? 0) > 1;
    const span = spanOf(batch);
    const started = trace.now();
    const times = { started, answered: started };
    let got = 0;
    const came: [Fetch, Uint8Array][] = [];
    const left = new Set(batch);
    const signal = abortedWithAll(batch);
    const onAnswer = () => {
      times.answered = trace.now();
    };
    const onPart = (index: number, bytes: Uint8Array) => {
      const fetch = batch[index] as Fetch;
      got += bytes.length;
      came.push([fetch, bytes]);
      left.delete(fetch);
      // The last one waits for the trace, so that the request is recorded when its receiver has all bytes.
      if (left.size > 0 && fetch.state !== 'settled') arrive(fetch, bytes);
    };
    const handOver = () => {
      for (const [fetch, bytes] of came) {
        if (fetch.state !== 'settled') arrive(fetch, bytes);
        if (source.origin === 'network') options.keepBeyond(fetch.offset, bytes);
      }
    };
    const record = (failed?: XylemError['code']) => {
      const wanted = batch.reduce((sum, fetch) => sum + fetch.wanted, 0);
      const asked = asParts ? totalLength(batch) : span.length;
      const ranges = batch.map(({ offset, length }) => ({ offset, length }));
      const parts = asParts ? { parts: batch.length, ranges } : {};
      const all = { ...(batch[0] as Fetch), ...span, wanted, ...parts };
      note(all, source.origin ?? 'network', got, times, failed, asked);
    };
    try {
      let complete = true;
      if (asParts) complete = (await source.readParts?.(batch, onPart, signal, onAnswer)) ?? false;
      else {
        const bytes = await source.read(span.offset, span.length, signal, onAnswer);
        if (bytes.length !== span.length) throw wrongAnswer(source, span, bytes.length);
        batch.forEach((fetch, index) => {
          const at = fetch.offset - span.offset;
          onPart(index, bytes.subarray(at, at + fetch.length));
        });
        got = bytes.length;
      }
      record();
      handOver();
      return complete;
    } catch (thrown) {
      const error = toXylemError(thrown);
      record(error.code);
      options.failed(error);
      handOver();
      fail(
        batch.filter((fetch) => fetch.state !== 'settled'),
        error,
      );
      return true;
    }
  }

  return { load, run, runMany };
}

/** Returns the range from the first fetch to the end of the last. */
function spanOf(batch: readonly Fetch[]): Range {
  const { offset } = batch[0] as Fetch;
  return { offset, length: endOf(batch.at(-1) as Fetch) - offset };
}

/** Returns a signal that aborts when all of these fetches are settled or aborted. */
function abortedWithAll(batch: readonly Fetch[]): AbortSignal {
  const controller = new AbortController();
  const over = (fetch: Fetch) => fetch.state === 'settled' || fetch.controller.signal.aborted;
  for (const fetch of batch) {
    onAbort(fetch.controller.signal, () => {
      if (batch.every(over)) controller.abort();
    });
  }
  return controller.signal;
}

function wrongAnswer(source: ByteSource, { offset, length }: Range, got: number): XylemError {
  return new XylemError({
    code: 'IO',
    message: `${source.name}: the source gave ${got} bytes at offset ${offset} where ${length} were asked for.`,
    where: { offset, length },
  });
}
