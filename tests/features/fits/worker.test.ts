import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import type { PageInsight } from '../../../web/insight/api';
import { createWorkerReader } from '../../../workers/client';
import { webEndpoint } from '../../../workers/endpoint';
import { expose } from '../../../workers/rpc';

afterEach(() => {
  vi.useRealTimers();
});

/** A worker that answers with the methods of `api`; one without takes no message. */
function workerOf(api: object | undefined): Worker {
  const { port1, port2 } = new MessageChannel();
  if (api) expose(webEndpoint(port2 as never), api);
  return Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker;
}

test('a fit that is cancelled ends its worker at once, and another one is made again in the next worker', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const insights = [workerOf(undefined), workerOf({ fit: async () => 'fitted' })];
  const reader = createWorkerReader({
    core: async () => ({}) as WebAssembly.Module,
    modules: async () => ({}) as WebAssembly.Module,
    openSource: () => Promise.reject(new Error('nothing is opened here')),
    spawn: { reading: () => workerOf({}), insight: async () => () => insights.shift() as Worker },
    workerType: 'module',
  });
  const insight = reader.insight as PageInsight;
  const fit = (signal?: AbortSignal) =>
    insight.fit({ kind: 'values', x: new Float64Array(3) }, 'gaus', {}, { signal });
  const stop = new AbortController();
  const first = fit(stop.signal);
  await vi.waitFor(() => expect(insights).toHaveLength(1));
  await new Promise(setImmediate);
  const waits = fit();
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
  await vi.advanceTimersByTimeAsync(100);
  expect(await waits).toBe('fitted');
  reader.terminate();
});
