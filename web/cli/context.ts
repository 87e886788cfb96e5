import { XylemError } from '../base/errors';
import type { FileInfo, KeyInfo, PartialNote, Progress, ReaderApi, SourceSpec } from '../file/api';
import { perfStats, summarize } from '../io/trace';
import type { TextOutput } from './output';
import { sourceOf } from './targets';

/** What a command works with: its streams, and the reader, made when it is first needed. */
export interface Context {
  out: TextOutput;
  err: TextOutput;
  /** Whether the talk goes to a terminal, so that progress may be shown. */
  interactive: boolean;
  reader(): Promise<ReaderApi>;
}

/** A command: its help, and what it does. `run` gives the exit status 0 or 1. */
export interface Command {
  help: string;
  run(args: readonly string[], context: Context): Promise<number>;
}

export interface OpenFile {
  reader: ReaderApi;
  info: FileInfo;
}

/** The common options that say how a file is read. */
export interface FileOptions {
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
  trace?: string | undefined;
}

/** Opens a path or URL, gives it to `use`, and closes it however that ends. Notes go to stderr. */
export async function withFile<T>(
  target: string,
  options: FileOptions,
  context: Context,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  return await withSource(await sourceOf(target, options), options, context, use);
}

/** The same for what is known where it lies. */
export async function withSource<T>(
  source: SourceSpec,
  options: FileOptions,
  context: Context,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const reader = await context.reader();
  const info = await reader.open(source);
  try {
    for (const note of info.notes) context.err.line(`note: ${note}`);
    return await use({ reader, info });
  } finally {
    if (options.trace !== undefined) await writeTrace(options.trace, { reader, info });
    await reader.close(info.id);
  }
}

/** All reads of a file, in the order in which they were asked for, times in ms from the first. */
export async function writeTrace(target: string, { reader, info }: OpenFile): Promise<void> {
  const records = await reader.trace(info.id);
  records.sort((a, b) => a.queued - b.queued);
  const start = records[0]?.queued ?? 0;
  const since = (time: number): number => Math.round((time - start) * 1000) / 1000;
  const reads = records.map(({ queued, started, answered, done, ...read }) => ({
    ...read,
    queued: since(queued),
    started: since(started),
    answered: since(answered),
    done: since(done),
  }));
  const trace = { file: info.name, summary: summarize(records), perfStats: perfStats(records), reads };
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(target, `${JSON.stringify(trace, null, 1)}\n`);
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `"${target}" cannot be written.`, cause });
  }
}

/** The key at a path, or at "path;cycle"; without a cycle the highest. Undefined when there is none. */
export function findKey(keys: readonly KeyInfo[], path: string): KeyInfo | undefined {
  const clean = path.replace(/^\/+|\/+$/g, '');
  const at = /^(.*);(\d+)$/.exec(clean);
  const exact = at === null ? undefined : keys.find((k) => k.path === at[1] && k.cycle === Number(at[2]));
  if (exact !== undefined) return exact;
  let best: KeyInfo | undefined;
  for (const key of keys) {
    if (key.path === clean && (best === undefined || key.cycle > best.cycle)) best = key;
  }
  return best;
}

/** Writes a text to a file, or with "-" to stdout. Throws IO. */
export async function writeText(target: string, text: string, { out, err }: Context): Promise<void> {
  if (target === '-') {
    out.line(text);
    return;
  }
  await putFile(target, text);
  err.line(`written: ${target}`);
}

/** Writes bytes to a file, or with "-" to stdout. Throws IO. */
export async function writeBytes(target: string, bytes: Uint8Array, { out, err }: Context): Promise<void> {
  if (target === '-') {
    await out.write(bytes);
    return;
  }
  await putFile(target, bytes);
  err.line(`written: ${target}`);
}

async function putFile(target: string, content: string | Uint8Array): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(target, content);
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `"${target}" cannot be written.`, cause });
  }
}

/** A function that shows progress on the last line of the terminal, and one that wipes it away. */
export function progressLine(context: Context): { show: (p: Progress) => void; wipe: () => Promise<void> } {
  let shown = false;
  let last = 0;
  const show = (p: Progress): void => {
    const now = performance.now();
    // Where it is not known beforehand how many bytes there are, entries are counted.
    const [done, total] = p.bytesTotal > 0 ? [p.bytesDone, p.bytesTotal] : [p.entriesDone, p.entriesTotal];
    if (!context.interactive || now - last < 100 || total === 0) return;
    last = now;
    shown = true;
    const share = Math.floor((100 * done) / total);
    context.err.put(`\r\u001b[K${p.label} ${share} %`);
    void context.err.flush();
  };
  const wipe = async (): Promise<void> => {
    if (shown) context.err.put('\r\u001b[K');
    await context.err.flush();
  };
  return { show, wipe };
}

/** Says what is missing. Status 1: a script must not take a part for the whole. */
export function tellPartial(partial: PartialNote | undefined, what: string, { err }: Context): number {
  if (partial === undefined) return 0;
  err.line(`partial: ${partial.failed} of ${partial.total} ${what} unreadable`);
  for (const error of partial.errors.slice(0, 10)) err.line(`  ${error.message} [${error.code}]`);
  if (partial.errors.length > 10) err.line(`  … and ${partial.errors.length - 10} more`);
  return 1;
}
