import type { PerfReport, Reading } from '../api/reading';
import { argumentError, XylemError } from '../base/errors';
import { storedReading } from '../reads/perfstats';
import type { VerbCall } from './verb';

type Call = Pick<VerbCall, 'trace' | 'withFile'>;

/** The readings of a trace of any known form, or the TTreePerfStats in a ROOT file. Throws XylemError; `isForeign`: see VerbCall. */
export async function namedReadings(name: string, call: Call, isForeign?: boolean): Promise<Reading[]> {
  const readings = await call.trace(name, isForeign);
  if (readings !== undefined) return [...readings];
  return await call.withFile(name, async ({ reader, info }) => {
    const report = await storedReading(reader, info.id);
    if (report !== undefined) return [report];
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${info.name} has no TTreePerfStats.`,
      fix: 'Name a TREE to read it, or give a file that TTreePerfStats::SaveAs wrote.',
    });
  });
}

/** Returns the first of readings, which must have the numbers of TTreePerfStats: those that ROOT or xylem saved. Throws ARGUMENT. */
export function savedReport([report]: readonly Reading[], name: string): PerfReport {
  if (isReport(report)) return report;
  throw argumentError(
    `The trace "${name}" does not say which tree was read.`,
    `Name the file that it is of: xylem perf ${name} --file FILE`,
  );
}

const isReport = (reading: Reading | undefined): reading is PerfReport =>
  reading?.tree !== undefined && reading.numbers !== undefined;
