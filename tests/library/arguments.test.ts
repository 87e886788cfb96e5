import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRoot, type RootHandle, type TreeHandle, XylemError } from '../../web/node';

let file: RootHandle;
let events: TreeHandle;

beforeAll(async () => {
  file = await openRoot('public/sample.root', { workers: 0 });
  events = await file.tree('Events');
});
afterAll(() => file.close());

async function failureOf(options: { chunkBytes?: number; signal?: AbortSignal }): Promise<XylemError> {
  try {
    for await (const chunk of events.chunks('MET_pt', options))
      expect(chunk.MET_pt.length).toBeGreaterThan(0);
  } catch (thrown) {
    if (thrown instanceof XylemError) return thrown;
    throw thrown;
  }
  throw new Error('all chunks were read');
}

test.each([0, -1, 0.5, Number.NaN])('chunks of %d bytes are refused', async (chunkBytes) => {
  expect(await failureOf({ chunkBytes })).toMatchObject({
    code: 'ARGUMENT',
    message: expect.stringContaining('chunkBytes'),
  });
});

test('an abort keeps its reason', async () => {
  const reason = new DOMException('The time is over.', 'TimeoutError');
  const failure = await failureOf({ signal: AbortSignal.abort(reason) });
  expect(failure.code).toBe('ABORTED');
  expect(failure.cause).toBe(reason);
});

test.each([
  ['chunks', (signal: AbortSignal) => events.chunks('MET_pt', { chunkBytes: 2000, signal })],
  [
    'chunks of an expression',
    (signal: AbortSignal) => events.chunks(['MET_pt*2', 'MET_pt'], { chunkBytes: 2000, signal }),
  ],
  ['scan', (signal: AbortSignal) => events.scan('MET_pt', { signal })],
])('%s end with an abort, also where more was read already', async (_, rowsOf) => {
  const stop = new AbortController();
  let taken = 0;
  const reading = (async () => {
    for await (const row of rowsOf(stop.signal)) {
      taken += row === undefined ? 0 : 1;
      stop.abort('enough');
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  expect(taken).toBe(1);
});
