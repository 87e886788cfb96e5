import type { ReaderApi, SourceSpec } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';
import { abortError, toXylemError, type XylemError } from '../web/base/errors';
import type { MathSource } from '../web/core/math-module';
import type { InsightApi, XylemReader } from '../web/insight/api';
import { deferredInsight } from '../web/insight/deferred';
import { startWorker } from './endpoint';
import { lendSource } from './lent-source';
import { transferable } from './protocol';
import { wrap } from './rpc';
import type { Role } from './xylem.worker';

/**
 * A reader whose engine runs in a worker; `terminate` ends it and its decode workers. Its insight runs in a
 * worker that is started for the first call.
 */
export type WorkerReader = XylemReader;

export interface ClientOptions {
  /** Starts the worker script. */
  spawn: () => Worker;
  type: WorkerType;
  /** Compiles the core. */
  compile: () => Promise<WebAssembly.Module>;
  /** Place of the module with the functions that few expressions call. */
  math: MathSource;
  /** Loads the module that writes tables. */
  encoder: () => Promise<WebAssembly.Module>;
}

/** Starts the engine in a worker. When starting fails, the calls fail. */
export function createWorkerReader({ spawn, type, compile, math, encoder }: ClientOptions): WorkerReader {
  const endpoint = startWorker(spawn);
  const { api, close } = wrap<ReaderApi>(endpoint);
  const channel = new MessageChannel();
  const ready = compile().then(
    (module) =>
      endpoint.post({ xylemRole: 'session', module, math, type, insight: channel.port1 } satisfies Role, [
        channel.port1,
      ]),
    (thrown: unknown) => {
      throw toXylemError(thrown);
    },
  );
  ready.catch(() => {});
  const insight = createInsightClient(spawn, channel.port2);
  // A call that waits for the session through the other worker would otherwise wait indefinitely.
  endpoint.onFailure((error) => insight.end(error));
  const reader = deferredReader(() => ready.then(() => api));
  return {
    ...reader,
    insight: insight.api,
    open: async (source, options) => {
      await ready;
      return api.open(await sendable(source), options);
    },
    encode: async (task, options) => {
      await ready;
      const own = { ...task, encoder: task.encoder ?? (await encoder()) };
      return api.encode(transferable(own, [task.input.buffer]), options);
    },
    terminate: () => {
      close();
      insight.end();
      endpoint.terminate();
    },
  };
}

/** The worker of the insight, started for its first call; `session` is its connection to the engine. */
function createInsightClient(
  spawn: () => Worker,
  session: MessagePort,
): { api: InsightApi; end(error?: XylemError): void } {
  let started: { api: InsightApi; end(error?: XylemError): void } | undefined;
  let ended: XylemError | undefined;
  const start = () => {
    if (ended) throw ended;
    if (started) return started.api;
    const endpoint = startWorker(spawn);
    endpoint.post({ xylemRole: 'insight', session } satisfies Role, [session]);
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
    api: deferredInsight(start, () => {
      if (!ended) start();
    }),
    end: (error = abortError()) => {
      ended ??= error;
      started?.end(error);
    },
  };
}

/** Objects that call into the page stay here; the worker gets a connection to them. */
async function sendable(source: SourceSpec): Promise<SourceSpec> {
  const stays = source.kind === 'source' || (source.kind === 'url' && source.fetch !== undefined);
  if (!stays) return source;
  const { openBrowserSource } = await import('../web/engine/browser-source');
  // The worker knows this kind, too: see xylem.worker.ts.
  return lendSource(await openBrowserSource(source)) as unknown as SourceSpec;
}
