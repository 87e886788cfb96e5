import { expect, test } from 'vitest';
import { createInsight } from '../../../web/insight/api';
import { runInPage } from '../../../web/verbs/run-in-page';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';

test('the cost of a range of entries, read and copied', async () => {
  const reader = await makeEngine();
  const { cost } = createInsight(reader, async () => runInPage);
  const { id } = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const { offset, storedBytes, firstEntry, trueStart, basketStart, tree } = await reader.layout(id, 't');
  const branch = tree.branches.findIndex(({ index }) => basketStart[index] !== basketStart[index + 1]);
  const to = trueStart[2] ?? 0;
  const wanted = [...storedBytes].reduce((sum, bytes, i) => {
    const isOwn = i >= (basketStart[branch] ?? 0) && i < (basketStart[branch + 1] ?? 0);
    return sum + (isOwn && (offset[i] ?? 0) > 0 && (firstEntry[i] ?? 0) < to ? bytes : 0);
  }, 0);
  const ends: [number, number] = [0, to];
  // The file is so small that it was read whole when it was opened; copies read from the source again.
  expect(await cost(id, 't', [branch], { entries: ends })).toMatchObject({ bytes: 0, known: wanted });
  const copied = await cost(id, 't', [branch], { entries: ends, copied: true });
  expect(copied.known).toBe(0);
  expect(copied.bytes).toBeGreaterThanOrEqual(wanted);
  const all = await cost(id, 't', [branch], { copied: true });
  expect(all.bytes).toBeGreaterThan(copied.bytes);
});
