import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
