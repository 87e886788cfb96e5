import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { argumentError, XylemError } from '../base/errors';
import { readingsOf, readTrace } from '../insight/reads/formats/formats';
import { storedReading } from '../insight/reads/perfstats';
import type { PerfReport, Reading } from '../insight/reads/reading';
import { looseProtocolOf } from '../io/schemes';
import { type Context, type FileOptions, withFile } from './context';
import { readNamed } from './read-file';

/** The readings of a trace of any known form, or the TTreePerfStats in a ROOT file. Throws XylemError. */
export async function savedReadings(
  target: string,
  given: FileOptions,
  context: Context,
): Promise<Reading[]> {
  const bytes = await traceBytes(target, context);
  if (bytes !== undefined) return readTrace(target, bytes);
  return await withFile(target, given, context, async ({ reader, info }) => {
    const report = await storedReading(reader, info.id);
    if (report !== undefined) return [report];
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${info.name} has no TTreePerfStats.`,
      fix: 'Name a TREE to read it, or give a file that TTreePerfStats::SaveAs wrote.',
    });
  });
}

/** The readings of a file that was given to the command. Throws XylemError ARGUMENT if there are none. */
export function readingsOfFile(
  readings: readonly Reading[],
  file: { name: string; size: number },
): Reading[] {
  const name = looseProtocolOf(file.name) ? file.name : resolve(file.name);
  return readingsOf(readings, { name, size: file.size });
}

/** As above, of a trace that has the numbers of TTreePerfStats: what ROOT or xylem saved. */
export async function savedReport(target: string, given: FileOptions, context: Context): Promise<PerfReport> {
  const [report] = await savedReadings(target, given, context);
  if (isReport(report)) return report;
  throw argumentError(
    `The trace "${target}" does not say which tree was read.`,
    `Name the file that it is of: xylem perf ${target} --file FILE`,
  );
}

export function isReport(reading: Reading | undefined): reading is PerfReport {
  return reading?.tree !== undefined && reading.numbers !== undefined;
}

/** The content of a trace; undefined for a URL, a ROOT file, and a pattern or list of files. */
export async function traceBytes(path: string, { files }: Context): Promise<Uint8Array | undefined> {
  if (looseProtocolOf(path) || !existsSync(path)) return undefined;
  await files.addInput(path);
  const bytes = await readNamed(path);
  return bytes.subarray(0, 4).toString('latin1') === 'root' ? undefined : bytes;
}
