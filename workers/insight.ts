import type { EngineApi } from '../web/api/engine-api';
import { loadOnce } from '../web/core/modules/registry';
import { createInsight } from '../web/insight/api';
import { loadWriteWork } from '../web/insight/write-work';
import { scopeEndpoint, webEndpoint } from './endpoint';
import { lentWork } from './lent-host';
import { transferable } from './protocol';
import { remoteReader } from './remote-reader';
import type { ModuleLender } from './role';
import { expose, wrap } from './rpc';

/** Computes with metadata, and writes files. `session` is the connection to the engine that reads, `modules` to the lender of modules. */
export function startInsight(session: MessagePort, modules: MessagePort): void {
  const { api } = wrap<EngineApi>(webEndpoint(session));
  const reader = remoteReader(async () => api);
  const lender = wrap<ModuleLender>(webEndpoint(modules)).api;
  const load = loadOnce((name) => lender.load(name));
  const work = lentWork(() => loadWriteWork(reader));
  const loadVerbs = async () => (await import('../web/verbs/run-in-page')).runInPage;
  expose(scopeEndpoint(), { ...createInsight(reader, loadVerbs, transferable, load), ...work });
}
