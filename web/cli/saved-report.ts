import { readFile } from 'node:fs/promises';
import { XylemError } from '../base/errors';
import { loadPerfReport, type PerfReport, storedReading } from '../insight/perf';
import { type Context, type FileOptions, withFile } from './context';

/** A reading that was saved: what "xylem perf --json" wrote, or the TTreePerfStats in a ROOT file. */
export async function savedReport(target: string, given: FileOptions, context: Context): Promise<PerfReport> {
  const text = /^https?:/i.test(target) ? undefined : await textOf(target);
  if (text !== undefined) return loadPerfReport(text);
  return await withFile(target, given, context, async ({ reader, info }) => {
    const report = await storedReading(reader, info.id);
    if (report !== undefined) return report;
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${info.name} has no TTreePerfStats.`,
      fix: 'Name a TREE to read it, or give a file that TTreePerfStats::SaveAs wrote.',
    });
  });
}

async function textOf(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `"${path}" cannot be read.`, cause });
  }
  return bytes.subarray(0, 4).toString('latin1') === 'root' ? undefined : bytes.toString('utf8');
}
