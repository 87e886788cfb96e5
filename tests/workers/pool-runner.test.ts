import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { delay } from '../../web/base/abort';
import { packFiles } from '../../web/cache/node-packs';
import { Core } from '../../web/core/core';
import { directFiles } from '../../web/io/node-direct-file';
import type { Task, TaskResult } from '../../web/pass/task';
import { poolRunner } from '../../workers/decode-handler';
import type { Pool } from '../../workers/pool';

const wasm = readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm'));

const nothing = (): Task => ({
  goals: [{ kind: 'summary' }],
  input: new Uint8Array(0),
  plans: new Uint8Array(0),
  parts: new Int32Array(0),
  units: new Float64Array(0),
});

/** A pool with one worker, which is being started by `warm` and is ready when `ready` says so. */
function poolOf(ready: () => boolean, warm: () => Promise<void>) {
  const pool: Pool<Task, TaskResult> & { given: number } = {
    given: 0,
    size: 2,
    workers: 1,
    get ready() {
      return ready() ? 1 : 0;
    },
    warm,
    run: async () => {
      pool.given += 1;
      const none = new Float64Array(0);
      return {
        rows: none,
        numbers: none,
        extras: [],
        opened: 0,
        failures: [],
        phases: none,
        decoded: [0, 0],
      };
    },
    terminate: () => {},
  };
  return pool;
}

test('a worker that has started gets tasks although this thread, which reads files, is busy with some', async () => {
  const core = await Core.create(await WebAssembly.compile(wasm));
  const worker = new Worker("require('node:worker_threads').parentPort.postMessage('ready')", { eval: true });
  let ready = false;
  worker.on('message', () => {
    ready = true;
  });
  const pool = poolOf(
    () => ready,
    async () => {},
  );
  let here = 0;
  const busy = async (): Promise<Core> => {
    here += 1;
    const until = performance.now() + 5;
    while (performance.now() < until);
    return core;
  };
  const runner = poolRunner(pool, busy, { files: directFiles(packFiles) });
  const runNext = async (): Promise<void> => {
    while (pool.given === 0 && here < 2000) await runner.run(nothing(), undefined);
  };
  await Promise.all([runNext(), runNext(), runNext(), runNext()]);
  expect(pool.given).toBeGreaterThan(0);
  expect(here).toBeLessThan(2000);
  await worker.terminate();
});

test('in a page tasks wait for the first worker, and are done without it when it cannot start', async () => {
  const core = await Core.create(await WebAssembly.compile(wasm));
  for (const starts of [true, false]) {
    let ready = false;
    const pool = poolOf(
      () => ready,
      async () => {
        await delay(20);
        ready = starts;
      },
    );
    let here = 0;
    const runner = poolRunner(pool, async () => {
      here += 1;
      return core;
    });
    await Promise.all([1, 2, 3].map(() => runner.run(nothing(), undefined)));
    expect([pool.given, here]).toEqual(starts ? [3, 0] : [0, 3]);
  }
});
