import { eachOf } from '../base/each-of';
import { throwIfAborted, toXylemError } from '../base/errors';
import type { VerbCall } from './verb';

/** Bytes of one request of a whole reading, about. */
const REQUEST_BYTES = 8 << 20;
/** Files that are opened at once. */
const JOBS = 4;

/**
 * Returns what it costs to read all files that these names are of, each to its last byte. One that cannot be opened costs
 * nothing: the verb tells its error when it opens it again.
 */
export async function wholeCost(names: readonly string[], { files, signal }: VerbCall, what: string) {
  const named = (await Promise.all(names.map((name) => files(name, true)))).flat();
  let bytes = 0;
  await eachOf(named, JOBS, signal, async ({ open }) => {
    const size = await open(async ({ info }) => info.size).catch((thrown) => {
      if (/^(ABORTED|BUDGET|ARGUMENT)$/.test(toXylemError(thrown).code)) throw thrown;
      return 0;
    });
    bytes += size;
  });
  throwIfAborted(signal);
  return { bytes, requests: Math.ceil(bytes / REQUEST_BYTES), what };
}
