import type { FileId, FileInfo, SourceSpec } from '../web/api/api';
import type { EngineApi, ReopenOptions } from '../web/api/engine-api';
import { READER_METHODS } from '../web/api/reader-methods';
import { onAbort, raceAbort, settle } from '../web/base/abort';
import {
  abortError,
  isPartMissing,
  partMissing,
  toXylemError,
  WorkerLost,
  type XylemError,
} from '../web/base/errors';
import { died, startWorker, type WorkerLike } from './endpoint';
import type { Role } from './role';
import { type Connection, connect } from './rpc';

export interface SessionOptions {
  /** Starts the worker script. */
  spawn: () => Worker;
  /** Returns the first message. Rejects if the core cannot be compiled. */
  role: () => Promise<{ role: Role; transfer: Transferable[] }>;
  /** Returns a source in a form that can be sent to the worker. Called for each worker. */
  sendable: (source: SourceSpec) => Promise<SourceSpec>;
  /** Called if a worker could not be started, before the next one is. */
  repair?: (() => Promise<void>) | undefined;
  /** Called when a worker is lost. */
  onLoss: (error: XylemError) => void;
}

/** A reader whose engine runs in a worker. If the worker is lost, a new one is started and opens the same files. */
export interface SessionKeeper {
  reader: EngineApi;
  /** Starts the worker early. The first call reports a failure. */
  start(): void;
  /** Calls a method whose arguments are moved, so it cannot be repeated. */
  moved<T>(method: keyof EngineApi, makeArguments: () => Promise<unknown[]>): Promise<T>;
  /** Returns the other end of a new connection to the engine, for another worker. */
  connection(): Promise<MessagePort>;
  end(): void;
}

interface Session {
  endpoint: WorkerLike;
  connection: Connection;
  /** Resolves when the worker has its role. */
  ready: Promise<void>;
  /** The worker has sent a message, so its script was loaded. */
  heard: boolean;
  /** It did not get its role, because the core could not be compiled. */
  failed: boolean;
  /** The files that are opened again after a loss. */
  files: Map<FileId, Promise<void>>;
  /** Number of running calls, and of unanswered pings in a row. */
  open: number;
  unanswered: number;
  timer?: ReturnType<typeof setInterval> | undefined;
}

interface OpenFile {
  source: SourceSpec;
  info: FileInfo;
  /** Its keys were found by a walk over the records. */
  recovered: boolean;
}

/** Interval in ms of the pings during calls. */
const PING_MS = 5000;
/**
 * A worker that leaves this many pings unanswered is considered stuck. Pings are counted instead of time, because a
 * page may sleep.
 */
const MAX_UNANSWERED = 6;
/** Time in ms that a cancelled call may go on, and after that the time for the worker to answer. */
const PATIENCE_MS = 2000;

/** Reason for the loss of a worker that does not answer. */
export const HANGS = 'it hangs';

export function keepSession(options: SessionOptions): SessionKeeper {
  const files = new Map<FileId, OpenFile>();
  let current: Session | undefined;
  /** The last repair. Another worker starts after it. */
  let repairing: Promise<void> | undefined;
  /** Error of the repair, if the network failed. */
  let unreached: unknown;
  let ended = false;
  /** Whether decode workers were requested before there was work. */
  let warmed = false;

  function start(): Session {
    const endpoint = startWorker(options.spawn);
    // Registered before the calls, which are repeated at once.
    endpoint.onFailure((error) => lose(session, error));
    const connection = connect(endpoint);
    const session: Session = {
      endpoint,
      connection,
      ready: options.role().then(({ role, transfer }) => endpoint.post(role, transfer)),
      heard: false,
      failed: false,
      files: new Map(),
      open: 0,
      unanswered: 0,
    };
    endpoint.onMessage(() => {
      session.heard = true;
    });
    session.ready.catch((thrown: unknown) => {
      session.failed = true;
      lose(session, toXylemError(thrown));
    });
    for (const id of files.keys()) reopen(session, id);
    if (warmed) void settle(session.ready.then(() => connection.call('warm', []).value));
    return session;
  }

  async function running(): Promise<Session> {
    await repairing;
    current ??= start();
    return current;
  }

  function lose(session: Session, error: XylemError): void {
    clearInterval(session.timer);
    session.connection.close(error);
    session.endpoint.terminate();
    if (current !== session) return;
    current = undefined;
    if (!ended && isUnstarted(session)) repairing = repair();
    options.onLoss(error);
  }

  async function repair(): Promise<void> {
    unreached = undefined;
    try {
      await options.repair?.();
    } catch (thrown) {
      unreached = thrown;
    }
  }

  function reopen(session: Session, id: FileId): void {
    const opening = (async () => {
      const file = files.get(id);
      if (!file) return;
      await session.ready;
      const source = await options.sendable(file.source);
      await session.connection.call('open', [source, { as: file.info } satisfies ReopenOptions]).value;
      if (file.recovered) await session.connection.call('recover', [id]).value;
    })();
    opening.catch(() => {});
    session.files.set(id, opening);
  }

  /** Waits for files that are being opened again. Throws the error of the requested file. */
  async function reopened(session: Session, id: unknown): Promise<void> {
    await Promise.allSettled(session.files.values());
    if (typeof id !== 'number') return;
    const opening = session.files.get(id);
    try {
      await opening;
    } catch (thrown) {
      // The next call tries again.
      if (session.files.get(id) === opening) reopen(session, id);
      throw thrown;
    }
  }

  /** Pings a worker with running calls at regular intervals. */
  function watch(session: Session, settled: Promise<unknown>, signal: AbortSignal | undefined): void {
    session.open++;
    session.timer ??= setInterval(() => {
      if (session.unanswered >= MAX_UNANSWERED) lose(session, died(HANGS));
      session.unanswered++;
      void session.connection.ping().then(() => {
        session.unanswered = 0;
      });
    }, PING_MS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onAbort(signal, () => {
      timer = setTimeout(() => {
        timer = setTimeout(() => lose(session, died(HANGS)), PATIENCE_MS);
        void session.connection.ping().then(() => clearTimeout(timer));
      }, PATIENCE_MS);
    });
    void settled.then(() => {
      stop();
      clearTimeout(timer);
      if (--session.open > 0) return;
      clearInterval(session.timer);
      session.timer = undefined;
      session.unanswered = 0;
    });
  }

  async function once(method: string, args: unknown[], signal: AbortSignal | undefined): Promise<unknown> {
    const session = await running();
    const before = session.ready.then(() => reopened(session, args[0]));
    let over: (until: unknown) => void = () => {};
    const settled = new Promise<unknown>((resolve) => {
      over = resolve;
    });
    watch(session, settled, signal);
    try {
      await raceAbort(before, signal);
      const call = session.connection.call(method, args);
      over(call.settled);
      return await call.value;
    } catch (thrown) {
      // The call was cancelled before it was sent.
      over(settle(before));
      // The next call gets a new worker, which loads the part again.
      if (isPartMissing(toXylemError(thrown))) lose(session, toXylemError(thrown));
      // Its script or the core was not loaded. Another attempt may succeed.
      else if (current !== session && isUnstarted(session))
        throw unreached
          ? partMissing(unreached)
          : new WorkerLost({ ...toXylemError(thrown).toRecord(), cause: thrown });
      throw thrown;
    }
  }

  async function repeated(
    method: string,
    makeArguments: () => Promise<unknown[]>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (ended) throw abortError();
    try {
      return await once(method, await makeArguments(), signal);
    } catch (thrown) {
      // Another worker loads a missing part by itself, or has it from the beginning.
      const isWorth = thrown instanceof WorkerLost || isPartMissing(toXylemError(thrown));
      if (!isWorth || ended || signal?.aborted) throw thrown;
      return once(method, await makeArguments(), signal);
    }
  }

  async function open(source: SourceSpec, ...rest: unknown[]) {
    const makeArguments = async () => [await options.sendable(source), ...rest];
    const info = (await repeated('open', makeArguments, signalOf(rest))) as FileInfo;
    files.set(info.id, { source, info, recovered: false });
    return info;
  }

  const calls: Record<string, (...args: never[]) => Promise<unknown>> = {};
  for (const method of Object.keys(READER_METHODS)) {
    calls[method] = async (...args: unknown[]) => repeated(method, async () => args, signalOf(args));
  }
  const reader = {
    ...calls,
    open,
    warm: async () => {
      warmed = true;
      await repeated('warm', async () => [], undefined);
    },
    recover: async (id: FileId, ...rest: unknown[]) => {
      const info = await repeated('recover', async () => [id, ...rest], signalOf(rest));
      const file = files.get(id);
      if (file) file.recovered = true;
      return info;
    },
    close: async (id: FileId) => {
      files.delete(id);
      current?.files.delete(id);
      // In a lost worker the file is already closed.
      await current?.connection.call('close', [id]).value;
    },
  } as unknown as EngineApi;

  return {
    reader,
    start: () => void running(),
    moved: async <T>(method: keyof EngineApi, makeArguments: () => Promise<unknown[]>) => {
      if (ended) throw abortError();
      const args = await makeArguments();
      return (await once(method, args, signalOf(args))) as T;
    },
    connection: async () => {
      const session = await running();
      await session.ready;
      await Promise.allSettled(session.files.values());
      const { port1, port2 } = new MessageChannel();
      session.endpoint.post({ xylemRole: 'answer', port: port1 } satisfies Role, [port1]);
      return port2;
    },
    end: () => {
      ended = true;
      if (current) lose(current, abortError());
    },
  };
}

function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  const options = args.at(-1);
  if (typeof options !== 'object' || options === null || !('signal' in options)) return undefined;
  return options.signal instanceof AbortSignal ? options.signal : undefined;
}

/** Whether its script or the core was not loaded. */
function isUnstarted({ heard, failed }: Session): boolean {
  return !heard || failed;
}
