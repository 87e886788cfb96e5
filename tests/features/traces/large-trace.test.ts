import { expect, test } from 'vitest';
import type { PerfRead } from '../../../web/api/reading';
import { linkOf } from '../../../web/features/traces/work/use';

test('the link of a trace with more reads than a call takes arguments', () => {
  const read = { length: 1000, queued: 0, started: 0, answered: 0.25, done: 0.5 } as unknown as PerfRead;
  // As many as a trace may have.
  const reads = new Array<PerfRead>(1_500_000).fill(read);
  const link = linkOf({ reads } as Parameters<typeof linkOf>[0]);
  expect(link?.latencyMs).toBe(250);
});
