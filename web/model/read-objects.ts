import type { ObjectOutcome, PlainObject } from '../api/objects';
import { toXylemError, XylemError } from '../base/errors';
import { isDamage } from '../io/doubt';
import type { ReadOptions } from '../io/fetch/reader';
import type { Key } from './key-list';
import type { RootFile } from './root-file';

/**
 * Objects of a file, whose records are read together: those of neighbours come with one request. An object that cannot be
 * found or decoded has its error in its place. Throws the errors of the source, because it would refuse each of them.
 */
export async function readObjects(
  file: RootFile,
  paths: readonly string[],
  options: ReadOptions,
): Promise<ObjectOutcome[]> {
  const keys = await file.keys(options);
  const found: (Key | XylemError)[] = [];
  for (const path of paths) found.push(await file.key(path, options).catch(toXylemError));
  const ranges = found.flatMap((key) =>
    key instanceof XylemError || !isInside(key, file.header.end)
      ? []
      : [{ offset: key.offset, length: key.storedBytes }],
  );
  const purpose = `${ranges.length} of ${keys.length} keys`;
  // The records stay in memory, from which each of them is then taken.
  if (ranges.length > 1) await file.reader.read(ranges, { ...options, purpose });
  const outcomes: ObjectOutcome[] = [];
  for (const [i, path] of paths.entries()) {
    const key = found[i];
    if (key instanceof XylemError) {
      outcomes.push({ error: key.toRecord() });
      continue;
    }
    try {
      outcomes.push({ object: (await file.object(path, options)) as PlainObject });
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!isOwn(error)) throw error;
      outcomes.push({ error: error.toRecord() });
    }
  }
  return outcomes;
}

function isInside({ offset, storedBytes }: Key, end: number): boolean {
  return offset >= 0 && storedBytes > 0 && offset + storedBytes <= end;
}

/** Whether an error is of one object, and says nothing about others. */
function isOwn(error: XylemError): boolean {
  return (
    isDamage(error) || ['NO_STREAMER', 'UNSUPPORTED', 'NOT_FOUND', 'BUDGET', 'ARGUMENT'].includes(error.code)
  );
}
