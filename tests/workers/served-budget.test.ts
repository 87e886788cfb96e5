import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { DrawResult } from '../../web/api/api';
import { openBrowserSource } from '../../web/engine/browser-source';
import { openReader, serveReader, type XylemReader } from '../../web/node';
import { channelReader } from '../../workers/channel-reader';
import { twoEnds } from './two-ends';

// Memory that a viewer can make another program take is bounded by what the library has room for.
const SAMPLE = join(import.meta.dirname, '../../public/sample.root');
const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function viewer(change: (own: XylemReader) => XylemReader = (own) => own) {
  const { page, program } = twoEnds();
  const own = await openReader({ workers: 0 });
  const close = serveReader(program, change(own), () => ({ kind: 'path', path: SAMPLE }));
  const reader = channelReader(page, { openSource: async (spec) => openBrowserSource(spec) });
  ends.push(
    close,
    () => reader.terminate(),
    () => own.terminate(),
  );
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  return { reader, id };
}

test('histograms that are drawn together have room for twenty million cells', async () => {
  const { reader, id } = await viewer();
  const large = { expr: 'Muon_eta:Muon_pt>>h(3000,0,100,3000,-3,3)' };
  const draws = [{ expr: 'nMuon' }, large, large, large, { expr: 'nMuon' }];
  const outcomes = await reader.drawAll(id, { tree: 'Events', draws });
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    'histogram',
    'histogram',
    'histogram',
    'error',
    'histogram',
  ]);
  expect(outcomes[3]).toMatchObject({
    error: { code: 'BUDGET', fix: expect.stringContaining('Draw it alone') },
  });
  for (const expr of ['Muon_eta:Muon_pt>>h(30000,0,9,30000,0,9)', 'nMuon>>h(1000000000,0,9)']) {
    const call = reader.draw(id, { tree: 'Events', expr });
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/BUDGET|ARGUMENT/) });
  }
}, 60_000);

test('a few drawings of a viewer run at a time, in order, and too many are refused', async () => {
  let [running, most] = [0, 0];
  const order: unknown[] = [];
  const { reader, id } = await viewer((own) => ({
    ...own,
    draw: async (_file, { expr }) => {
      most = Math.max(most, ++running);
      order.push(expr);
      await new Promise((go) => setTimeout(go, 1));
      running--;
      if (expr === '7') throw new Error('one that fails');
      return { kind: 'histogram' } as DrawResult;
    },
  }));
  const asked = Array.from({ length: 1500 }, (_, i) => String(i));
  const codes = await Promise.all(
    asked.map((expr) =>
      reader.draw(id, { tree: 'Events', expr }).then(
        () => 'drawn',
        ({ code }) => code as string,
      ),
    ),
  );
  expect(most).toBe(4);
  expect(order).toEqual(asked.slice(0, 1004));
  expect(codes[7]).toBe('INTERNAL');
  expect(new Set(codes.slice(8, 1004))).toEqual(new Set(['drawn']));
  expect(new Set(codes.slice(1004))).toEqual(new Set(['BUDGET']));
  expect(await reader.draw(id, { tree: 'Events', expr: 'later' })).toEqual({ kind: 'histogram' });
}, 60_000);
