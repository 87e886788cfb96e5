import { onAbort } from '../../base/abort';
import { toXylemError, XylemError } from '../../base/errors';
import type { Extent } from '../extents';
import { totalLength } from '../ranges';
import type { ByteSource, Range } from '../source';
import type { StoredExtents } from '../stored';
import type { ReadOrigin, ReadRecord, Trace } from '../trace';
import { type Fetch, settle, spanOf } from './fetch';
import type { Requests } from './queue';

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

/** The part of a request that the trace records. */
type Noted = Pick<Fetch, 'offset' | 'length' | 'wanted' | 'purpose' | 'planned'> &
  Pick<ReadRecord, 'parts' | 'ranges'>;

/** Returns requests to the source itself. They never reject. */
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

  function arrive(fetch: Fetch, bytes: Uint8Array): void {
    const extent = { offset: fetch.offset, length: bytes.length, bytes };
    options.keep(extent, fetch.waiters.size);
    settle(fetch, open, (waiter) => waiter.arrived(fetch, extent));
  }

  function fail(fetches: readonly Fetch[], error: XylemError): void {
    for (const fetch of fetches) settle(fetch, open, (waiter) => waiter.failed(fetch, error));
  }

  /** Returns false if the bytes are missing. */
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

  /** Sends one request for several fetches. Returns false if the source did not answer all of them. */
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
      fail(unsettled(batch), error);
      return true;
    }
  }

  /** Returns the fetches that the source did not answer. */
  async function send(batch: readonly Fetch[]): Promise<readonly Fetch[]> {
    if (batch.length > 1) return (await runMany(batch)) ? [] : unsettled(batch);
    await run(batch[0] as Fetch);
    return [];
  }

  return {
    // A place in the queue is given back in each case: otherwise all later reads would wait.
    send: (batch, done) =>
      void send(batch).then(done, (thrown: unknown) => {
        fail(unsettled(batch), toXylemError(thrown));
        done([]);
      }),
    load: (fetch, done) => void load(fetch).then(done, () => done(fetch.state === 'settled')),
    // Browsers take no other object as its owner.
    soon: (run) => queueMicrotask(run),
  };
}

const unsettled = (batch: readonly Fetch[]): Fetch[] => batch.filter(({ state }) => state !== 'settled');

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
