import type { EngineApi } from '../web/api/engine-api';
import { createInsight, type PageInsight } from '../web/insight/api';
import { scopeEndpoint, webEndpoint } from './endpoint';
import { lentWork } from './lent-host';
import { transferable } from './protocol';
import { remoteReader } from './remote-reader';
import { expose, wrap } from './rpc';

/** Computes with metadata, and writes files. `session` is the connection to the engine that reads. */
export function startInsight(session: MessagePort): void {
  const { api } = wrap<EngineApi>(webEndpoint(session));
  const reader = remoteReader(async () => api);
  const work = lentWork(async () =>
    (await import('../web/features/writer/work/work')).createWriteWork(reader),
  );
  expose(scopeEndpoint(), { ...movedInsight(reader), ...work });
}

/** Moves large results instead of copying them. */
function movedInsight(reader: EngineApi): PageInsight {
  const insight = createInsight(reader, async () => (await import('../web/verbs/run-in-page')).runInPage);
  return { ...insight, map: async (...args) => transferable(await insight.map(...args)) };
}
