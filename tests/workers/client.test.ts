import { afterEach, expect, test, vi } from 'vitest';
import { readerWith, workerOf } from './given-workers';

afterEach(() => {
  vi.useRealTimers();
});

test('a worker of insight that hangs is replaced after a call to it was cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const insights = [workerOf(undefined), workerOf({ map: async () => 'map' })];
  const reader = readerWith(insights);
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
