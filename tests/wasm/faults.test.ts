import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { Core } from '../../web/core/core';
import { CoreFile } from '../../web/core/file-core';
import { createDecodeHandler } from '../../workers/decode-handler';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';
import { trappingCore } from './trapping';

const engineOf = (module: WebAssembly.Module): Promise<EngineApi> => makeEngine((source) => source, module);

async function failure(of: Promise<unknown>): Promise<XylemError> {
  const thrown: unknown = await of.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(XylemError);
  return thrown as XylemError;
}

test('a core that stopped at a fault is never called again; the next one is another instance', async () => {
  const core = await Core.create(await trappingCore('xy_types'));
  const file = new CoreFile(core, 64000);
  const { generation } = core;
  expect(() => file.types()).toThrow(/stopped at a fault of its own: unreachable/);
  expect(core.memoryBytes).toBe(0);
  expect(file.alive).toBe(false);
  expect(() => file.types()).toThrow(/while another call used it/);
  expect(() => core.exports).toThrow(XylemError);
  file.close();
  await core.ready();
  expect(core.generation).toBe(generation + 1);
  // Handles of the other instance are not valid in this one.
  expect(() => file.types()).toThrow(/while another call used it/);
  file.close();
  expect(new CoreFile(core, 64000).alive).toBe(true);
});

test('after a fault in one file, that file and others open themselves again', async () => {
  const reader = await engineOf(await trappingCore('xy_types'));
  const good = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
  const other = await reader.open(bufferSpec('histograms', fixtureBytes('histograms')));
  const request = { tree: 't', branches: [0, 1] };
  const before = await reader.arrays(good.id, request);
  const object =
    (await reader.keys(other.id)).find(({ className }) => className.startsWith('TH1'))?.path ?? '';
  const histogram = await reader.object(other.id, object);
  for (let i = 0; i < 3; i++) {
    expect(await failure(reader.types(other.id))).toMatchObject({ code: 'INTERNAL' });
    expect(await reader.arrays(good.id, request)).toEqual(before);
    expect(await reader.object(other.id, object)).toEqual(histogram);
    expect((await reader.tree(good.id, 't')).branches.length).toBeGreaterThan(2);
    await reader.open(bufferSpec('vectors', fixtureBytes('vectors')));
  }
});

test('calls that run while another call meets a fault are repeated', async () => {
  const reader = await engineOf(await trappingCore('xy_types'));
  const slow = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
  const bad = await reader.open(bufferSpec('histograms', fixtureBytes('histograms')));
  const request = { tree: 't', branches: [0, 1] };
  const before = await reader.arrays(slow.id, request);
  for (let i = 0; i < 20; i++) {
    const reads = Array.from({ length: 4 }, () => reader.arrays(slow.id, request));
    const faults = Array.from({ length: 3 }, () => failure(reader.types(bad.id)));
    for (const read of await Promise.all(reads)) expect(read).toEqual(before);
    for (const fault of await Promise.all(faults)) expect(['INTERNAL', 'CORE_LOST']).toContain(fault.code);
  }
});

test('decoding that meets a fault takes no open file with it', async () => {
  const reader = await engineOf(await trappingCore('xy_sketch_create'));
  const { id } = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
  for (let i = 0; i < 2; i++) {
    const summaries = await reader
      .summarize(id, { tree: 't', branches: [0], details: true })
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify(summaries)).toMatch(/INTERNAL|fault/);
    const [column] = await reader.arrays(id, { tree: 't', branches: [0] });
    expect(column?.error).toBeUndefined();
  }
});

test('a decode worker that met a fault does its next task with a new instance', async () => {
  const module = await trappingCore('xy_sketch_create');
  const handler = createDecodeHandler();
  await handler.init({ module });
  const task = {
    input: new Uint8Array(0),
    plans: new Uint8Array(0),
    parts: new Int32Array(0),
    units: new Float64Array(0),
  };
  const damaged = {
    ...task,
    goals: [{ kind: 'rows', outputs: [], program: { bytes: new Uint8Array(3), columns: [] } }],
    together: { entries: new Float64Array(0), rows: [], tapes: [] },
  };
  const options = { signal: new AbortController().signal };
  await expect(handler.run(damaged as never, options)).rejects.toMatchObject({ code: 'ARGUMENT' });
  const done = await handler.run({ ...task, goals: [{ kind: 'summary' }] }, options);
  expect(done).toMatchObject({ failures: [] });
});

test('memory that a giant took is given back, and what was open is read again', async () => {
  const module = await WebAssembly.compile(
    readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')),
  );
  const created = vi.spyOn(Core, 'create');
  const reader = await engineOf(module);
  // The first is that of the files; the other decodes.
  const core = (await created.mock.results[0]?.value) as Core;
  created.mockRestore();
  const good = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
  const request = { tree: 't', branches: [0, 1] };
  const before = await reader.arrays(good.id, request);
  const giant = await reader.open(bufferSpec('nulls', fixtureBytes('hostile/nulls')));
  await reader.object(giant.id, 'b').catch(() => {});
  expect(core.memoryBytes).toBeLessThan(192 * 1024 * 1024);
  expect(await reader.arrays(good.id, request)).toEqual(before);
}, 60_000);
