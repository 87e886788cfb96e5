import type { ReaderApi, SourceSpec } from '../web/api/api';
import { abortError, toXylemError, type XylemError } from '../web/base/errors';
import type { MathSource } from '../web/core/math-module';
import type { InsightApi } from '../web/insight/api';
import { deferredInsight } from '../web/insight/deferred';
import type { XylemReader } from '../web/write/api';
import { deferredWriter } from '../web/write/deferred';
import { startWorker, webEndpoint } from './endpoint';
import type { LentWork } from './lent-host';
import { lendSource } from './lent-source';
import { transferable } from './protocol';
import { remoteReader } from './remote-reader';
import type { MathLender, Role } from './role';
import { expose, type Remote, wrap } from './rpc';

/**
 * A reader whose engine runs in a worker; `terminate` ends it and its decode workers. Its insight and its
 * writer run in a worker that is started for the first call.
 */
export type WorkerReader = XylemReader;

export interface ClientOptions {
  /** Starts the worker script. */
  spawn: () => Worker;
  /** Loads what starts the worker of insight and writer; by default it has the same script. */
  loadInsight?: () => Promise<() => Worker>;
  type: WorkerType;
  /** Compiles the core. */
  compile: () => Promise<WebAssembly.Module>;
  /** Place of the module with the functions that few expressions call. */
  math: MathSource;
  /** Loads the module that writes tables. */
  encoder: () => Promise<WebAssembly.Module>;
  /** Loads the module that writes ROOT files. */
  writer: () => Promise<WebAssembly.Module>;
}

/** Starts the engine in a worker. When starting fails, the calls fail. */
export function createWorkerReader(options: ClientOptions): WorkerReader {
  const { spawn, loadInsight = async () => spawn, type, compile, encoder, writer } = options;
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
  const second = createSecond(loadInsight, channel.port2);
  // A call that waits for the session through the other worker would otherwise wait indefinitely.
  endpoint.onFailure((error) => second.end(error));
  const reader: ReaderApi = {
    ...remoteReader(() => ready.then(() => api)),
    open: async (source, options) => {
      await ready;
      return api.open(await sendable(source), options);
    },
  };
  const loadWriter = async () => {
    const [{ createWriteApi }, { remoteWork }] = await Promise.all([
      import('../web/write/api'),
      import('./lent-host'),
    ]);
    return createWriteApi(reader, async () => remoteWork((await second.start()).api), writer);
  };
  return {
    ...reader,
    insight: deferredInsight(async () => (await second.start()).api, second.warm),
    writer: deferredWriter(loadWriter),
    encode: async (task, options) => {
      await ready;
      const own = { ...task, encoder: task.encoder ?? (await encoder()) };
      return api.encode(transferable(own, [task.input.buffer]), options);
    },
    makeBaskets: async (task, options) => {
      await ready;
      return api.makeBaskets(transferable(task, [task.input.buffer]), options);
    },
    terminate: () => {
      close();
      second.end();
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

/** The worker of insight and writer, and the end of it. */
interface Second {
  api: Remote<InsightApi & LentWork>;
  end(error?: XylemError): void;
}

/** Starts the worker of insight and writer for its first call; `session` is its connection to the engine. */
function createSecond(
  load: () => Promise<() => Worker>,
  session: MessagePort,
): { start(): Promise<Second>; warm(): void; end(error?: XylemError): void } {
  let started: Second | undefined;
  let ended: XylemError | undefined;
  const start = async () => {
    const spawn = await load();
    if (ended) throw ended;
    if (started) return started;
    const endpoint = startWorker(spawn);
    endpoint.post({ xylemRole: 'insight', session } satisfies Role, [session]);
    const { api, close } = wrap<InsightApi & LentWork>(endpoint);
    started = {
      api,
      end: (error) => {
        close(error);
        endpoint.terminate();
      },
    };
    return started;
  };
  return {
    start,
    warm: () => {
      // The call that needs it says why it failed.
      if (!ended) start().catch(() => {});
    },
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
