import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DrawResult } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { fixtureFolder, goldenNames, makeEngine, readGolden } from '../engine/fixtures';
import { openReader } from '../engine-reader';

// Who evaluates a query of a local file reads it there itself; of a buffer the bytes are handed over.

let engine: EngineApi;
let local: Awaited<ReturnType<typeof openReader>>;
const folder = mkdtempSync(join(tmpdir(), 'xylem-local-'));
beforeAll(async () => {
  engine = await makeEngine();
  local = await openReader({ workers: 1 });
});
afterAll(() => {
  local.terminate();
  rmSync(folder, { recursive: true });
});

const outcome = (reader: EngineApi, id: number, tree: string, expr: string): Promise<DrawResult | string> =>
  reader.draw(id, { tree, expr }).catch((thrown: Error) => thrown.message);

test.each(goldenNames())('%s: a local file gives what its bytes give', async (name) => {
  const { trees } = readGolden(name);
  const path = resolve(fixtureFolder, `${name}.root`);
  const here = (await engine.open({ kind: 'path', path })).id;
  const there = (await local.open({ kind: 'path', path })).id;
  for (const [tree, { branches }] of Object.entries(trees)) {
    for (const branch of Object.keys(branches).slice(0, 12)) {
      const [a, b] = [await outcome(engine, here, tree, branch), await outcome(local, there, tree, branch)];
      expect(b, `${tree}/${branch}`).toEqual(a);
    }
  }
  await engine.close(here);
  await local.close(there);
});

test('a basket whose size the file has not got takes no memory, and costs only its own entries', async () => {
  const bytes = readFileSync(resolve(fixtureFolder, 'codec_none.root'));
  // The sizes of the baskets of `regular`, as its branch lists them.
  const sizes = Buffer.alloc(8);
  sizes.writeInt32BE(1199, 0);
  sizes.writeInt32BE(143, 4);
  const at = bytes.indexOf(sizes);
  expect(at).toBeGreaterThan(0);
  bytes.writeInt32BE(0x7fffff00, at);
  const path = join(folder, 'lying.root');
  writeFileSync(path, bytes);
  const buffer = Uint8Array.from(bytes).buffer;
  for (const [reader, source] of [
    [engine, { kind: 'buffer', buffer, name: 'lying.root' }],
    [local, { kind: 'path', path }],
  ] as const) {
    const { id } = await reader.open(source);
    const { entries } = await reader.tree(id, 't');
    const drawn = await reader.draw(id, { tree: 't', expr: 'regular+n' });
    expect(drawn.partial).toMatchObject({ failed: 1, errors: [{ code: 'TRUNCATED' }] });
    expect(drawn.kind === 'histogram' && drawn.fills).toBeLessThan(entries);
    await reader.close(id);
  }
});

test('a file that is cut off while it is open gives what it held, or FILE_CHANGED', async () => {
  const path = join(folder, 'sample.root');
  copyFileSync(resolve(import.meta.dirname, '../../public/sample.root'), path);
  const right = (await engine.open({ kind: 'path', path })).id;
  const { id } = await local.open({ kind: 'path', path });
  await local.tree(id, 'Events');
  truncateSync(path, 70_000);
  const told = await local
    .draw(id, { tree: 'Events', expr: 'Muon_pt' })
    .catch(({ code }: { code: string }) => code);
  if (told !== 'FILE_CHANGED') expect(told).toEqual(await outcome(engine, right, 'Events', 'Muon_pt'));
});
