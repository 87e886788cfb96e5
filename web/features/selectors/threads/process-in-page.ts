import { startWorker } from '../../../../workers/endpoint';
import { throwIfAborted } from '../../../base/abort';
import type { OpenSelector } from '../../../library/tree-handle';
import type { SelectorWorkers } from '../../work-part';
import { processRows } from '../work/partial/process-rows';
import { LIMIT_MS } from '../work/run';
import { MEMBERS, openMembers } from './open-members';

/**
 * Starts a selector in its own workers, because the reader of a page may be shared with viewers that run no code.
 * Throws the errors of the code, TIMEOUT and ABORTED.
 */
export async function openInPage(
  { spawn, core }: SelectorWorkers,
  ...[reader, { module, set = {}, limitMs = LIMIT_MS, isChain }, { signal }]: Parameters<OpenSelector>
): ReturnType<OpenSelector> {
  const compiled = await core();
  throwIfAborted(signal);
  const workers = Array.from({ length: MEMBERS }, () => startWorker(() => spawn(ownWorker)));
  const box = await openMembers(workers, {
    ...{ limitMs, signal },
    load: async () => ({ selector: { module: new URL(module, location.href).href }, core: compiled, set }),
    end: () => {
      for (const worker of workers) worker.terminate();
    },
  });
  return {
    process: (file, request, options) => processRows(reader, { ...request, file, isChain }, box, options),
    end: () => box.end(),
  };
}

/** Bundlers know this form, and put the worker and its imports where it is found. */
const ownWorker = (): Worker =>
  new Worker(new URL('./xylem-selector.worker.ts', import.meta.url), { type: 'module' });
