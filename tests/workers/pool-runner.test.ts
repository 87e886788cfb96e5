import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Core } from '../../web/core/core';
import type { DecodeResult, DecodeTask } from '../../web/decode/decode-task';
import { poolRunner } from '../../workers/decode-handler';
import type { Pool } from '../../workers/pool';

const wasm = readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm'));

const nothing = (): DecodeTask => ({
  goal: { kind: 'summary' },
  input: new Uint8Array(0),
  plans: new Uint8Array(0),
  parts: new Int32Array(0),
  units: new Float64Array(0),
});

test('a worker that has started gets tasks although this thread is busy with some of them', async () => {
  const core = await Core.create(await WebAssembly.compile(wasm));
  const worker = new Worker("require('node:worker_threads').parentPort.postMessage('ready')", { eval: true });
  let ready = 0;
  let given = 0;
  worker.on('message', () => {
    ready = 1;
  });
  const pool: Pool<DecodeTask, DecodeResult> = {
    size: 2,
    workers: 1,
    get ready() {
      return ready;
    },
    warm: () => {},
    run: async () => {
      given += 1;
      return { rows: new Float64Array(0), opened: 0, failures: [], decoded: [0, 0] };
    },
    terminate: () => {},
  };
  let here = 0;
  const busy = async (): Promise<Core> => {
    here += 1;
    const until = performance.now() + 5;
    while (performance.now() < until);
    return core;
  };
  const runner = poolRunner(pool, busy);
  const runNext = async (): Promise<void> => {
    while (given === 0 && here < 2000) await runner.run(nothing(), undefined);
  };
  await Promise.all([runNext(), runNext(), runNext(), runNext()]);
  expect(given).toBeGreaterThan(0);
  expect(here).toBeLessThan(2000);
  await worker.terminate();
});
