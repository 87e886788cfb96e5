import type { CallOptions, FileInfo } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { ProcessRequest, ProcessResult } from '../../web/api/selector';
import { throwIfAborted } from '../../web/base/abort';
import { processRows } from '../../web/measure/partial/process-rows';
import { LIMIT_MS } from '../../web/pass/selector/run';
import { startWorker } from '../endpoint';
import { MEMBERS, openMembers } from './open-members';

export interface PageSelectors {
  /** Starts a worker of `xylem-selector.worker.js`. */
  spawn(): Worker;
  core(): Promise<WebAssembly.Module>;
}

/**
 * Runs a selector in workers of its own, because the reader of a page may be shared with viewers, which run no code. Throws
 * the errors of reading, what the code throws, TIMEOUT and ABORTED.
 */
export async function processInPage(
  { spawn, core }: PageSelectors,
  reader: EngineApi,
  { id: file, files }: FileInfo,
  { module, set = {}, limitMs = LIMIT_MS, ...request }: ProcessRequest,
  options: CallOptions,
): Promise<ProcessResult> {
  const compiled = await core();
  throwIfAborted(options.signal);
  const workers = Array.from({ length: MEMBERS }, () => startWorker(spawn));
  const box = await openMembers(workers, {
    ...{ limitMs, signal: options.signal },
    load: async () => ({ selector: { module: new URL(module, location.href).href }, core: compiled, set }),
    end: () => {
      for (const worker of workers) worker.terminate();
    },
  });
  try {
    return await processRows(reader, { ...request, file, isChain: files !== undefined }, box, options);
  } finally {
    box.end();
  }
}
