import { SharedWork } from '../base/abort';
import { isOtherContent } from '../base/codes';
import { XylemError } from '../base/errors';
import { common } from './ranges';
import type { ByteSource, Range } from './source';
import type { StoredExtents } from './stored';
import type { Trace } from './trace';

/**
 * Checks that everything read from a source belongs to one content. If the answers identify their content (ETag,
 * Last-Modified, dates of a local file), that costs nothing. Otherwise the start of the file is read again
 * afterwards, once for all reads so far; only then are they kept beyond the session.
 */
export interface ContentCheck {
  /** Keeps bytes, at once or after they are verified. */
  keep(offset: number, bytes: Uint8Array): void;
  /** Drops bytes of the ranges that wait to be kept. */
  drop(ranges: readonly Range[]): void;
  /** Stores that the content has changed. */
  noteFailure(error: XylemError): void;
  /** Throws FILE_CHANGED if a change was seen. */
  throwIfChanged(): void;
  /** Resolves when everything read so far is verified. Throws FILE_CHANGED, and the errors of reading. */
  verifyUnchanged(signal?: AbortSignal): Promise<void>;
}

/** Maximum number of bytes that wait for verification. Further ones are not kept. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

interface Held {
  /** Number of the last unverified answer. */
  number: number;
  /** Extents that arrived in the same turn of the event loop are kept as one. */
  turn: number;
  offset: number;
  bytes: Uint8Array;
}

export function createContentCheck(
  source: ByteSource,
  trace: Trace,
  stored: () => StoredExtents | undefined,
): ContentCheck {
  let verified = 0;
  let held: Held[] = [];
  let heldBytes = 0;
  let turn = 0;
  let turnEnds = false;
  let changed: XylemError | undefined;
  let asking: SharedWork<void> | undefined;

  function noteFailure(error: XylemError): void {
    if (isOtherContent(error.code)) changed ??= error;
  }

  function holdOnly(left: Held[]): void {
    held = left;
    heldBytes = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  async function release(): Promise<void> {
    const ready = held.filter(({ number }) => number <= verified);
    holdOnly(held.filter(({ number }) => number > verified));
    for (const [i, { offset, bytes, turn: own }] of ready.entries()) {
      if (i > 0 && ready[i - 1]?.turn !== own) await undefined;
      stored()?.save(offset, bytes);
    }
  }

  async function ask(signal: AbortSignal): Promise<void> {
    const upTo = source.unverified ?? 0;
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
    verified = Math.max(verified, upTo);
    await release();
  }

  return {
    noteFailure,
    throwIfChanged() {
      if (changed) throw changed;
    },
    keep(offset, bytes) {
      const number = source.unverified ?? 0;
      if (number <= verified) stored()?.save(offset, bytes);
      else if (stored() && heldBytes + bytes.length <= MAX_HELD_BYTES) {
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
    drop(ranges) {
      const has = ({ offset, bytes }: Held, range: Range) =>
        common({ offset, length: bytes.length }, range).length > 0;
      holdOnly(held.filter((one) => !ranges.some((range) => has(one, range))));
    },
    async verifyUnchanged(signal) {
      const upTo = source.unverified ?? 0;
      while (!changed && verified < upTo) {
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
