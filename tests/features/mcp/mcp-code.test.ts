// Needs features: snippets.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { draw } from '../../../web/features/mcp/cli/draw';
import { withReader } from '../../engine-reader';
import { makeCall } from './mcp-call';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();

test('a drawing brings the program of another tool, or the reason why there is none', async () => {
  const input = { file: sample, expression: 'Muon_pt', cut: 'abs(Muon_eta)<1', bins: 50, range: [0, 100] };
  const { text } = await draw.run({ ...input, code: 'uproot' }, makeCall(reader));
  const { code, tree } = JSON.parse(text) as { code: string; tree: string };
  expect(tree).toBe('Events');
  expect(code).toContain('axes = [(50, 0, 100)]');
  expect(code).toContain('fill(axes, abs(events["Muon_eta"]) < 1, events["Muon_pt"])');
  await expect(draw.run({ ...input, code: 'root' }, makeCall(reader))).rejects.toMatchObject({
    code: 'ARGUMENT',
    fix: expect.stringContaining('rdataframe'),
  });
  await expect(
    draw.run({ ...input, cut: 'rndm<0.5', code: 'uproot' }, makeCall(reader)),
  ).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('random numbers') });
  expect(JSON.parse((await draw.run(input, makeCall(reader))).text)).not.toHaveProperty('code');
});
