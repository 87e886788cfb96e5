import { existsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { overBudget } from '../base/data-errors';
import { throwIfAborted } from '../base/errors';
import { globMatcher, isGlob } from '../base/glob';

/** Bounds of a search for the files of a pattern or a list. */
export interface SearchLimits {
  /** Reads no files of text, such as lists: their lines would be told in messages. */
  noTexts?: boolean;
  signal?: AbortSignal | undefined;
  /** ms in all. Default: no limit. */
  ms?: number | undefined;
  /** Maximum number of names that are compared; a pattern may match a whole disk. Default 10 million. */
  names?: number | undefined;
}

const MAX_LOOKED = 10_000_000;
/** Limit on the names that match. */
const MAX_FOUND = 1_000_000;

/** Paths that match a pattern, in the order of their names. Throws BUDGET beyond the limits, and ABORTED. */
export async function filesLike(pattern: string, limits: SearchLimits = {}): Promise<string[]> {
  const segments = pattern
    .split('/')
    .filter((name) => name !== '')
    .filter((name, i, all) => name !== '**' || all[i - 1] !== '**');
  const search = new Search(limits);
  await search.add(pattern.startsWith('/') ? '/' : '', segments, 0);
  return search.found.sort();
}

class Search {
  readonly found: string[] = [];
  readonly #limits: SearchLimits;
  readonly #began = performance.now();
  #looked = 0;

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /** Adds the files in a folder that match the segments from `from` on. */
  async add(start: string, segments: readonly string[], from: number): Promise<void> {
    let at = from;
    let segment = segments[at];
    while (segment !== undefined && !isGlob(segment, true)) segment = segments[++at];
    // At once, because joining takes time in proportion to the whole path.
    const folder = at > from ? join(start, segments.slice(from, at).join('/')) : start;
    if (at > from && !existsSync(folder)) return;
    if (segment === undefined) {
      if (this.found.length >= MAX_FOUND)
        throw overBudget(`More than ${MAX_FOUND} names match the pattern.`, 'Write a longer pattern.');
      this.found.push(folder);
      return;
    }
    const isDeep = segment === '**';
    if (isDeep) await this.add(folder, segments, at + 1);
    const isLike = likeName(segment);
    const isLast = at === segments.length - 1;
    // A folder that cannot be read has nothing that matches.
    const entries = await opendir(folder || '.', { bufferSize: 1024 }).catch(() => undefined);
    if (entries === undefined) return;
    const next: string[] = [];
    try {
      for await (const entry of entries) {
        this.#look();
        const isFolder = entry.isDirectory();
        if (isDeep ? isFolder : isLike(entry.name) && (isLast || isFolder)) next.push(entry.name);
      }
    } catch (thrown) {
      if (!isSystemError(thrown)) throw thrown;
    }
    for (const name of next) await this.add(join(folder, name), segments, isDeep ? at : at + 1);
  }

  #look(): void {
    this.#looked++;
    const { signal, ms = Number.POSITIVE_INFINITY, names = MAX_LOOKED } = this.#limits;
    throwIfAborted(signal);
    if (this.#looked <= names && performance.now() - this.#began <= ms) return;
    const seconds = Math.round((performance.now() - this.#began) / 1000);
    throw overBudget(
      `The files of the pattern were not all found after ${this.#looked - 1} names and ${seconds} s.`,
      'Write a pattern that begins with a deeper folder.',
    );
  }
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

/** Tests names against one segment of a pattern; a leading dot must be written. */
function likeName(segment: string): (name: string) => boolean {
  const like = globMatcher(segment, true);
  return (name) => like(name) && (segment.startsWith('.') || !name.startsWith('.'));
}
