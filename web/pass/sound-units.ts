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

/** Errors of reading after which the result of a task stands as it is. */
const UNREAD: ReadonlySet<ErrorCode> = new Set([
  ...(['NETWORK', 'TIMEOUT', 'HTTP_STATUS', 'HTTP_LENGTH', 'HTTP_NO_RANGES', 'IO'] as const),
]);

/** Distrusts the bytes of units that are damaged; returns whether reading them once more may help. */
export function distrustUnits(failed: readonly FailedUnit[]): boolean {
  return new Doubts().add(failed);
}

/**
 * Takes the result of a task. When units of it are damaged and came over a network, their bytes are distrusted and the
 * task is read and run once more. Those that are still damaged say in their error that they were read twice.
 */
export async function soundResult<R>(
  first: R,
  failedOf: (result: R) => FailedUnit[],
  runAgain: () => Promise<R>,
): Promise<R> {
  const doubts = new Doubts();
  let result = first;
  // Units that hold the same entries are decoded until one of them fails, so that another may fail the next time.
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

/** The doubts of the units that were distrusted so far. */
class Doubts {
  readonly #all = new Map<ByteReader, Map<string, Doubt>>();

  /** Distrusts damaged units that were not distrusted yet; returns whether reading them once more may help. */
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

  /** Says in the errors of damaged units that they were read twice. */
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
