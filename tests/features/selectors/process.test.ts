import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { Core } from '../../../web/core/core';
import { ADDRESSES } from '../../../web/core/modules/addresses';
import { createEngine } from '../../../web/engine/engine';
import { openNodeFile } from '../../../web/io/node-file-source';
import { openReader, openRoot } from '../../../web/node';
import { runTask } from '../../../web/pass/task';
import type { TaskRunner } from '../../../web/pass/types';
import { userCodeOf } from '../../../workers/decode-handler';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-'));
const module = join(folder, 'pt.mjs');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a selector fills histograms whose bins iterate, of chosen entries', async () => {
  writeFileSync(
    module,
    `export default {
      branches: { pt: 'Muon_pt' },
      begin: (job) => ({ pt: job.hist([10, 0, Number(job.set.high)]), rows: job.table({ pt: 'number' }) }),
      process({ pt }, out) {
        out.pt.fill(pt.values);
        out.rows.row({ pt: pt.of(0)[0] ?? -1 });
      },
    };`,
  );
  const reader = await openReader({ workers: 0 });
  try {
    const file = await openRoot(sample, { reader });
    const tree = await file.tree('Events');
    const entries: [number, number] = [100, 900];
    const progress: number[] = [];
    const { results, ...counts } = await tree.process(pathToFileURL(module), {
      ...{ entries, set: { high: '50' } },
      onProgress: ({ entriesDone }) => progress.push(entriesDone),
    });
    const drawn = await tree.draw('Muon_pt', { bins: 10, range: [0, 50], entries });
    if (drawn.kind !== 'histogram') throw new Error('not a histogram');
    expect([...(results.pt ?? [])].map(({ count }) => count)).toEqual([...drawn].map(({ count }) => count));
    expect(counts).toEqual({ entries: 800, passed: 800, partial: undefined });
    expect(progress.length).toBeGreaterThan(0);
    const typed = await tree.process<{ rows: { pt: Float64Array } }>(pathToFileURL(module), {
      ...{ entries, set: { high: '50' } },
    });
    expect(typed.results.rows.pt).toBeInstanceOf(Float64Array);
    await expect(tree.process(module, { limit: 3 } as never)).rejects.toMatchObject({ code: 'ARGUMENT' });
    await expect(tree.process('./pt.mjs')).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: '"./pt.mjs" is not the address of a selector.',
    });
    const stop = AbortSignal.abort();
    await expect(
      tree.process(pathToFileURL(module), { set: { high: '50' }, signal: stop }),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
  } finally {
    reader.terminate();
  }
});

test('a chain keeps what the other files made where the code throws in one, and names it', async () => {
  const at = (name: string): string => join(folder, name);
  const names = ['a.root', 'b.root', 'c.root'];
  for (const name of names) copyFileSync(sample, at(name));
  const path = at('throws.mjs');
  writeFileSync(
    path,
    `let bad;
    export default {
      branches: { pt: 'Muon_pt' },
      begin(job) {
        bad = job.set.bad.split(',');
        return { pt: job.hist([10, 0, 50]) };
      },
      process({ pt }, out, { file }) {
        if (bad.some((name) => file.endsWith(name))) throw new Error('not today');
        out.pt.fill(pt.values);
      },
    };`,
  );
  const reader = await openReader({ workers: 0 });
  try {
    const one = await (await openRoot(sample, { reader })).tree('Events');
    const alone = await one.process(pathToFileURL(path), { set: { bad: 'none' } });
    const chain = await (await openRoot(names.map(at), { reader })).tree('Events');
    for (const bad of names) {
      const { results, ...rest } = await chain.process(pathToFileURL(path), { set: { bad } });
      expect(rest).toMatchObject({ entries: 4800, passed: 4800, partial: { failed: 1 } });
      expect(rest.partial?.errors[0]?.message).toContain('not today');
      expect(rest.partial?.errors[0]?.message).toContain(bad);
      expect(Array.from(results.pt?.sums ?? [])).toEqual(
        Array.from(alone.results.pt?.sums ?? [], (sum) => 2 * sum),
      );
    }
    await expect(chain.process(pathToFileURL(path), { set: { bad: names.join() } })).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: expect.stringContaining('not today'),
    });
  } finally {
    reader.terminate();
  }
});

test('tasks of the next file are ready before those of one file are done; code that ends its worker fails one file', async () => {
  const at = (name: string): string => join(folder, name);
  const names = ['1.root', '2.root', '3.root'];
  for (const name of names) copyFileSync(sample, at(name));
  writeFileSync(
    at('ends.mjs'),
    `let bad;
    export default {
      branches: { n: 'nMuon' },
      begin(job) {
        bad = job.set.bad;
        return { n: job.counter(), by: job.labels() };
      },
      process({ n }, out, { file }) {
        for (; file.endsWith(bad); );
        out.n.add(n.length);
        out.by.add(file.slice(-6), n.length);
      },
    };`,
  );
  const module = pathToFileURL(at('ends.mjs'));
  const compiled = await WebAssembly.compile(readFileSync(ADDRESSES.core()));
  const core = await Core.create(compiled);
  const running = new Set<string>();
  let together = 0;
  const unused = (): never => {
    throw new Error('This test encodes nothing.');
  };
  const runner: TaskRunner = {
    ...{ concurrency: 1, readsFiles: false, encode: unused, makeBaskets: unused },
    async run(task) {
      const file = userCodeOf(task)?.file ?? '';
      running.add(file);
      together = Math.max(together, running.size);
      await new Promise((done) => setTimeout(done, 300));
      const result = await runTask(core, task);
      running.delete(file);
      return result;
    },
  };
  const engine = await createEngine({
    ...{
      module: compiled,
      openSource: (spec) => openNodeFile(spec.kind === 'path' ? spec.path : ''),
      runner,
    },
    selectors: async () => (await import('../../../web/features/selectors/work/process')).processTree,
  });
  const files = names.map((name) => ({ source: { kind: 'path' as const, path: at(name) } }));
  const { id } = await engine.open({ kind: 'chain', files });
  const made = await engine.process(id, { tree: 'Events', module: module.href, set: { bad: '-' } });
  expect([made.entries, together]).toEqual([7200, 2]);
  await engine.close(id);

  const worker = resolve(import.meta.dirname, '../../../dist/node-decode.worker.js');
  const reader = await openReader({ workers: 2, worker });
  try {
    const tree = await (await openRoot(names.map(at), { reader })).tree('Events');
    for (const bad of names) {
      const { results, partial } = await tree.process<{ by: object; n: number }>(module, {
        ...{ set: { bad }, limitMs: 700 },
      });
      expect(results).toEqual({
        n: 4800,
        by: Object.fromEntries(names.filter((name) => name !== bad).map((name) => [name, 2400])),
      });
      expect(partial).toMatchObject({ failed: 1, errors: [{ code: 'TIMEOUT' }] });
    }
  } finally {
    reader.terminate();
  }
});

/** A selector that adds what one expression gives, which have to be plain numbers. */
function sumOf(expression: string): URL {
  const path = join(folder, `sum-${expression}.mjs`);
  const branches = JSON.stringify({ x: expression });
  writeFileSync(
    path,
    `export default {
      branches: ${branches},
      begin: (job) => ({ sum: job.counter() }),
      entry: ({ x }, { sum }) => (x.length ? x : [x]).forEach((one) => sum.add(one + 0)),
    };`,
  );
  return pathToFileURL(path);
}

test('bytes that are read again because they are damaged count in the total of the progress', async () => {
  const path = join(folder, 'damaged.root');
  const bytes = readFileSync(sample);
  writeFileSync(path, bytes.fill(0xa5, bytes.length >> 2, bytes.length >> 1));
  // Progress is told each tenth of a second: here each time.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  const reader = await openReader({ workers: 0 });
  try {
    const tree = await (await openRoot(path, { reader })).tree('Events');
    const progress: [number, number][] = [];
    const { partial } = await tree.process(sumOf('Muon_pt'), {
      onProgress: ({ bytesDone, bytesTotal }) => progress.push([bytesDone, bytesTotal]),
    });
    expect(partial?.failed).toBeGreaterThan(0);
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.filter(([done, total]) => done > total)).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    reader.terminate();
  }
});

test('a selector gets the lengths of collections of an RNTuple as numbers', async () => {
  const fixture = resolve(import.meta.dirname, '../../fixtures/files/ntuple_fields.root');
  const reader = await openReader({ workers: 0 });
  try {
    const tree = await (await openRoot(fixture, { reader })).tree('n');
    const { results } = await tree.process<{ sum: number }>(sumOf('n_points'));
    // Each entry i of 60 has i % 5.
    expect(results.sum).toBe(120);
  } finally {
    reader.terminate();
  }
});

test('of many files each that failed is named, by its damaged baskets, too', async () => {
  const bytes = readFileSync(sample);
  const names = Array.from({ length: 25 }, (_, i) => join(folder, `many${i}.root`));
  for (const [i, path] of names.entries()) {
    const one = Uint8Array.from(bytes);
    if (i > 0) one.fill(0xa5, bytes.length >> 2, bytes.length >> 1);
    writeFileSync(path, one);
  }
  const reader = await openReader({ workers: 0 });
  try {
    const tree = await (await openRoot(names, { reader })).tree('Events');
    const { partial } = await tree.process(sumOf('Muon_pt'));
    expect(partial?.failed).toBeGreaterThan(24);
    const named = partial?.errors.map(({ where }) => where?.url);
    expect([...new Set(named)].sort()).toEqual(names.slice(1).sort());
  } finally {
    reader.terminate();
  }
});
