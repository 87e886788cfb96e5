import { resolve } from 'node:path';
import type { PartialNote, Progress, SourceSpec } from '../api/api';
import { partialNotes } from '../api/partial-notes';
import type { EngineReader } from '../api/reader';
import type { XylemError } from '../base/errors';
import { formatBytes, formatDuration } from '../base/format';
import { looseProtocolOf } from '../io/schemes';
import { perfStats, summarize } from '../io/trace';
import { troubleText } from '../io/trouble-text';
import type { RootHandle } from '../library/open-root';
import { nameOfSource } from '../library/sources';
import type { AnyPlot } from '../plot/model';
import { severalFiles } from '../verbs/trees';
import { UsageError } from './arguments';
import type { OwnFiles } from './own-files';
import { type NamedSource, refuseRanges, sourceOf } from './targets';
import type { TextForm, TextOutput } from './terminal/output';
import type { PictureGiven } from './terminal/picture';

/** Environment of a command: its streams, and the reader, made when it is first needed. */
export interface Surroundings {
  out: TextOutput;
  err: TextOutput;
  /** Whether stderr is a terminal, so that progress may be shown. */
  interactive: boolean;
  reader(): Promise<EngineReader>;
  /** Opens a file with `reader`, by openRoot. */
  open(source: SourceSpec): Promise<OpenedFile>;
  /** Whether the process runs more command lines after this one, so that modules stay loaded. */
  living?: boolean | undefined;
  /** Gets the error with which a command line failed, which is also told on stderr. */
  onFailure?: ((failure: XylemError) => void) | undefined;
}

/** The same with the files that the command reads and writes; `open` notes what it opens. */
export interface Context extends Surroundings {
  files: OwnFiles;
  /** The environment without what belongs to this command line. Default: this one. */
  bare?: Surroundings | undefined;
  /** Writes a plot as a figure, where the options ask for figures in place of plain pictures. */
  writeFigure?: ((model: AnyPlot, given: PictureGiven) => Promise<void>) | undefined;
}

/** An open file, whose reader has the calls of the engine, too. */
export interface OpenedFile extends RootHandle {
  readonly reader: EngineReader;
}

/** A file of a command line. */
export interface OpenFile extends OpenedFile {
  /** The tree that the file was named with (file.root?#tree). */
  ownTree?: string | undefined;
  /** Absolute path or address, by which a trace may name the file. */
  path: string;
  /** Several files, of which the trees are one; their stored objects are not. */
  isChain: boolean;
}

/** The common options that say how a file is read. */
export interface FileOptions {
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
  trace?: string | undefined;
  /** Whether the command itself reports what was found when the file was opened. */
  silent?: boolean | undefined;
}

/** Opens a path or URL, calls `use` with it, and closes it in every case. Notes go to stderr. */
export async function withFile<T>(
  target: string,
  options: FileOptions,
  context: Context,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const named = await sourceOf(target, options, context.files);
  refuseRanges(named);
  const { source } = named;
  try {
    return await withSource(named, options, context, use);
  } catch (thrown) {
    // If there are several, nothing was made of them, and so all are left.
    for (const part of source.kind === 'chain' ? source.files : [{ ...named, source }])
      context.files.failed.addIfOfFile({ file: pathOf(nameOfSource(part.source)), tree: part.tree }, thrown);
    throw thrown;
  }
}

/** Opens files one after the other, calls `use` with them by their names, and closes them. */
export async function withFiles<T>(
  [target, ...rest]: readonly string[],
  options: FileOptions,
  context: Context,
  use: (files: ReadonlyMap<string, OpenFile>) => Promise<T>,
): Promise<T> {
  if (target === undefined) return await use(new Map());
  return await withFile(target, options, context, (open) =>
    withFiles(rest, options, context, (files) => use(new Map([...files, [target, open]]))),
  );
}

/** As withFile, for a source whose place is known. */
export async function withSource<T>(
  { source, tree }: NamedSource,
  options: FileOptions,
  context: Context,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const opened = await context.open(source);
  const isChain = source.kind === 'chain' && source.files.length > 1;
  const object = () => Promise.reject(severalFiles(opened.info.name));
  const path = pathOf(opened.info.name);
  const file: OpenFile = { ...opened, ...(isChain && { object }), ownTree: tree, path, isChain };
  try {
    if (!options.silent) for (const note of file.info.notes) context.err.line(`note: ${note}`);
    return await use(file);
  } finally {
    if (options.trace !== undefined) await writeTrace(options.trace, file);
    await file.close();
  }
}

/** Returns the absolute path of a file; of an address itself. */
export const pathOf = (name: string): string => (looseProtocolOf(name) ? name : resolve(name));

/** Writes all reads of a file, in the order of their requests, times in ms from the first. */
export async function writeTrace(target: string, { reader, info }: RootHandle): Promise<void> {
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
  const { saveFile } = await import('../sinks/node-save-file');
  await saveFile(target, (put) => put(`${JSON.stringify(trace, null, 1)}\n`));
}

/** Writes a text to a file, or with "-" to stdout. Throws IO. */
export async function writeText(
  target: string,
  text: string,
  { out, err }: Context,
  form: TextForm = 'text',
): Promise<void> {
  if (target === '-') {
    out.setForm(form);
    out.put(`${text}\n`);
    return;
  }
  await putFile(target, text);
  err.line(`written: ${target}`);
}

/** Writes bytes to a file, or with "-" to stdout. Throws IO. */
export async function writeBytes(target: string, bytes: Uint8Array, { out, err }: Context): Promise<void> {
  if (target === '-') {
    refuseTerminal(out);
    await out.write(bytes);
    return;
  }
  await putFile(target, bytes);
  err.line(`written: ${target}`);
}

/** Binary output makes a terminal unreadable. Throws UsageError when stdout is a terminal. */
export function refuseTerminal(out: TextOutput): void {
  if (out.isTerminal)
    throw new UsageError(
      'The output is not text, and stdout is a terminal; name a file, or redirect stdout.',
    );
}

async function putFile(target: string, content: string | Uint8Array): Promise<void> {
  const { saveFile } = await import('../sinks/node-save-file');
  await saveFile(target, (put) => put(content));
}

/**
 * Functions that show progress on the last line of the terminal, and remove it. `show` is undefined if nobody sees it, because
 * the histogram so far, which is told with the progress, takes time.
 */
export function progressLine(context: Context): {
  show: ((p: Progress) => void) | undefined;
  step: (label: string) => void;
  wipe: () => Promise<void>;
} {
  let shown = false;
  let last = 0;
  let step = { label: '', since: 0, from: 0 };
  const show = (p: Progress): void => {
    const now = performance.now();
    if (p.label !== step.label) step = { label: p.label, since: now, from: p.bytesDone };
    if (now - last < 100) return;
    const text = progressText(p, { ms: now - step.since, bytes: p.bytesDone - step.from });
    if (text === undefined) return;
    last = now;
    put(text);
  };
  const put = (text: string): void => {
    if (!context.interactive) return;
    shown = true;
    context.err.status(text);
    // The reader of stderr may have gone.
    context.err.flush().catch(() => {});
  };
  const wipe = async (): Promise<void> => {
    if (shown) context.err.status('');
    shown = false;
    await context.err.flush();
  };
  return { show: context.interactive ? show : undefined, step: put, wipe };
}

/**
 * A line of progress: the part that is done, and where bytes are counted their rate and the time that is left, by the
 * bytes of the last `ms` milliseconds. In its place stands the trouble with a server. Undefined where it is not known how
 * much there is to do.
 */
export function progressText(
  { label, bytesDone, bytesTotal, entriesDone, entriesTotal, requests }: Progress,
  { ms, bytes }: { ms: number; bytes: number },
): string | undefined {
  if (requests?.trouble) return troubleText(requests.trouble);
  // Entries are counted when the number of bytes is not known in advance.
  const [done, total] = bytesTotal > 0 ? [bytesDone, bytesTotal] : [entriesDone, entriesTotal];
  if (total === 0) return undefined;
  const text = `${label} ${Math.floor((100 * done) / total)} %`;
  if (bytesTotal === 0 || bytes <= 0 || ms <= 0) return text;
  const left = (ms * Math.max(0, bytesTotal - bytesDone)) / bytes;
  return `${text}, ${formatBytes((1000 * bytes) / ms)}/s, ${formatDuration(left)} left`;
}

/**
 * Reports missing parts; `inJson` says that `--json` of the command lists them. Status 1, because a script must not take a part
 * for the whole.
 */
export function tellPartial(
  partial: PartialNote | undefined,
  what: string,
  { err, files }: Context,
  inJson = false,
): number {
  if (partial === undefined) return 0;
  files.failed.addPartial(partial);
  for (const line of partialNotes(partial, what, inJson)) err.line(line);
  return 1;
}
