import { abortError, toXylemError, type XylemError } from '../web/base/errors';
import type { ReaderApi, SourceSpec } from '../web/file/api';
import type { InsightApi } from '../web/insight/api';
import { webWorker } from './endpoint';
import { lendSource } from './lent-source';
import { wrap } from './rpc';
import type { Role } from './xylem.worker';

/** A reader whose engine runs in a worker; `terminate` ends it and its decode workers. */
export type WorkerReader = ReaderApi & {
  /** Maps, reports and simulations, reckoned in a worker that is started for the first of them. */
  readonly insight: InsightApi;
  terminate(): void;
};

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
  const channel = new MessageChannel();
  const ready = compile().then(
    (module) =>
      worker.postMessage({ xylemRole: 'session', module, type, insight: channel.port1 } satisfies Role, [
        channel.port1,
      ]),
    (thrown: unknown) => {
      throw toXylemError(thrown);
    },
  );
  ready.catch(() => {});
  const insight = createInsightClient(spawn, channel.port2);
  // Who waits for the session through the other worker would wait for ever.
  endpoint.onFailure((error) => insight.end(error));
  return {
    insight: insight.api,
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
      insight.end();
      endpoint.terminate();
    },
  };
}

/** The worker of the insight, started when it is first asked; `session` is its way to the engine. */
function createInsightClient(
  spawn: () => Worker,
  session: MessagePort,
): { api: InsightApi; end(error?: XylemError): void } {
  let started: { api: InsightApi; end(error?: XylemError): void } | undefined;
  let ended: XylemError | undefined;
  const start = () => {
    if (ended) throw ended;
    if (started) return started.api;
    const worker = spawn();
    worker.postMessage({ xylemRole: 'insight', session } satisfies Role, [session]);
    const endpoint = webWorker(worker);
    const { api, close } = wrap<InsightApi>(endpoint);
    started = {
      api,
      end: (error) => {
        close(error);
        endpoint.terminate();
      },
    };
    return api;
  };
  return {
    api: {
      map: async (...args) => start().map(...args),
      stats: async (...args) => start().stats(...args),
      doctor: async (...args) => start().doctor(...args),
      simulate: async (...args) => start().simulate(...args),
      cost: async (...args) => start().cost(...args),
      warm: () => {
        if (!ended) start();
      },
    },
    end: (error = abortError()) => {
      ended ??= error;
      started?.end(error);
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
