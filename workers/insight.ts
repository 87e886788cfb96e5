import type { ReaderApi } from '../web/api/api';
import { createInsight, type InsightApi } from '../web/insight/api';
import { scopeEndpoint, webEndpoint } from './endpoint';
import { transferable } from './protocol';
import { expose, wrap } from './rpc';

/** Computes with metadata; `session` is the connection to the engine that reads it. */
export function startInsight(session: MessagePort): void {
  expose(scopeEndpoint(), movedInsight(wrap<ReaderApi>(webEndpoint(session)).api));
}

/** Results as large as a file's metadata are moved. */
function movedInsight(reader: ReaderApi): InsightApi {
  const insight = createInsight(reader);
  return { ...insight, map: async (...args) => transferable(await insight.map(...args)) };
}
