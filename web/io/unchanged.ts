import { SharedWork } from '../base/abort';
import { XylemError } from '../base/errors';
import type { ByteSource } from './source';
import type { StoredExtents } from './stored';
import type { Trace } from './trace';

/**
 * Shows that what came of a source is of one content. Where its answers say so themselves (ETag,
 * Last-Modified, a local file's dates) that costs nothing; else the start of the file is read again
 * after them, once for all that came until then, and only then are they kept beyond the session.
 */
export interface Proof {
  /** Keeps what came, at once or when it is proven. */
  keep(offset: number, bytes: Uint8Array): void;
  /** Remembers that the content was seen to have changed. */
  noteFailure(error: XylemError): void;
  /** Throws FILE_CHANGED when that was seen. */
  throwIfChanged(): void;
  /** Resolves when all that came is proven. Throws FILE_CHANGED, and what reading throws. */
  prove(signal?: AbortSignal): Promise<void>;
}

/** Bytes that wait for a proof before they are kept; what comes beyond is not kept. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

interface Held {
  /** Doubtful answers up to this one. */
  number: number;
  /** Extents that came in the same turn are kept as one. */
  turn: number;
  offset: number;
  bytes: Uint8Array;
}

export function createProof(
  source: ByteSource,
  trace: Trace,
  stored: () => StoredExtents | undefined,
): Proof {
  let proven = 0;
  let held: Held[] = [];
  let heldBytes = 0;
  let turn = 0;
  let turnEnds = false;
  let changed: XylemError | undefined;
  let asking: SharedWork<void> | undefined;

  function noteFailure(error: XylemError): void {
    if (error.code === 'FILE_CHANGED') changed ??= error;
  }

  async function release(): Promise<void> {
    const ready = held.filter(({ number }) => number <= proven);
    held = held.filter(({ number }) => number > proven);
    heldBytes = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const [i, { offset, bytes, turn: own }] of ready.entries()) {
      if (i > 0 && ready[i - 1]?.turn !== own) await undefined;
      stored()?.save(offset, bytes);
    }
  }

  async function ask(signal: AbortSignal): Promise<void> {
    const upTo = source.doubtful ?? 0;
    const started = trace.now();
    let answered = started;
    const note = (got: number, failed?: XylemError['code']) => {
      const origin = source.origin ?? 'network';
      const times = { queued: started, started, answered, done: trace.now() };
      const sizes = { offset: 0, wanted: got, asked: got, got };
      trace.add({ ...sizes, origin, purpose: 'check', ...times, ...(failed && { failed }) });
    };
    try {
      const got = await source.readAgain?.(signal, () => {
        answered = trace.now();
      });
      note(got ?? 0);
    } catch (thrown) {
      if (thrown instanceof XylemError) {
        note(0, thrown.code);
        noteFailure(thrown);
      }
      throw thrown;
    }
    proven = Math.max(proven, upTo);
    await release();
  }

  return {
    noteFailure,
    throwIfChanged() {
      if (changed) throw changed;
    },
    keep(offset, bytes) {
      const number = source.doubtful ?? 0;
      if (number <= proven) stored()?.save(offset, bytes);
      else if (stored() && heldBytes + bytes.length <= MOST_HELD_BYTES) {
        held.push({ number, turn, offset, bytes });
        heldBytes += bytes.length;
        if (turnEnds) return;
        turnEnds = true;
        queueMicrotask(() => {
          turnEnds = false;
          turn++;
        });
      }
    },
    async prove(signal) {
      const upTo = source.doubtful ?? 0;
      while (!changed && proven < upTo) {
        if (!asking || asking.abandoned) {
          const work = new SharedWork((all) =>
            ask(all).finally(() => {
              if (asking === work) asking = undefined;
            }),
          );
          asking = work;
        }
        await asking.join(signal);
      }
      if (changed) throw changed;
    },
  };
}
