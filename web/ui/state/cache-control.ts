import { type ReadonlySignal, signal } from '@preact/signals';
import type { CacheInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { toXylemError } from '../../base/errors';
import type { Activities } from './activities';
import type { OpenFile } from './viewer-state';

/** The cache of network files on this machine, and actions on it. */
export interface CacheControl {
  /** Network files cached on this machine. */
  info: ReadonlySignal<CacheInfo | null>;
  /** Result of keeping the file offline; null when it was not requested. */
  keeping: ReadonlySignal<string | null>;
  update(): Promise<void>;
  /** Drops cached bytes of some files, by their keys, or of all. */
  clear(files?: readonly string[]): Promise<void>;
  /** Sets the limit of the cache. */
  limit(maxBytes: number): Promise<void>;
  /** Fetches the whole open file into the cache. */
  keepOffline(): Promise<void>;
}

export function createCacheControl(
  api: EngineApi,
  { file, activities }: { file: ReadonlySignal<OpenFile | null>; activities: Activities },
): CacheControl {
  const info = signal<CacheInfo | null>(null);
  const keeping = signal<string | null>(null);

  async function update(): Promise<void> {
    info.value = (await api.cacheInfo()) ?? null;
  }

  async function clear(files?: readonly string[]): Promise<void> {
    if (files === undefined) await api.clearCache();
    else for (const key of files) await api.clearCache(key);
    keeping.value = null;
    await update();
  }

  async function limit(maxBytes: number): Promise<void> {
    await api.limitCache(maxBytes);
    await update();
  }

  async function keepOffline(): Promise<void> {
    const open = file.peek();
    if (open === null) return;
    keeping.value = null;
    const tell = (text: string): void => {
      if (file.peek() === open) keeping.value = text;
    };
    try {
      await activities.run('keep', 'Keeping the file on this machine', (options) =>
        api.keepOffline(open.info.id, options),
      );
      tell('All of this file is kept; it opens without its server.');
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') tell('Not all of this file is kept: it was cancelled.');
      else tell(`${error.message} What is missing is read from the server when it is needed.`);
    }
    await update();
  }

  return { info, keeping, update, clear, limit, keepOffline };
}
