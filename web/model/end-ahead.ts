import { delay, settle } from '../base/abort';
import type { Extent } from '../io/extents';
import type { Reader } from '../io/reader';

/** A link whose first answer takes longer than so many waits of so many ms is a slow one. */
const WAITS = 5;
const WAIT_MS = 10;

/** What is asked for of the end of a file before it is known where it ends. */
export interface EndAhead {
  /** What came, or undefined where nothing was asked for or came. Never rejects. */
  take(): Promise<Extent | undefined>;
  /** It is of no use any more. */
  drop(): void;
}

/**
 * Asks for the last bytes of a file while its head is waited for, where that takes long: then they are here a
 * round trip sooner, and a second connection is open. `wanted` is asked before, once it is known to be slow.
 */
export function readEndAhead(
  reader: Reader,
  length: number,
  wanted: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): EndAhead {
  const controller = new AbortController();
  let asked: Promise<Extent | undefined> | undefined;

  // Waits are counted, not time: a process that stands still sees its answer between two of them.
  async function watch(): Promise<void> {
    for (let i = 0; i < WAITS; i++) {
      await delay(WAIT_MS, controller.signal);
      if (reader.answered) return;
    }
    if (!(await wanted()) || reader.answered || controller.signal.aborted) return;
    asked = reader.readEnd(length, { signal: controller.signal, purpose: 'tail' });
  }

  const drop = () => controller.abort();
  signal?.addEventListener('abort', drop, { once: true });
  void settle(watch());
  return {
    async take() {
      signal?.removeEventListener('abort', drop);
      if (!asked) drop();
      return asked;
    },
    drop() {
      signal?.removeEventListener('abort', drop);
      drop();
    },
  };
}
