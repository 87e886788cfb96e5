import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Reading } from '../api/reading';
import { argumentError } from '../base/errors';
import { looseProtocolOf } from '../io/schemes';
import { readingsOf } from '../reads/readings-of';
import { namedReadings } from '../verbs/readings';
import { callOf } from './calls';
import { type Context, type FileOptions, pathOf, withFile } from './context';
import { piecesOfFile } from './read-file';

/** The readings of a trace of any known form, or the TTreePerfStats in a ROOT file. Throws XylemError. */
export const savedReadings = (target: string, given: FileOptions, context: Context): Promise<Reading[]> =>
  namedReadings(target, {
    trace: (path) => traceReadings(path, context),
    withFile: (name, use) => withFile(name, given, context, use),
  });

/** Returns the readings of a file that was given to the command. Throws ARGUMENT if it has none. */
export const readingsOfFile = (
  readings: readonly Reading[],
  { name, size }: { name: string; size: number },
): Reading[] => readingsOf(readings, { name: pathOf(name), size });

/**
 * The readings of a trace; undefined for a URL, a ROOT file, and a pattern or list of files. Throws XylemError, also for
 * a pipe or a device where `onlyFiles` is set.
 */
export async function traceReadings(
  path: string,
  { files }: Context,
  onlyFiles = false,
): Promise<Reading[] | undefined> {
  if (looseProtocolOf(path) || !existsSync(path)) return undefined;
  if (onlyFiles && !(await stat(path)).isFile())
    throw argumentError(`The trace "${path}" is not a regular file.`, 'Name the file of a trace.', { path });
  await files.addInput(path);
  const pieces: Buffer[] = [];
  for await (const piece of piecesOfFile(path)) {
    // A large ROOT file is not read as a whole.
    if (pieces.length === 0 && piece.subarray(0, 4).toString('latin1') === 'root') return undefined;
    pieces.push(piece);
  }
  const readTrace = await callOf('readTrace', 'reads no traces');
  return readTrace(path, Buffer.concat(pieces));
}
