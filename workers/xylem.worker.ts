import type { ReaderApi } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';
import { trustedScriptUrl } from '../web/base/trusted-types';
import { createIndexedDbStore } from '../web/cache/indexeddb';
import { Core } from '../web/core/core';
import { loadMath, type MathSource } from '../web/core/math-module';
import { openBrowserSource } from '../web/engine/browser-source';
import { createEngine } from '../web/engine/engine';
import { createInsight, type InsightApi } from '../web/insight/api';
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
 * The one worker script of a page. The first message gives the role: `session` runs the engine and starts
 * decode workers from this same script, so that an element needs one script only, wherever it was loaded
 * from. `insight` computes with metadata, which it gets from the session.
 */
export type Role =
  | {
      xylemRole: 'session';
      module: WebAssembly.Module;
      /** Place of the module with the functions that few expressions call. */
      math: MathSource;
      /** The type of this script's worker, so that the session can start it again. */
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
  if (role.xylemRole === 'decode') serveTasks(scopeEndpoint(), createDecodeHandler());
  else if (role.xylemRole === 'session') startSession(role);
  else expose(scopeEndpoint(), movedInsight(wrap<ReaderApi>(webEndpoint(role.session)).api));
});

/** Results as large as a file's metadata are moved. */
function movedInsight(reader: ReaderApi): InsightApi {
  const insight = createInsight(reader);
  return { ...insight, map: async (...args) => transferable(await insight.map(...args)) };
}

function startSession({ module, math, type, insight }: Role & { xylemRole: 'session' }): void {
  const pool = createPool<DecodeInit, WorkerTask, WorkerResult>({
    init: { module },
    perWorker: 2,
    spawn: () => {
      const worker = new Worker(trustedScriptUrl(self.location.href), { type });
      worker.postMessage({ xylemRole: 'decode' } satisfies Role);
      return webWorker(worker);
    },
  });
  let own: Promise<Core> | undefined;
  const core = (): Promise<Core> => (own ??= Core.create(module));
  let functions: Promise<WebAssembly.Module> | undefined;
  const loadFunctions = (): Promise<WebAssembly.Module> => {
    functions ??= loadMath(math).catch((error: unknown) => {
      functions = undefined;
      throw error;
    });
    return functions;
  };
  const engine = createEngine({
    module,
    openSource: async (spec) => (isLent(spec) ? borrowSource(spec) : openBrowserSource(spec)),
    runner: poolRunner(pool, core, undefined, { math: loadFunctions }),
    store: createIndexedDbStore(),
  });
  const calls = deferredReader(() => engine);
  const api: ReaderApi = {
    ...calls,
    // Large results are moved.
    layout: async (...args) => transferable(await calls.layout(...args)),
    arrays: async (...args) => transferable(await calls.arrays(...args)),
    readBlock: async (...args) => transferable(await calls.readBlock(...args)),
    encode: async (...args) => transferable(await calls.encode(...args)),
    walk: async (...args) => transferable(await calls.walk(...args)),
    bytes: async (...args) => {
      const bytes = await calls.bytes(...args);
      return transferable(bytes, [bytes.buffer]);
    },
  };
  expose(scopeEndpoint(), api);
  expose(webEndpoint(insight), api);
}
