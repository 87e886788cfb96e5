import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Count, Cutflow, CutStep, Efficiency } from '../../../web/features/cutflow/work/flow';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const root = resolve(import.meta.dirname, '../../..');
const sample = resolve(root, 'public/sample.root');
const reader = withReader();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-cutflow-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Three = [number, number, number];
interface Recorded {
  cuts: string[];
  weight: string;
  all: Three;
  steps: (Record<'left' | 'alone' | 'others', Three> &
    Record<'ofBefore' | 'ofAll' | 'removes', Three | null> & { cut: string })[];
}
const { flows } = JSON.parse(readFileSync(resolve(import.meta.dirname, 'judge/cutflows.json'), 'utf8')) as {
  flows: Recorded[];
};

/** Runs the command, which has to succeed. */
async function cutflow(...args: string[]): Promise<Cutflow> {
  const { status, out, err } = await run(reader, 'cutflow', ...args, '--json');
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out) as Cutflow;
}

/** Sums of weights are rounded once here, and after each term in ROOT. */
function expectCount({ entries, weight, error }: Count, [number, sum, squares]: Three): void {
  expect(entries).toBe(number);
  expect(Math.abs(weight - sum)).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(squares)));
  expect(Math.abs(error - Math.sqrt(squares))).toBeLessThanOrEqual(1e-11 * Math.max(1, squares));
}

function expectShare(share: Efficiency | undefined, ends: Three | null): void {
  if (ends === null) return;
  for (const [i, end] of (['value', 'low', 'high'] as const).entries())
    expect(Math.abs((share?.[end] ?? Number.NaN) - (ends[i] ?? 0))).toBeLessThan(1e-9);
}

describe.each(flows)('$cuts weighted by "$weight"', ({ cuts, weight, all, steps }) => {
  test('entries, weights and intervals equal those of ROOT', async () => {
    const weighted = weight === '' ? [] : ['--weight', weight];
    const { samples } = await cutflow(sample, 'Events', ...cuts, ...weighted);
    const [flow] = samples;
    if (!flow) throw new Error('no flow');
    expectCount(flow.all, all);
    expect(flow.steps.length).toBe(steps.length);
    for (const [i, step] of steps.entries()) {
      const own = flow.steps[i] as CutStep;
      expect(own.cut).toBe(step.cut);
      for (const name of ['left', 'alone', 'others'] as const) expectCount(own[name], step[name]);
      for (const name of ['ofBefore', 'ofAll', 'removes'] as const) expectShare(own[name], step[name]);
    }
  });
});

const CUTS = ['nMuon==2', 'Muon_pt[0]>25', 'Jet_pt>30'];

test('partial results of ranges of entries add up to one run', async () => {
  const whole = await cutflow(sample, 'Events', ...CUTS, '--weight', 'MET_pt');
  const parts = ['0:700', '700:1500', '1500:2400'].map((range, i) => ({
    range,
    path: join(folder, `${i}.json`),
  }));
  for (const { range, path } of parts) {
    const file = `${sample}?#Events[${range}]`;
    const made = await run(
      reader,
      'cutflow',
      file,
      'Events',
      ...CUTS,
      '--weight',
      'MET_pt',
      '--partial',
      path,
    );
    expect(made.status).toBe(0);
  }
  const sum = await run(reader, 'combine', ...parts.map(({ path }) => path).reverse(), '--json');
  expect(sum.status).toBe(0);
  expect(JSON.parse(sum.out)).toEqual(JSON.parse(JSON.stringify(whole)));
  const shown = await run(reader, 'combine', ...parts.map(({ path }) => path));
  const direct = await run(reader, 'cutflow', sample, 'Events', ...CUTS, '--weight', 'MET_pt');
  expect(shown.out).toBe(direct.out);
  const other = await run(reader, 'combine', parts[0]?.path ?? '', parts[0]?.path ?? '');
  expect(other.status).toBe(1);
  expect(other.err).toContain('twice');
});

test('samples are scaled by cross section and luminosity', async () => {
  const list = join(folder, 'samples.json');
  const named = (name: string, range: string, more: object) => ({
    name,
    files: [`${name}.root?#Events[${range}]`],
    ...more,
  });
  for (const name of ['dy', 'tt', 'data']) copyFileSync(sample, join(folder, `${name}.root`));
  writeFileSync(
    list,
    JSON.stringify({
      samples: [
        named('dy', '0:1000', { crossSection: 50, weight: 'MET_pt' }),
        named('tt', '1000:2000', { crossSection: 8 }),
        named('data', '2000:2400', {}),
      ],
    }),
  );
  const { samples, total } = await cutflow('Events', ...CUTS, '--samples', list, '--lumi', '10');
  const [dy, tt, data] = samples;
  const alone = await cutflow(`${sample}?#Events[0:1000]`, 'Events', ...CUTS, '--weight', 'MET_pt');
  const own = alone.samples[0];
  if (!dy || !tt || !data || !own) throw new Error('a sample is missing');
  expect(dy.all.weight).toBeCloseTo(500, 9);
  expect(dy.scale).toBeCloseTo(500 / own.all.weight, 12);
  expect(dy.steps[2]?.left.weight).toBeCloseTo((500 * (own.steps[2]?.left.weight ?? 0)) / own.all.weight, 9);
  expect(tt.all).toEqual({
    entries: 1000,
    weight: expect.closeTo(80, 9),
    error: expect.closeTo(80 / Math.sqrt(1000), 9),
  });
  expect(data.all).toEqual({ entries: 400, weight: 400, error: 20 });
  expect(total?.all.weight).toBeCloseTo(580, 9);
  expect(total?.all.entries).toBe(2000);

  // The same by partial results, which are scaled at the end.
  const partial = join(folder, 'samples-partial.json');
  expect(
    (await run(reader, 'cutflow', 'Events', ...CUTS, '--samples', list, '--partial', partial)).status,
  ).toBe(0);
  const combined = await run(reader, 'combine', partial, '--lumi', '10', '--json');
  expect(JSON.parse(combined.out).samples).toEqual(JSON.parse(JSON.stringify(samples)));
  const without = await run(reader, 'cutflow', 'Events', ...CUTS, '--samples', list);
  expect(without.status).toBe(1);
  expect(without.err).toContain('--lumi');
});

test('texts for documents escape what their format would read', async () => {
  const cut = 'nMuon==2 && Muon_pt[0]>25 || MET_pt^2<9';
  const out = async (format: string) =>
    (await run(reader, 'cutflow', sample, 'Events', cut, `--${format}`, '-')).out;
  expect(await out('markdown')).toContain('| nMuon==2 && Muon\\_pt\\[0\\]\\>25 \\|\\| MET\\_pt^2\\<9 |');
  expect(await out('latex')).toContain(
    'nMuon==2 \\&\\& Muon\\_pt[0]$>$25 $|$$|$ MET\\_pt\\textasciicircum{}2$<$9',
  );
  const [head = '', , row = ''] = (await out('csv')).split('\n');
  expect(row.split(',').length).toBe(head.split(',').length);
  expect(row).toContain('nMuon==2 && Muon_pt[0]>25 || MET_pt^2<9');
  const formula = await run(reader, 'cutflow', sample, 'Events', '-nMuon<0', '--csv', '-');
  expect(formula.status).toBe(2);
  const quoted = await run(reader, 'cutflow', '--csv', '-', '--', sample, 'Events', '-nMuon<0');
  expect(quoted.out).toContain(",'-nMuon<0,");
});

test('mistakes are named', async () => {
  const why = async (...args: string[]) => await run(reader, 'cutflow', sample, 'Events', ...args);
  const bad = await why('nMuon==2', 'nMuon==');
  expect(bad.status).toBe(2);
  const unknown = await why('nMuon==2', 'Muonpt>3');
  expect(unknown.status).toBe(1);
  expect(unknown.err).toContain('Did you mean "Muon_pt"?');
  expect((await why('nMuon>0', '--weight', 'Muon_pt')).err).toContain('several values for an entry');
  expect((await why('')).err).toContain('The cut 1 is empty.');
  expect((await why(...Array.from({ length: 17 }, () => 'nMuon>0'))).err).toContain('16 are counted at most');
  expect((await why('nMuon>0)+(1')).status).toBe(2);
  const twice = await run(reader, 'cutflow', `${sample},${sample}`, 'Events', 'nMuon>0');
  expect(twice.status).toBe(1);
  expect(twice.err).toContain('twice');
  const lost = await run(reader, 'cutflow', `${sample},${join(folder, 'none.root')}`, 'Events', 'nMuon>0');
  expect(lost.status).toBe(1);
  expect(lost.err).toContain('1 of 2 files unreadable');
  expect(lost.out).toContain('2,400');
});
