import type { LoadModule } from '../web/core/modules/registry';
import { announceLife } from './alive';

/** The first message to a worker: what it is for. See xylem.worker.ts. */
export type Role =
  | {
      xylemRole: 'session';
      module: WebAssembly.Module;
      /** Leads to the page's `ModuleLender`. */
      modules: MessagePort;
      /** The type of this script's worker, so that the session can start it again. */
      type: WorkerType;
      /** The key of the gateway that serves the page. */
      gatewayKey?: string | undefined;
    }
  /** To a session that runs: the engine answers here, too. */
  | { xylemRole: 'answer'; port: MessagePort }
  | { xylemRole: 'decode' }
  | { xylemRole: 'insight'; session: MessagePort };

/** Answers of a page to its session, which needs a module. */
export interface ModuleLender {
  load: LoadModule;
}

/** Waits for the first message, and hands on the role that it gives. */
export function onRole(start: (role: Role) => void): void {
  announceLife();
  addEventListener('message', function hear(event: MessageEvent<unknown>) {
    if (!isRole(event.data)) return;
    removeEventListener('message', hear);
    start(event.data);
  });
}

export function isRole(value: unknown): value is Role {
  return typeof value === 'object' && value !== null && 'xylemRole' in value;
}
