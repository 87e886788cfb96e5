import { type ErrorCode, type ErrorRecord, toXylemError } from '../base/errors';
import { type Doubt, isDamage, notAgain, readTwice } from '../io/doubt';
import type { ByteReader } from '../io/fetch/reader';
import type { Range } from '../io/source';

/** A unit of a task that could not be decoded. */
export interface FailedUnit {
  reader: ByteReader;
  ranges: readonly Range[];
  /** Its entry in the result of the task. */
  failure: { error: ErrorRecord };
}

/** Errors of the second read after which the first result is kept. */
const UNREAD: ReadonlySet<ErrorCode> = new Set([
  ...(['NETWORK', 'TIMEOUT', 'HTTP_STATUS', 'HTTP_LENGTH', 'HTTP_NO_RANGES', 'IO'] as const),
]);

/** Marks the bytes of damaged units as wrong. Returns whether reading them again may help. */
export function distrustUnits(failed: readonly FailedUnit[]): boolean {
  return new Doubts().add(failed);
}

/**
 * Returns the result of a task. If units are damaged and came over a network, their bytes are marked as wrong, and the
 * task is read and run once more. Errors of units that are still damaged say that they were read twice.
 */
export async function soundResult<R>(
  first: R,
  failedOf: (result: R) => FailedUnit[],
  runAgain: () => Promise<R>,
): Promise<R> {
  const doubts = new Doubts();
  let result = first;
  // Units with the same entries are decoded until one of them fails, so another one may fail the next time.
  for (let failed = failedOf(result); doubts.add(failed); failed = failedOf(result)) {
    try {
      result = await runAgain();
    } catch (thrown) {
      const why = toXylemError(thrown);
      if (!UNREAD.has(why.code)) throw thrown;
      for (const { failure } of failed)
        if (isDamage(failure.error)) failure.error = notAgain(failure.error, why).toRecord();
      return result;
    }
  }
  if (result !== first) doubts.tell(failedOf(result));
  return result;
}

/** The doubts about units that were marked as wrong so far. */
class Doubts {
  readonly #all = new Map<ByteReader, Map<string, Doubt>>();

  /** Marks damaged units as wrong unless they already were. Returns whether reading them again may help. */
  add(failed: readonly FailedUnit[]): boolean {
    let again = false;
    for (const { reader, ranges, failure } of failed) {
      const own = this.#all.get(reader) ?? new Map<string, Doubt>();
      const place = placeOf(ranges);
      if (!isDamage(failure.error) || own.has(place)) continue;
      const doubt = reader.distrust(ranges);
      own.set(place, doubt);
      this.#all.set(reader, own);
      again ||= doubt.again;
    }
    return again;
  }

  /** Adds to the errors of damaged units that they were read twice. */
  tell(failed: readonly FailedUnit[]): void {
    for (const { reader, ranges, failure } of failed) {
      const before = this.#all.get(reader)?.get(placeOf(ranges));
      if (before && isDamage(failure.error))
        failure.error = readTwice(failure.error, before, reader.distrust(ranges)).toRecord();
    }
  }
}

function placeOf(ranges: readonly Range[]): string {
  return ranges.map(({ offset, length }) => `${offset}-${length}`).join();
}
