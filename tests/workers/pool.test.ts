import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { delay, settle } from '../../web/base/abort';
import { XylemError } from '../../web/base/errors';
import { nodeEndpoint, nodeWorker, type WorkerLike } from '../../workers/endpoint';
import { createPool, defaultPoolSize, type Pool, serveTasks } from '../../workers/pool';
import { transferable } from '../../workers/protocol';

interface Task {
  value: number;
  ms?: number;
  stubborn?: boolean;
  bytes?: Uint8Array;
}

let pool: Pool<Task, Uint8Array>;
let spawned = 0;
let running = 0;
let mostRunning = 0;
const inits: string[] = [];
afterEach(() => pool.terminate());

/** A worker in this thread: what it does is real, but for the thread. */
function spawnHere(): WorkerLike {
  spawned++;
  const { port1, port2 } = new MessageChannel();
  serveTasks<string, Task, Uint8Array>(nodeEndpoint(port2), {
    init: async (init) => {
      await delay(5);
      inits.push(init);
      if (init === 'fail') throw new XylemError({ code: 'UNSUPPORTED', message: 'no wasm' });
    },
    run: async ({ value, ms = 0, stubborn }, { signal }) => {
      mostRunning = Math.max(mostRunning, ++running);
      await delay(ms, stubborn ? undefined : signal).finally(() => running--);
      if (value < 0) throw new XylemError({ code: 'COMPRESSION', message: 'bad block' });
      return transferable(Uint8Array.of(value));
    },
  });
  return { ...nodeEndpoint(port1), terminate: () => port1.close() };
}

function start(size: number, init = 'module', patienceMs = 50) {
  spawned = 0;
  mostRunning = 0;
  inits.length = 0;
  pool = createPool<string, Task, Uint8Array>({ spawn: spawnHere, init, size, patienceMs });
  return pool;
}

describe('in this thread', () => {
  test('tasks are done by as many workers as needed, each started once and busy with one', async () => {
    start(3);
    expect(pool.workers).toBe(0);
    expect([...(await pool.run({ value: 1 }))]).toEqual([1]);
    expect(spawned).toBe(1);
    const results = await Promise.all([...Array(9).keys()].map((value) => pool.run({ value, ms: 2 })));
    expect(results.map((bytes) => bytes[0])).toEqual([...Array(9).keys()]);
    expect([spawned, mostRunning, inits.length]).toEqual([3, 3, 3]);
  });

  test('workers can be started before there is a task', async () => {
    start(2);
    await pool.warm();
    expect([pool.workers, spawned]).toEqual([2, 2]);
    expect(pool.ready).toBeGreaterThan(0);
    start(2, 'fail');
    await pool.warm();
    expect(pool.ready).toBe(0);
    await expect(pool.run({ value: 1 })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  test('buffers of the transfer list are moved', async () => {
    start(1);
    const bytes = new Uint8Array(16);
    await pool.run({ value: 1, bytes }, [bytes.buffer]);
    expect(bytes.length).toBe(0);
  });

  test('an error of a task is that of its caller only', async () => {
    start(1);
    await expect(pool.run({ value: -1 })).rejects.toMatchObject({ code: 'COMPRESSION' });
    await pool.run({ value: 1 });
    expect(spawned).toBe(1);
  });

  test('an abort rejects at once, queued or running, and the worker goes on', async () => {
    start(1);
    await pool.run({ value: 0 });
    const controller = new AbortController();
    const tasks = [1, 2].map((value) => pool.run({ value, ms: 60_000 }, [], controller.signal));
    const last = pool.run({ value: 3 });
    controller.abort();
    for (const task of tasks) await expect(task).rejects.toMatchObject({ code: 'ABORTED' });
    expect([...(await last)]).toEqual([3]);
    expect([spawned, mostRunning]).toEqual([1, 1]);
  });

  test('an abort while the worker starts rejects at once', async () => {
    start(1);
    const controller = new AbortController();
    const task = pool.run({ value: 1 }, [], controller.signal);
    controller.abort();
    await expect(task).rejects.toMatchObject({ code: 'ABORTED' });
    expect(inits).toEqual([]);
    expect([...(await pool.run({ value: 2 }))]).toEqual([2]);
  });

  test('a worker that does not leave an aborted task is replaced', async () => {
    start(1);
    const controller = new AbortController();
    const stuck = pool.run({ value: 1, ms: 500, stubborn: true }, [], controller.signal);
    await expect.poll(() => running, { interval: 2 }).toBe(1);
    controller.abort();
    await expect(stuck).rejects.toMatchObject({ code: 'ABORTED' });
    expect([...(await pool.run({ value: 2 }))]).toEqual([2]);
    expect(spawned).toBe(2);
    await expect.poll(() => running).toBe(0);
  });

  test('workers that cannot be started reject their tasks, one try each', async () => {
    start(2, 'fail');
    const outcomes = await Promise.all([1, 2, 3].map((value) => settle(pool.run({ value }))));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED' } });
    expect([spawned, pool.workers]).toEqual([3, 0]);
  });

  test('terminate rejects all', async () => {
    start(1);
    const tasks = [1, 2].map((value) => pool.run({ value, ms: 60_000 }));
    pool.terminate();
    for (const task of tasks) await expect(task).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(pool.run({ value: 1 })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(pool.workers).toBe(0);
    running = 0;
  });
});

// Speaks the protocol by hand: a worker thread of Node does not load TypeScript.
const crashing = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ xylem, id, method, args }) => {
    if (xylem !== 'call') return;
    if (method === 'run' && args[0].value === 13) process.exit(7);
    parentPort.postMessage({ xylem: 'result', id, value: method === 'run' ? Uint8Array.of(args[0].value) : null });
  });`;

test('a thread that crashes takes its task with it, and the pool lives on', async () => {
  let threads = 0;
  pool = createPool<string, Task, Uint8Array>({
    spawn: () => {
      threads++;
      return nodeWorker(new Worker(crashing, { eval: true }));
    },
    init: '',
    size: 1,
  });
  const values = [1, 13, 2].map((value) => settle(pool.run({ value })));
  const [first, second, third] = await Promise.all(values);
  expect(first).toEqual({ ok: true, value: Uint8Array.of(1) });
  expect(second).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  expect(third).toEqual({ ok: true, value: Uint8Array.of(2) });
  expect(threads).toBe(2);
});

test('the default size is 2 to 8', () => {
  start(1);
  expect([1, 4, 64].map((cores) => defaultPoolSize(cores))).toEqual([2, 4, 8]);
});
