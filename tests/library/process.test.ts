import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openReader, openRoot } from '../../web/node';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-'));
const module = join(folder, 'pt.mjs');
const sample = resolve(import.meta.dirname, '../../public/sample.root');
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
