import { afterEach, expect, test, vi } from 'vitest';
import type { PageInsight } from '../../../web/insight/api';
import { readerWith, workerOf } from '../../workers/given-workers';

afterEach(() => {
  vi.useRealTimers();
});

const values = { kind: 'values', x: new Float64Array(3) } as const;

test.each([
  ['fit', (insight: PageInsight, signal?: AbortSignal) => insight.fit(values, 'gaus', {}, { signal })],
  [
    'fitValues',
    (insight: PageInsight, signal?: AbortSignal) =>
      insight.fitValues(1, { tree: 't', expr: 'x' }, 'gaus', {}, { signal }),
  ],
] as const)(
  'a %s that is cancelled ends its worker at once, and another one is made again in the next worker',
  async (name, fit) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const insights = [workerOf(undefined), workerOf({ [name]: async () => 'fitted' })];
    const reader = readerWith(insights);
    const insight = reader.insight as PageInsight;
    const stop = new AbortController();
    const first = fit(insight, stop.signal);
    await vi.waitFor(() => expect(insights).toHaveLength(1));
    await new Promise(setImmediate);
    const waits = fit(insight);
    stop.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    await vi.advanceTimersByTimeAsync(100);
    expect(await waits).toBe('fitted');
    reader.terminate();
  },
);
