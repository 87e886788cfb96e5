import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ChainPart, PlainSource, WholeSource } from '../api/api';
import { formatCount } from '../base/format';
import { addressOf } from '../measure/address';
import type { Identity, KeptText, PartialInput } from '../verbs/verb';
import type { Context } from './context';
import { wholeName } from './list-line';
import { readNamed } from './read-file';
import { type SourceOptions, sourceOf, splitRange } from './targets';

/** How often a result is written while it grows. */
const SAVE_EVERY_MS = 30_000;

/** A file of a command line that is read by itself, and its name in results. */
export interface Input extends PartialInput {
  source: ChainPart['source'];
  /** The file as a command line names it. */
  name: string;
}

/**
 * Returns the inputs that FILES names. Each may name its tree and a range of its entries: "file.root?#tree[0:1000]";
 * the tree is `tree` where it does not. Throws NOT_FOUND and IO.
 */
export async function inputsOf(
  target: string,
  tree: string,
  given: SourceOptions,
  { files }: Context,
): Promise<Input[]> {
  const { source, tree: own } = await sourceOf(target, given, files);
  const parts: ChainPart[] = source.kind === 'chain' ? [...source.files] : [{ source, tree: own }];
  return Promise.all(
    parts.map(async (part): Promise<Input> => {
      const { name, entries } = splitRange(part.tree ?? '');
      return {
        source: part.source,
        name: wholeName(part.source),
        file: await addressOf(absolute(part.source)),
        tree: name === '' ? tree : name,
        ...(entries && { entries }),
      };
    }),
  );
}

/** The source with the absolute path of a file. */
function absolute(source: ChainPart['source']): ChainPart['source'] {
  if (source.kind === 'within') return { ...source, outer: absoluteWhole(source.outer) };
  return absoluteWhole(source);
}

function absoluteWhole(source: WholeSource): WholeSource {
  if (source.kind === 'replicas') return { ...source, replicas: source.replicas.map(absolutePath) };
  return absolutePath(source);
}

const absolutePath = (source: PlainSource): PlainSource =>
  source.kind === 'path' ? { ...source, path: resolve(source.path) } : source;

/** Aborts when the user or a batch system ends the process, so that what was read can be saved. */
export function untilSignal(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const end = (): void => {
    controller.abort();
    stop();
  };
  const stop = (): void => {
    for (const name of names) process.off(name, end);
  };
  for (const name of names) process.on(name, end);
  return { signal: controller.signal, stop };
}

/** Shows how many files are done on the last line of a terminal. */
export function fileCounter(total: number, { interactive, err }: Context) {
  let last = 0;
  return {
    show(done: number, failed: number): void {
      const now = performance.now();
      if (!interactive || now - last < 100) return;
      last = now;
      const bad = failed > 0 ? `, ${formatCount(failed)} failed` : '';
      err.status(`${formatCount(done)} of ${formatCount(total)} files${bad}`);
      // The reader of stderr may have gone.
      err.flush().catch(() => {});
    },
    async wipe(): Promise<void> {
      if (last > 0) err.status('');
      await err.flush();
    },
  };
}

/** Facts that tell whether a file changed: the time of change of a local file, else those that opening it gives. */
export async function identityOf({ source }: Pick<Input, 'source'>, context: Context): Promise<Identity> {
  if (source.kind === 'path') {
    const { mtimeMs } = await stat(source.path);
    return { validator: `mtime ${mtimeMs}` };
  }
  const { info, close } = await context.open(source);
  await close();
  return info;
}

/** Returns the size of a local file in bytes; undefined for other inputs, and where there is no file. */
export async function localSizeOf({ source }: Pick<Input, 'source'>): Promise<number | undefined> {
  if (source.kind !== 'path') return undefined;
  const found = await stat(source.path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

/** Returns a function that writes a growing result now and then. */
export function saver(path: string, text: () => Promise<string>): () => Promise<void> {
  let last = performance.now();
  let saving = false;
  return async () => {
    if (saving || performance.now() - last < SAVE_EVERY_MS) return;
    saving = true;
    try {
      const { saveFile } = await import('../sinks/node-save-file');
      const content = await text();
      await saveFile(path, (put) => put(`${content}\n`));
    } finally {
      saving = false;
      last = performance.now();
    }
  };
}

/**
 * Begins a text that an earlier run may have written. `end` lets signals end the process again, and returns the text that was
 * saved last.
 */
export async function keptText(path: string): Promise<{ kept: KeptText; end: () => string | undefined }> {
  const before = existsSync(path) ? (await readNamed(path)).toString() : undefined;
  const { signal, stop } = untilSignal();
  let text: (() => string) | undefined;
  const write = saver(path, async () => text?.() ?? '');
  const kept: KeptText = {
    ...{ before, signal },
    save(now) {
      text = now;
      return write();
    },
  };
  return {
    kept,
    end() {
      stop();
      return text?.();
    },
  };
}
