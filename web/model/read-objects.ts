import type { CallOptions, FileId, KeyInfo } from '../api/api';
import type { EngineApi, ObjectOutcome } from '../api/engine-api';
import { toXylemError } from '../base/errors';
import { cyclePath } from './keys';

/** Codes of errors that would occur for every object, because they come from the source or the core. */
const OF_ALL = /^(ABORTED|CORE_LOST|FILE_CHANGED|HTTP_|IO|NETWORK|TIMEOUT)/;

/**
 * Reads stored objects. Records close to each other are fetched in one request. The caller must divide long lists by
 * bytes. For an object that cannot be decoded, the result contains its error. Throws the errors of the source.
 */
export async function readObjects(
  api: Pick<EngineApi, 'readAhead' | 'object'>,
  file: FileId,
  keys: readonly KeyInfo[],
  options: CallOptions = {},
): Promise<ObjectOutcome[]> {
  const outcome = async (reading: Promise<unknown>) => {
    try {
      return { value: await reading };
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (OF_ALL.test(error.code)) throw error;
      return { error: error.toRecord() };
    }
  };
  const ranges = keys
    .map(({ offset, storedBytes: length }) => ({ offset, length }))
    .filter(({ offset, length }) => offset >= 0 && length > 0);
  // A record outside the file is reported when its object is read.
  await outcome(api.readAhead(file, ranges, options));
  return Promise.all(
    keys.map(async (key): Promise<ObjectOutcome> => {
      const reading = api.object(file, cyclePath(key), options);
      const found = await outcome(reading);
      return found.error ? { error: found.error } : { object: await reading };
    }),
  );
}
