import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { delay } from '../../web/base/abort';
import { XylemError } from '../../web/base/errors';
import { nodeEndpoint, nodeWorker, webEndpoint } from '../../workers/endpoint';
import { transferable } from '../../workers/protocol';
import { expose, wrap } from '../../workers/rpc';

interface Options {
  signal?: AbortSignal | undefined;
  onProgress?: ((value: number) => void) | undefined;
  label?: string;
}

const kept = new Float64Array([1, 2, 3]);
let serverAborted = false;
const api = {
  add: async (a: number, b: number) => a + b,
  count: async (to: number, options: Options = {}) => {
    for (let at = 1; at <= to; at++) options.onProgress?.(at);
    return options.label ?? 'no label';
  },
  wait: async (options: Options = {}) => {
    await delay(60_000, options.signal).finally(() => {
      serverAborted = options.signal?.aborted ?? false;
    });
  },
  fail: async (): Promise<void> => {
    throw new XylemError({
      code: 'CORRUPT',
      message: 'bad',
      where: { offset: 7 },
      fix: 'repair',
      cause: new Error('c'),
    });
  },
  moved: async () => transferable({ list: [{ data: new Float64Array([4, 5]) }], more: new Uint8Array(8) }),
  copied: async () => kept,
  odd: async () => () => 1,
  take: async (_bytes: Uint8Array) => {},
};

let close = () => {};
afterEach(() => close());

function start(adapt: typeof nodeEndpoint | typeof webEndpoint = nodeEndpoint) {
  const { port1, port2 } = new MessageChannel();
  const exposed = expose(adapt(port2 as never), api);
  const client = wrap<typeof api>(adapt(port1 as never));
  close = () => {
    exposed.close();
    client.close();
    port1.close();
  };
  return { ...client, port1, port2 };
}

test.each([
  ['Node port', nodeEndpoint],
  ['web port', webEndpoint],
])('calls, progress and the rest of the options cross a %s', async (_name, adapt) => {
  const { api: remote } = start(adapt);
  expect(await Promise.all([remote.add(1, 2), remote.add(3, 4)])).toEqual([3, 7]);
  const seen: number[] = [];
  expect(await remote.count(3, { onProgress: (at) => seen.push(at), label: 'x' })).toBe('x');
  expect(seen).toEqual([1, 2, 3]);
  expect(await remote.count(3)).toBe('no label');
});

test('an abort rejects at once and reaches the other side', async () => {
  const { api: remote } = start();
  const controller = new AbortController();
  const waiting = remote.wait({ signal: controller.signal });
  await remote.add(0, 0);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  await expect.poll(() => serverAborted).toBe(true);
  await expect(remote.wait({ signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
});

test('errors come out whole', async () => {
  const { api: remote } = start();
  const error = await remote.fail().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(XylemError);
  const record = { code: 'CORRUPT', message: 'bad', where: { offset: 7 }, fix: 'repair', cause: 'c' };
  expect((error as XylemError).toRecord()).toEqual(record);
  await expect(remote.odd()).rejects.toMatchObject({ code: 'INTERNAL' });
  const unknown = (remote as unknown as Record<string, () => Promise<void>>).toString;
  await expect(unknown?.()).rejects.toMatchObject({ code: 'CORRUPT' });
  const callback = remote.take((() => 1) as never);
  await expect(callback).rejects.toMatchObject({
    code: 'ARGUMENT',
    message: expect.stringContaining('take()'),
  });
});

test('only flagged buffers are moved', async () => {
  const { api: remote } = start();
  const result = await remote.moved();
  expect([...(result.list[0]?.data ?? [])]).toEqual([4, 5]);
  expect(await remote.copied()).toEqual(kept);
  expect(kept.length).toBe(3);
  const given = transferable(new Uint8Array(8));
  await remote.take(given);
  expect(given.length).toBe(0);
});

test('closing rejects what is pending and what comes later', async () => {
  const { api: remote, close: closeClient } = start();
  const waiting = remote.wait();
  closeClient();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(remote.add(1, 2)).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a worker that dies rejects all pending calls', async () => {
  const worker = new Worker(
    "require('node:worker_threads').parentPort.once('message', () => process.exit(3))",
    {
      eval: true,
    },
  );
  const { api: remote } = wrap<typeof api>(nodeWorker(worker));
  const pending = [remote.add(1, 2), remote.add(3, 4)];
  for (const call of pending) {
    await expect(call).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('exit code 3'),
    });
  }
  await expect(remote.add(1, 2)).rejects.toMatchObject({ code: 'INTERNAL' });
});

test('a worker that throws while it starts rejects with what it threw', async () => {
  const worker = new Worker("throw new Error('no wasm here')", { eval: true });
  const { api: remote } = wrap<typeof api>(nodeWorker(worker));
  await expect(remote.add(1, 2)).rejects.toMatchObject({ message: expect.stringContaining('no wasm here') });
});

test('the members of bytes, which are millions, are not listed', () => {
  let listed = false;
  const bytes = new Proxy(new Uint8Array(4), {
    ownKeys: (target) => {
      listed = true;
      return Reflect.ownKeys(target);
    },
  });
  const sent: unknown[] = [];
  const endpoint = {
    post: (message: unknown) => sent.push(message),
    onMessage: () => () => {},
    onFailure: () => () => {},
  };
  const client = wrap<typeof api>(endpoint as never);
  void client.api.take(bytes);
  expect(sent).toHaveLength(1);
  expect(listed).toBe(false);
});
