import { delay, onAbort, settle } from '../base/abort';
import type { Extent } from '../io/extents';
import type { ByteReader } from '../io/fetch/reader';

/** A link is slow when its first answer takes longer than WAITS timer ticks of WAIT_MS. */
const WAITS = 5;
const WAIT_MS = 10;

/** A read of the end of a file before its size is known. */
export interface EndAhead {
  /** Returns the bytes; undefined if nothing was requested or nothing arrived. Never rejects. */
  take(): Promise<Extent | undefined>;
  /** Cancels it. */
  drop(): void;
}

/**
 * Requests the last bytes of a file if its head takes long to arrive. They then arrive a round trip earlier, and a
 * second connection is open. `wanted` is called first, once the link is known to be slow.
 */
export function readEndAhead(
  reader: ByteReader,
  length: number,
  wanted: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): EndAhead {
  const controller = new AbortController();
  let asked: Promise<Extent | undefined> | undefined;

  // Counts timer ticks instead of elapsed time. After the process was suspended, an answer that has already arrived
  // is then handled before the server is judged slow.
  async function watch(): Promise<void> {
    for (let i = 0; i < WAITS; i++) {
      await delay(WAIT_MS, controller.signal);
      if (reader.answered) return;
    }
    if (!(await wanted()) || reader.answered || controller.signal.aborted) return;
    asked = reader.readEnd(length, { signal: controller.signal, purpose: 'tail' });
  }

  const drop = () => controller.abort();
  const stop = onAbort(signal, drop);
  void settle(watch());
  return {
    async take() {
      stop();
      if (!asked) drop();
      return asked;
    },
    drop() {
      stop();
      drop();
    },
  };
}
