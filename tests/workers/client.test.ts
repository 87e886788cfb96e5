import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createWorkerReader } from '../../workers/client';
import { webEndpoint } from '../../workers/endpoint';
import { expose } from '../../workers/rpc';

afterEach(() => {
  vi.useRealTimers();
});

/** A worker that answers with the methods of `api`; one without takes no message. */
function workerOf(api: object | undefined): Worker {
  const { port1, port2 } = new MessageChannel();
  if (api) expose(webEndpoint(port2 as never), api);
  return Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker;
}

test('a worker of insight that hangs is replaced after a call to it was cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const insights = [workerOf(undefined), workerOf({ map: async () => 'map' })];
  const reader = createWorkerReader({
    core: async () => ({}) as WebAssembly.Module,
    modules: async () => ({}) as WebAssembly.Module,
    openSource: () => Promise.reject(new Error('nothing is opened here')),
    spawn: { reading: () => workerOf({}), insight: async () => () => insights.shift() as Worker },
    workerType: 'module',
  });
  const stop = new AbortController();
  const first = reader.insight.map(1, { signal: stop.signal });
  await vi.waitFor(() => expect(insights).toHaveLength(1));
  await new Promise(setImmediate);
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
  const waits = reader.insight.map(1);
  const lost = expect(waits).rejects.toMatchObject({ message: expect.stringContaining('it hangs') });
  await vi.advanceTimersByTimeAsync(30_000);
  await lost;
  expect(await reader.insight.map(1)).toBe('map');
  reader.terminate();
});
