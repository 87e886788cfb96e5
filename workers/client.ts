import type { ReaderApi, SourceSpec } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';
import { abortError, toXylemError, type XylemError } from '../web/base/errors';
import type { MathSource } from '../web/core/math-module';
import type { InsightApi, XylemReader } from '../web/insight/api';
import { deferredInsight } from '../web/insight/deferred';
import { startWorker, webEndpoint } from './endpoint';
import { lendSource } from './lent-source';
import { transferable } from './protocol';
import type { MathLender, Role } from './role';
import { expose, wrap } from './rpc';

/**
 * A reader whose engine runs in a worker; `terminate` ends it and its decode workers. Its insight runs in a
 * worker that is started for the first call.
 */
export type WorkerReader = XylemReader;

export interface ClientOptions {
  /** Starts the worker script. */
  spawn: () => Worker;
  /** Loads what starts the worker of the insight; by default it has the same script. */
  loadInsight?: () => Promise<() => Worker>;
  type: WorkerType;
  /** Compiles the core. */
  compile: () => Promise<WebAssembly.Module>;
  /** Place of the module with the functions that few expressions call. */
  math: MathSource;
  /** Loads the module that writes tables. */
  encoder: () => Promise<WebAssembly.Module>;
}

/** Starts the engine in a worker. When starting fails, the calls fail. */
export function createWorkerReader(options: ClientOptions): WorkerReader {
  const { spawn, loadInsight = async () => spawn, type, compile, encoder } = options;
  const endpoint = startWorker(spawn);
  const { api, close } = wrap<ReaderApi>(endpoint);
  const channel = new MessageChannel();
  const math = 'url' in options.math ? options.math : lendMath(options.math);
  const ready = compile().then(
    (module) =>
      endpoint.post(
        { xylemRole: 'session', module, math, type, insight: channel.port1 } satisfies Role,
        math instanceof MessagePort ? [channel.port1, math] : [channel.port1],
      ),
    (thrown: unknown) => {
      throw toXylemError(thrown);
    },
  );
  ready.catch(() => {});
  const insight = createInsightClient(loadInsight, channel.port2);
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
    // An array would be copied to the worker, which gives one back without copying.
    bytes: (file, ranges, { signal, onProgress } = {}) => reader.bytes(file, ranges, { signal, onProgress }),
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

/** Returns the worker's end of a connection by which it asks this page for the mathematical functions. */
function lendMath(lender: MathLender): MessagePort {
  const { port1, port2 } = new MessageChannel();
  expose(webEndpoint(port1), lender);
  return port2;
}

/** The worker of the insight, started for its first call; `session` is its connection to the engine. */
function createInsightClient(
  load: () => Promise<() => Worker>,
  session: MessagePort,
): { api: InsightApi; end(error?: XylemError): void } {
  let started: { api: InsightApi; end(error?: XylemError): void } | undefined;
  let ended: XylemError | undefined;
  const start = async () => {
    const spawn = await load();
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
      // The call that needs it says why it failed.
      if (!ended) start().catch(() => {});
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
  // The worker knows this kind, too: see session.ts.
  return lendSource(await openBrowserSource(source)) as unknown as SourceSpec;
}
