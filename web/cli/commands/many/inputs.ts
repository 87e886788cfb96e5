import { resolve } from 'node:path';
import type { ChainPart, WholeSource } from '../../../api/api';
import { formatCount } from '../../../base/format';
import { shownUrl } from '../../../io/http/http-errors';
import type { FailedInput, PartialInput } from '../../../query/partial/partial';
import { UsageError } from '../../arguments';
import { type Context, tellPartial } from '../../context';
import { type SourceOptions, sourceOf } from '../../targets';

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
export async function inputsOf(target: string, tree: string, given: SourceOptions): Promise<Input[]> {
  const { source, tree: own } = await sourceOf(target, given);
  const parts: ChainPart[] = source.kind === 'chain' ? [...source.files] : [{ source, tree: own }];
  return Promise.all(
    parts.map(async (part): Promise<Input> => {
      const { name, entries } = splitRange(part.tree ?? '');
      return {
        source: part.source,
        name: nameOf(part.source),
        file: await addressOf(part.source),
        tree: name === '' ? tree : name,
        ...(entries && { entries }),
      };
    }),
  );
}

/** "tree[0:1000]" as the tree and its entries 0 to 999. */
function splitRange(text: string): { name: string; entries?: [number, number] } {
  const match = /^([^[\]]*)\[(\d{1,15}):(\d{1,15})\]$/.exec(text);
  if (!match) return { name: text };
  const entries: [number, number] = [Number(match[2]), Number(match[3])];
  if (entries[0] >= entries[1])
    throw new UsageError(`"${text}" has no entries; write TREE[A:B] with A less than B.`);
  return { name: match[1] ?? '', entries };
}

/** Returns the absolute path or the whole address of a file. */
function nameOf(source: ChainPart['source']): string {
  switch (source.kind) {
    case 'path':
      return resolve(source.path);
    case 'url':
      return source.url;
    case 'within':
      return `${nameOf(source.outer)}${source.outer.kind === 'url' ? '#' : ''}@${source.offset}`;
    case 'source':
      return source.source.name;
    default:
      return source.name;
  }
}

/**
 * Returns the absolute path of a file, or the address without what may be secret. The query of an address may tell
 * files apart; a part of its hash stands for it.
 */
async function addressOf(source: ChainPart['source']): Promise<string> {
  if (source.kind === 'within') return `${await addressOf(source.outer)}@${source.offset}`;
  return await addressOfWhole(source);
}

async function addressOfWhole(source: WholeSource): Promise<string> {
  if (source.kind === 'path') return resolve(source.path);
  if (source.kind !== 'url') return source.kind === 'source' ? source.source.name : source.name;
  const url = new URL(source.url);
  if (url.search === '') return shownUrl(url);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url.search));
  return `${shownUrl(url)}?${Buffer.from(digest).toString('hex').slice(0, 16)}`;
}

/**
 * Calls `work` for each item, `jobs` at once, until the signal is aborted. `work` must not throw what is a failure of
 * one item only.
 */
export async function eachOf<T>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (signal?.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, run));
}

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

/** Names inputs that could not be read. Returns the exit status. */
export function tellFailed(failed: readonly FailedInput[], total: number, context: Context): number {
  const errors = failed.map(({ file, error: { code, message } }) => ({
    code,
    message: message.includes(file) ? message : `${file}: ${message}`,
  }));
  const partial = failed.length > 0 ? { failed: failed.length, total, errors } : undefined;
  return tellPartial(partial, 'files', context);
}
