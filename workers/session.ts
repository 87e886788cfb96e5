import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi } from '../web/api/engine-api';
import { trustedScriptUrl } from '../web/base/trusted-types';
import { createIndexedDbStore } from '../web/cache/indexeddb';
import { Core } from '../web/core/core';
import { loadOnce } from '../web/core/modules/registry';
import { openBrowserSource } from '../web/engine/browser-source';
import { createEngine } from '../web/engine/engine';
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
import { isRole, type ModuleLender, type Role } from './role';
import { expose, wrap } from './rpc';

/** Time limit in ms for a task. Decoding takes much less; compressing may come close to it. */
const TASK_MS = 60_000;
const LONG_MS = 600_000;

/** Starts the engine, or a decode worker for it. */
export function startReading(role: Role): void {
  if (role.xylemRole === 'decode') serveTasks(scopeEndpoint(), createDecodeHandler());
  if (role.xylemRole === 'session') startSession(role);
}

function startSession({ module, modules, type, gatewayKey }: Role & { xylemRole: 'session' }): void {
  const pool = createPool<DecodeInit, WorkerTask, WorkerResult>({
    init: { module },
    perWorker: 2,
    limitMs: (task) => ('plans' in task || 'program' in task ? TASK_MS : LONG_MS),
    spawn: () => {
      const worker = new Worker(trustedScriptUrl(self.location.href), { type });
      worker.postMessage({ xylemRole: 'decode' } satisfies Role);
      return webWorker(worker);
    },
  });
  let own: Promise<Core> | undefined;
  const core = (): Promise<Core> => (own ??= Core.create(module));
  const lender = wrap<ModuleLender>(webEndpoint(modules)).api;
  const load = loadOnce((name) => lender.load(name));
  const store = createIndexedDbStore();
  const engine = createEngine({
    module,
    openSource: async (spec) =>
      isLent(spec) ? borrowSource(spec) : openBrowserSource(spec, undefined, gatewayKey),
    runner: poolRunner(pool, core, { modules: load }),
    store: () => store,
  });
  const calls = deferredReader(() => engine);
  const api: EngineApi = {
    ...calls,
    // Large results are moved.
    layout: async (...args) => transferable(await calls.layout(...args)),
    arrays: async (...args) => transferable(await calls.arrays(...args)),
    readBlock: async (...args) => transferable(await calls.readBlock(...args)),
    encode: async (...args) => transferable(await calls.encode(...args)),
    makeBaskets: async (...args) => transferable(await calls.makeBaskets(...args)),
    walk: async (...args) => transferable(await calls.walk(...args)),
    bytes: async (...args) => {
      const bytes = await calls.bytes(...args);
      return transferable(bytes, [bytes.buffer]);
    },
  };
  const scope = scopeEndpoint();
  expose(scope, api);
  scope.onMessage((message) => {
    if (isRole(message) && message.xylemRole === 'answer') expose(webEndpoint(message.port), api);
  });
}
