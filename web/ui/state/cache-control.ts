import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CacheInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';

/** The cache of network files on this machine, and actions on it. */
export interface CacheControl {
  /** Network files cached on this machine. */
  readonly info: ReadonlySignal<CacheInfo | null>;
  /** Result of keeping the file offline; null when it was not requested. */
  readonly keeping: Signal<string | null>;
  update(): Promise<void>;
  /** Removes cached bytes of some files, given by their keys, or of all. */
  clear(files?: readonly string[]): Promise<void>;
  /** Sets the limit of the cache. */
  limit(maxBytes: number): Promise<void>;
}

export function createCacheControl(api: EngineApi): CacheControl {
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

  return { info, keeping, update, clear, limit };
}
