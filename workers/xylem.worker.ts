import { createIndexedDbStore } from '../web/cache/indexeddb';
import { Core } from '../web/core/core';
import type { ReaderApi } from '../web/file/api';
import { openPageSource } from '../web/file/page-source';
import { createInsight, type InsightApi } from '../web/insight/api';
import { blobFiles } from '../web/io/blob-source';
import { createEngine } from '../web/query/engine';
import {
  createDecodeHandler,
  type DecodeInit,
  poolRunner,
  type WorkerResult,
  type WorkerTask,
} from './decode-handler';
import { scopeEndpoint, webEndpoint, webWorker } from './endpoint';
import { borrowSource, isLent } from './lent-source';
import { createPool, serveTasks } from './pool';
import { transferable } from './protocol';
import { expose, wrap } from './rpc';

/**
 * The one worker script of a page. The first message gives the role: `session` runs the engine and
 * starts decode workers from this same script, so that an element needs one script only, wherever it
 * was loaded from. `insight` reckons with metadata, which it has of the session.
 */
export type Role =
  | {
      xylemRole: 'session';
      module: WebAssembly.Module;
      /** How this script is run, so that the session can start it again. */
      type: WorkerType;
      /** The engine answers here, too. */
      insight: MessagePort;
    }
  | { xylemRole: 'decode' }
  | { xylemRole: 'insight'; session: MessagePort };

function isRole(value: unknown): value is Role {
  return typeof value === 'object' && value !== null && 'xylemRole' in value;
}

addEventListener('message', function start(event: MessageEvent<unknown>) {
  if (!isRole(event.data)) return;
  removeEventListener('message', start);
  const role = event.data;
  if (role.xylemRole === 'decode') serveTasks(scopeEndpoint(), createDecodeHandler(blobFiles));
  else if (role.xylemRole === 'session') startSession(role);
  else expose(scopeEndpoint(), movedInsight(wrap<ReaderApi>(webEndpoint(role.session)).api));
});

/** What is as large as a file's metadata is moved. */
function movedInsight(reader: ReaderApi): InsightApi {
  const insight = createInsight(reader);
  return { ...insight, map: async (...args) => transferable(await insight.map(...args)) };
}

function startSession({ module, type, insight }: Role & { xylemRole: 'session' }): void {
  const pool = createPool<DecodeInit, WorkerTask, WorkerResult>({
    init: { module },
    perWorker: 2,
    spawn: () => {
      const worker = new Worker(self.location.href, { type });
      worker.postMessage({ xylemRole: 'decode' } satisfies Role);
      return webWorker(worker);
    },
  });
  let own: Promise<Core> | undefined;
  const core = (): Promise<Core> => (own ??= Core.create(module));
  const engine = createEngine({
    module,
    openSource: async (spec) => (isLent(spec) ? borrowSource(spec) : openPageSource(spec)),
    runner: poolRunner(pool, core, blobFiles),
    store: createIndexedDbStore(),
  });
  const api = delegate(engine);
  expose(scopeEndpoint(), api);
  expose(webEndpoint(insight), api);
}

/** Calls wait for the engine, so that none is lost while it starts. */
function delegate(engine: Promise<ReaderApi>): ReaderApi {
  return {
    open: async (...args) => (await engine).open(...args),
    keys: async (...args) => (await engine).keys(...args),
    tree: async (...args) => (await engine).tree(...args),
    layout: async (...args) => transferable(await (await engine).layout(...args)),
    records: async (...args) => (await engine).records(...args),
    walk: async (...args) => transferable(await (await engine).walk(...args)),
    object: async (...args) => (await engine).object(...args),
    types: async (...args) => (await engine).types(...args),
    read: async (...args) => (await engine).read(...args),
    summarize: async (...args) => (await engine).summarize(...args),
    draw: async (...args) => (await engine).draw(...args),
    query: async (...args) => (await engine).query(...args),
    table: async (...args) => (await engine).table(...args),
    check: async (...args) => (await engine).check(...args),
    traceSummary: async (...args) => (await engine).traceSummary(...args),
    trace: async (...args) => (await engine).trace(...args),
    cacheInfo: async () => (await engine).cacheInfo(),
    clearCache: async (...args) => (await engine).clearCache(...args),
    limitCache: async (...args) => (await engine).limitCache(...args),
    keepOffline: async (...args) => (await engine).keepOffline(...args),
    close: async (...args) => (await engine).close(...args),
  };
}
