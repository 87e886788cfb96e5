import type { LoadModule } from '../web/core/modules/registry';
import { announceLife } from './alive';

/** The first message to a worker, which says what it does. See xylem.worker.ts. */
export type Role =
  | {
      xylemRole: 'session';
      module: WebAssembly.Module;
      /** Port to the `ModuleLender` of the page. */
      modules: MessagePort;
      /** Type of this worker's script, so that the session can start it again. */
      type: WorkerType;
      /** Key of the gateway that serves the page. */
      gatewayKey?: string | undefined;
    }
  /** For a running session: the engine also answers on this port. */
  | { xylemRole: 'answer'; port: MessagePort }
  | { xylemRole: 'decode' }
  /** `modules`: port to the `ModuleLender` of the page. */
  | { xylemRole: 'insight'; session: MessagePort; modules: MessagePort };

/** Calls by which a session gets modules from its page. */
export interface ModuleLender {
  load: LoadModule;
}

/** Waits for the first message, and passes on its role. */
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
