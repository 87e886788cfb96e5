import type { EngineReader } from '../web/api/reader';
import { abortError, WorkerLost, type XylemError } from '../web/base/errors';
import { forwardAll } from '../web/base/forward';
import { checkWebAssembly } from '../web/core/load';
import type { LoadModule } from '../web/core/modules/registry';
import * as features from '../web/features/reader';
import type { ReaderPart } from '../web/features/work-part';
import type { PageInsight } from '../web/insight/api';
import { createWriter } from '../web/library/writer';
import { moduleOf } from '../web/pass/module-of';
import { died, startWorker, webEndpoint } from './endpoint';
import type { Host } from './host';
import type { LentWork } from './lent-host';
import { transferable } from './protocol';
import { withoutArrays } from './remote-reader';
import type { ModuleLender, Role } from './role';
import { expose, type Remote, wrap } from './rpc';
import { sendable } from './sendable';
import { HANGS, keepSession } from './session-keeper';

/**
 * Starts the engine in a worker, and a new one if it is lost. If starting fails, the calls fail. `terminate` ends it
 * and its decode workers. Insight and the writer run in a second worker, which is started for the first call.
 */
export function createWorkerReader(
  host: Pick<Host, 'core' | 'gatewayKey' | 'modules' | 'openSource' | 'repair' | 'spawn' | 'workerType'>,
): EngineReader {
  const load: LoadModule = (name) => moduleOf(host, name);
  const keeper = keepSession({
    spawn: host.spawn.reading,
    sendable: (source) => sendable(source, host),
    repair: host.repair,
    onLoss: (error) => {
      second.lose(error);
      third.lose(error);
    },
    role: async () => {
      checkWebAssembly();
      const module = await host.core();
      const modules = lendModules({ load });
      const { workerType: type, gatewayKey } = host;
      return { role: { xylemRole: 'session', module, modules, type, gatewayKey }, transfer: [modules] };
    },
  });
  const startSecond = (patience: number) =>
    createSecond(host.spawn.insight, keeper.connection, () => lendModules({ load }), patience);
  const second = startSecond(PATIENCE_MS);
  const third = startSecond(ALONE_PATIENCE_MS);
  const alone = Object.values<ReaderPart>(features).flatMap((one) => one.alone ?? []);
  const inThird = Object.fromEntries(alone.map((name) => [name, repeated(name, third.start)]));
  const reader = withoutArrays(keeper.reader);
  // The worker and the core are loaded before the first call.
  keeper.start();
  return {
    ...reader,
    insight: forwardAll<PageInsight>(async () => (await second.start()).api, {
      ...inThird,
      warm: second.warm,
    }),
    writer: createWriter(
      reader,
      async () => (await import('./lent-host')).remoteWork((await second.start()).api),
      () => load('write'),
    ),
    encode: (task, call) =>
      keeper.moved('encode', async () => [transferable(task, [task.input.buffer]), call]),
    makeBaskets: (task, call) =>
      keeper.moved('makeBaskets', async () => [transferable(task, [task.input.buffer]), call]),
    terminate: () => {
      second.end();
      third.end();
      keeper.end();
    },
  };
}

/** Number of workers in which a call is tried that lost its worker because another call was cancelled. */
const MAX_TRIES = 4;

/** Returns a call of a worker that is ended when another call is cancelled: it is then made again in the next worker. */
function repeated(name: keyof PageInsight, start: () => Promise<Second>) {
  return async (...args: unknown[]): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        const { api } = await start();
        return await (api[name] as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (thrown) {
        if (!(thrown instanceof WorkerLost) || tries === MAX_TRIES) throw thrown;
      }
    }
  };
}

/** Returns the worker's end of a connection by which it asks this page for modules. */
function lendModules(lender: ModuleLender): MessagePort {
  const { port1, port2 } = new MessageChannel();
  expose(webEndpoint(port1), lender);
  return port2;
}

/** A worker that does not answer within this many ms after a call was cancelled is considered stuck. */
const PATIENCE_MS = 20_000;
/** The same for the worker of calls that have one of their own. */
const ALONE_PATIENCE_MS = 50;

/** The worker of insight and writer. */
interface Second {
  api: Remote<PageInsight & LentWork>;
  /** Calls the listener if the worker is lost. */
  onLoss(listener: () => void): void;
  end(error: XylemError): void;
}

interface SecondKeeper {
  start(): Promise<Second>;
  warm(): void;
  /** Ends it because its engine is lost. The next call starts a new one. */
  lose(error: XylemError): void;
  end(): void;
}

/**
 * Starts a worker of insight and writer for its first call. `connect` returns a connection to the engine, `lend` one to
 * modules. If it does not answer for `patience` ms after a call was cancelled, it is ended.
 */
function createSecond(
  load: () => Promise<() => Worker>,
  connect: () => Promise<MessagePort>,
  lend: () => MessagePort,
  patience: number,
): SecondKeeper {
  let started: Promise<Second> | undefined;
  let ended = false;
  const open = async (): Promise<Second> => {
    const [spawn, session] = await Promise.all([load(), connect()]);
    const endpoint = startWorker(spawn);
    const modules = lend();
    endpoint.post({ xylemRole: 'insight', session, modules } satisfies Role, [session, modules]);
    const { api, close, ping } = wrap<PageInsight & LentWork>(endpoint, () => {
      const timer = setTimeout(() => lose(died(HANGS)), patience);
      // Clears the timer also if the worker is lost otherwise.
      void ping().then(() => clearTimeout(timer));
    });
    return {
      api,
      onLoss: (listener) => void endpoint.onFailure(listener),
      end: (error) => {
        close(error);
        endpoint.terminate();
      },
    };
  };
  const start = (): Promise<Second> => {
    if (ended) return Promise.reject(abortError());
    if (started) return started;
    const starting = open();
    const forget = () => {
      if (started === starting) started = undefined;
    };
    starting.then(({ onLoss }) => onLoss(forget), forget);
    started = starting;
    return starting;
  };
  const lose = (error: XylemError): void => {
    const before = started;
    started = undefined;
    before?.then(
      (second) => second.end(error),
      () => {},
    );
  };
  return {
    start,
    lose,
    warm: () => {
      // The error is reported by the call that needs the worker.
      if (!ended) start().catch(() => {});
    },
    end: () => {
      ended = true;
      lose(abortError());
    },
  };
}
