import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileUse } from '../api/reading';
import { type Reading, together } from '../api/reading';
import { argumentError, type XylemError } from '../base/errors';
import { type AskedUse, plainUse, type UseOfFile } from '../reads/use';
import { UsageError } from './arguments';
import type { Context, FileOptions } from './context';
import { readingsOfFile, savedReadings } from './saved-report';

/** Returns the use that options name. Throws UsageError if they name several, and XylemError. */
export async function useOf(given: AskedUse & FileOptions, context: Context): Promise<UseOfFile> {
  const { reads, branches, draw, cut, selector } = given;
  if ([reads, branches, draw, selector].filter((use) => use !== undefined).length > 1) {
    throw new UsageError('Take one of --reads, --branches, --draw and --selector.');
  }
  if (cut !== undefined && draw === undefined) throw new UsageError('--cut needs --draw.');
  if (reads !== undefined) {
    const readings = await savedReadings(reads, given, context);
    return (file) => usesOfReading(readings, file);
  }
  const use = selector === undefined ? plainUse(given) : await selectorUse(selector, context);
  return () => use;
}

/** Returns the use of the readings of a file in a trace. Throws ARGUMENT if the trace has none. */
function usesOfReading(readings: readonly Reading[], file: { name: string; size: number }): FileUse {
  const reading = together(readingsOfFile(readings, file));
  return { name: `what ${reading.by} read`, reading };
}

/** The use of a selector, whose module is loaded: that runs its top level, but neither begin nor entry. */
async function selectorUse(path: string, { files }: Context): Promise<FileUse> {
  const wrong = (why: string): XylemError =>
    argumentError(
      `The selector "${path}" ${why}.`,
      'Its default export is { branches: { pt: "Muon_pt" }, begin(job) { … }, process(columns, state) { … } }.',
      { path },
    );
  if (!existsSync(path)) throw wrong('does not exist');
  await files.addInput(path);
  const module = pathToFileURL(resolve(path)).href;
  let own: unknown;
  try {
    own = ((await import(/* @vite-ignore */ module)) as { default?: unknown }).default;
  } catch (thrown) {
    throw wrong(`cannot be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  const { branches, where } = (own ?? {}) as { branches?: unknown; where?: unknown };
  const isText = (value: unknown): value is string => typeof value === 'string';
  // A branch that files may lack is { expr, missing }.
  const texts = Object.entries(Object(branches) as object).map(([name, one]: [string, unknown]) => [
    name,
    isText(one) ? one : (one as { expr?: unknown } | null)?.expr,
  ]);
  if (texts.length === 0 || !texts.every(([, text]) => isText(text))) throw wrong('names no branches');
  if (where !== undefined && !isText(where)) throw wrong('has a "where" that is not a text');
  return {
    name: path,
    selector: { module, branches: Object.fromEntries(texts) as Record<string, string>, where },
  };
}
