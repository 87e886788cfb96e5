import { toXylemError } from '../web/base/errors';
import type { ReaderApi, SourceSpec } from '../web/file/api';
import { webWorker } from './endpoint';
import { lendSource } from './lent-source';
import { wrap } from './rpc';
import type { Role } from './xylem.worker';

/** A reader whose engine runs in a worker; `terminate` ends it and its decode workers. */
export type WorkerReader = ReaderApi & { terminate(): void };

export interface ClientOptions {
  /** Starts the worker script. */
  spawn: () => Worker;
  type: WorkerType;
  /** Compiles the core. */
  compile: () => Promise<WebAssembly.Module>;
}

/** Starts the engine in a worker. Failures of starting it are those of the calls. */
export function createWorkerReader({ spawn, type, compile }: ClientOptions): WorkerReader {
  const worker = spawn();
  const endpoint = webWorker(worker);
  const { api, close } = wrap<ReaderApi>(endpoint);
  const ready = compile().then(
    (module) => worker.postMessage({ xylemRole: 'session', module, type } satisfies Role),
    (thrown: unknown) => {
      throw toXylemError(thrown);
    },
  );
  ready.catch(() => {});
  return {
    async open(source, options) {
      await ready;
      return api.open(await sendable(source), options);
    },
    keys: (...args) => api.keys(...args),
    tree: (...args) => api.tree(...args),
    layout: (...args) => api.layout(...args),
    records: (...args) => api.records(...args),
    walk: (...args) => api.walk(...args),
    object: (...args) => api.object(...args),
    types: (...args) => api.types(...args),
    read: (...args) => api.read(...args),
    summarize: (...args) => api.summarize(...args),
    draw: (...args) => api.draw(...args),
    query: (...args) => api.query(...args),
    table: (...args) => api.table(...args),
    check: (...args) => api.check(...args),
    traceSummary: (...args) => api.traceSummary(...args),
    trace: (...args) => api.trace(...args),
    cacheInfo: () => ready.then(() => api.cacheInfo()),
    clearCache: (...args) => ready.then(() => api.clearCache(...args)),
    limitCache: (...args) => ready.then(() => api.limitCache(...args)),
    keepOffline: (...args) => api.keepOffline(...args),
    close: (...args) => api.close(...args),
    terminate: () => {
      close();
      endpoint.terminate();
    },
  };
}

/** What calls into the page stays here, and is lent to the worker. */
async function sendable(source: SourceSpec): Promise<SourceSpec> {
  const stays = source.kind === 'source' || (source.kind === 'url' && source.fetch !== undefined);
  if (!stays) return source;
  const { openPageSource } = await import('../web/file/page-source');
  // The worker knows this kind, too: see xylem.worker.ts.
  return lendSource(await openPageSource(source)) as unknown as SourceSpec;
}
