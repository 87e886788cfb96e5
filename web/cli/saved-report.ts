import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { XylemError } from '../base/errors';
import { ioError } from '../base/io-error';
import { loadPerfReport, type PerfReport, storedReading } from '../insight/reads/perf';
import { type Context, type FileOptions, withFile } from './context';

/** A saved reading: the file of "xylem perf --save", or the TTreePerfStats in a ROOT file. */
export async function savedReport(target: string, given: FileOptions, context: Context): Promise<PerfReport> {
  const text = await savedText(target);
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

/** The content of a text file; undefined for a URL, a ROOT file, and a pattern or list of files. */
export async function savedText(path: string): Promise<string | undefined> {
  if (/^(https?|file):/i.test(path) || !existsSync(path)) return undefined;
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw ioError(`"${path}" cannot be read`, cause, path);
  }
  return bytes.subarray(0, 4).toString('latin1') === 'root' ? undefined : bytes.toString('utf8');
}
