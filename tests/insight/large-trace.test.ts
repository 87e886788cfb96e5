import { expect, test } from 'vitest';
import type { PerfRead } from '../../web/insight/reads/reading';
import { linkOf } from '../../web/insight/reads/use';

test('the link of a trace with more reads than a call takes arguments', () => {
  const reads = Array.from({ length: 300_000 }, (_, i) => ({
    ...{ entry: 0, offset: 0, length: 1000, branches: [] },
    ...{ queued: i, started: i, answered: i + 0.25, done: i + 0.5 },
  })) as unknown as PerfRead[];
  const link = linkOf({ reads } as Parameters<typeof linkOf>[0]);
  expect(link?.latencyMs).toBe(250);
  expect(link?.bytesPerMs).toBeCloseTo(2, 2);
});
