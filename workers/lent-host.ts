import type { FileInfo, Histogram } from '../web/api/api';
import type { MergeJournal } from '../web/api/sink';
import type { InputHost, WriteHost, WriteWork } from '../web/api/write';
import { XylemError } from '../web/base/errors';
import { webEndpoint } from './endpoint';
import { transferable } from './protocol';
import { expose, type Remote, wrap } from './rpc';

/** A port to the sink and the inputs of a file that is written. Both stay in the page. */
export interface LentHost {
  port: MessagePort;
  /** Whether the sink has a journal. */
  resumes: boolean;
}

type Lender = WriteHost & {
  begin: MergeJournal['begin'];
  /** Called after the last call. */
  end(): Promise<void>;
};

/** Calls of a worker that writes. Functions of the page are called through a port. */
export interface LentWork {
  heal(file: FileInfo, host: LentHost, ...rest: Tail<WriteWork['heal']>): ReturnType<WriteWork['heal']>;
  skim(file: FileInfo, host: LentHost, ...rest: Tail<WriteWork['skim']>): ReturnType<WriteWork['skim']>;
  salvage(
    file: FileInfo,
    host: LentHost,
    ...rest: Tail<WriteWork['salvage']>
  ): ReturnType<WriteWork['salvage']>;
  merge(
    names: readonly string[],
    host: LentHost,
    ...rest: Tail<WriteWork['merge']>
  ): ReturnType<WriteWork['merge']>;
  exportTree(
    file: FileInfo,
    host: LentHost,
    ...rest: Tail<WriteWork['exportTree']>
  ): ReturnType<WriteWork['exportTree']>;
  histogram(
    histogram: Histogram | readonly Histogram[],
    host: LentHost,
    ...rest: Tail<WriteWork['histogram']>
  ): ReturnType<WriteWork['histogram']>;
  planHeal: WriteWork['planHeal'];
  planSkim: WriteWork['planSkim'];
  planMerge(
    names: readonly string[],
    host: LentHost,
    ...rest: Tail<WriteWork['planMerge']>
  ): ReturnType<WriteWork['planMerge']>;
}

type Tail<Call extends (...args: never[]) => unknown> =
  Parameters<Call> extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** Runs in the page: returns an object that writes in the worker. */
export function remoteWork(api: Remote<LentWork>): WriteWork {
  return {
    heal: (file, host, task) => api.heal(file, lend(host), task),
    skim: (file, host, task) => api.skim(file, lend(host), task),
    salvage: (file, host, task) => api.salvage(file, lend(host), task),
    merge: (names, host, task) => api.merge(names, lend(host), task),
    exportTree: (file, host, task) => api.exportTree(file, lend(host), task),
    histogram: (histogram, host, task) => api.histogram(histogram, lend(host), task),
    planHeal: (file, task) => api.planHeal(file, task),
    planSkim: (file, task) => api.planSkim(file, task),
    planMerge: (names, host, task) => api.planMerge(names, lend(host), task),
  };
}

function lend(host: InputHost & Partial<WriteHost>): LentHost {
  const { port1, port2 } = new MessageChannel();
  const exposed = expose<Lender>(webEndpoint(port1), {
    write: unasked,
    written: unasked,
    ...host,
    begin: host.begin ?? unasked,
    async end() {
      // The answer to this call has to be sent before the port is closed.
      setTimeout(() => {
        exposed.close();
        port1.close();
      });
    },
  });
  return transferable({ port: port2, resumes: host.begin !== undefined }, [port2]);
}

/** Replaces functions that a plan, or a sink without a journal, does not have. */
async function unasked(): Promise<never> {
  throw new XylemError({ code: 'INTERNAL', message: 'There is no sink for this.' });
}

/** Runs in the worker. `get` loads the code that writes. */
export function lentWork(get: () => Promise<WriteWork>): LentWork {
  const borrowed = async <T>(
    { port, resumes }: LentHost,
    run: (work: WriteWork, host: WriteHost) => Promise<T>,
  ) => {
    const { api, close } = wrap<Lender>(webEndpoint(port));
    try {
      return await run(await get(), {
        write: (at, bytes) => {
          // The writer reuses its memory.
          const own = bytes.slice();
          return api.write(at, transferable(own, [own.buffer]));
        },
        begin: resumes ? (settings, fresh) => api.begin(settings, fresh) : undefined,
        open: (index) => api.open(index),
        openChain: () => api.openChain(),
        written: () => api.written(),
        close: (file) => api.close(file),
      });
    } finally {
      await api.end();
      close();
      port.close();
    }
  };
  return {
    heal: (file, lent, task) => borrowed(lent, (work, host) => work.heal(file, host, task)),
    skim: (file, lent, task) => borrowed(lent, (work, host) => work.skim(file, host, task)),
    salvage: (file, lent, task) => borrowed(lent, (work, host) => work.salvage(file, host, task)),
    merge: (names, lent, task) => borrowed(lent, (work, host) => work.merge(names, host, task)),
    exportTree: (file, lent, task) => borrowed(lent, (work, host) => work.exportTree(file, host, task)),
    histogram: (histogram, lent, task) =>
      borrowed(lent, (work, host) => work.histogram(histogram, host, task)),
    planHeal: async (...args) => (await get()).planHeal(...args),
    planSkim: async (...args) => (await get()).planSkim(...args),
    planMerge: (names, lent, task) => borrowed(lent, (work, host) => work.planMerge(names, host, task)),
  };
}
