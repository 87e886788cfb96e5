import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { EngineApi } from '../../../web/api/engine-api';
import { engineOf } from '../../../web/api/engine-api';
import type { AskedValues } from '../../../web/features/fits/work/insight';
import { fitProgram, valuesProgram } from '../../../web/features/fits/work/programs/program';
import { fitToolIds } from '../../../web/features/fits/work/programs/tools';
import { readValues } from '../../../web/features/fits/work/values';
import type { Use } from '../../../web/features/snippets/work/use';
import type { PageInsight } from '../../../web/insight/api';
import { createReader, openRoot } from '../../../web/node';

const SAMPLE = 'public/sample.root';

/** A fit that ROOT made: see tests/fixtures/fits/make_values.py. */
interface Judged {
  expr: string;
  cut: string;
  function: string;
  start: number[];
  range: [number, number];
  count: number;
  sum: number;
  points: number;
  status: number;
  values: number[];
  /** Null for values with weights. */
  errors: number[] | null;
  fcn: number;
}

const judged = JSON.parse(readFileSync('tests/fixtures/fits/values.json', 'utf8')) as Judged[];
const reader = createReader();
const engine = engineOf(reader);
afterAll(() => reader.terminate());

const sum = (list: Float64Array): number => list.reduce((total, one) => total + one, 0);

describe('values of a tree are fitted as ROOT fits them', () => {
  test.each(judged)('$expr where "$cut"', async ({ expr, cut, range, start, ...root }) => {
    await using file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    const parameters = Object.fromEntries(start.map((value, i) => [i, value]));
    const made = await events.fitValues(expr, root.function, { cut, range, parameters });
    expect(made).toMatchObject({ method: 'unbinned', status: root.status, valid: true, points: root.points });
    expect(Math.abs(made.fcn - root.fcn)).toBeLessThan(1e-6 * Math.abs(root.fcn));
    for (const [i, { value, error }] of made.parameters.entries()) {
      expect(Math.abs(value - (root.values[i] ?? 0))).toBeLessThan(2e-3 * error);
      if (root.errors) expect(Math.abs(error / (root.errors[i] ?? 0) - 1)).toBeLessThan(0.01);
    }
    expect(made.notes.join()).toBe(
      root.errors ? '' : 'the errors do not follow from the squares of the weights',
    );
  });

  test.each(judged)('programs are the same without the values: $expr where "$cut"', async (one) => {
    const { expr, cut, range, start } = one;
    await using file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    const parameters = Object.fromEntries(start.map((value, i) => [i, value]));
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    const values = await readValues(engine, id, { tree: 'Events', expr, cut });
    await engine.close(id);
    const use: Use = { layers: [{ address: SAMPLE, tree: events.info, expr, cut }], axes: [] };
    for (const options of [{ range, parameters }, {}]) {
      const result = await events.fitValues(expr, one.function, { cut, ...options }).catch(() => undefined);
      if (!result) continue;
      for (const tool of fitToolIds) {
        const whole = fitProgram(tool, { kind: 'drawn', use, values: true }, values, one.function, options);
        expect(valuesProgram(tool, use, result, one.function, options)).toEqual(whole);
      }
    }
  });

  test.each(judged)(
    'as many as TTree::Draw selects: $expr where "$cut"',
    async ({ expr, cut, count, sum: all }) => {
      const { id } = await engine.open({ kind: 'path', path: SAMPLE });
      const { x, weights } = await readValues(engine, id, { tree: 'Events', expr, cut });
      expect(x).toHaveLength(count);
      expect(weights ? sum(weights) : x.length).toBeCloseTo(all, 6);
      await engine.close(id);
    },
  );
});

describe('values are read', () => {
  const request = { tree: 'Events', expr: 'Dimuon_mass' };

  test('of a branch by its path, of some entries, with the numbers of entries', async () => {
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    const { x } = await readValues(engine, id, { tree: 'Events', branch: 'Muon_pt' });
    expect(x).toHaveLength(5012);
    const some = await readValues(engine, id, { ...request, cut: 'Entry$%2==0', entries: [0, 1000] });
    expect(some.x).toHaveLength(500);
    await engine.close(id);
  });

  test.each([
    ['Muon_pt:Muon_eta', '', 'Values of one expression are fitted.'],
    ['Muon_pt', 'Jet_pt>1', 'The lists of the cut are not those of the expression.'],
    ['nothing', '', 'nothing'],
  ])('%s where "%s" is refused', async (expr, cut, message) => {
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    await expect(readValues(engine, id, { tree: 'Events', expr, cut })).rejects.toThrow(message);
    await engine.close(id);
  });

  test.each([
    ['Dimuon_mass', 'gausn', { range: [1e5, 1e6] }, 'no value is in the range'],
    ['0*Dimuon_mass', 'gausn', {}, 'All values are 0, so that their range has no width.'],
    ['1e308*Dimuon_mass', 'gausn', {}, 'Some of the values are infinite.'],
    ['Dimuon_mass', 'gausn', { options: 'I' }, 'The option I is for bins and points'],
    ['Dimuon_mass', 'gausn', { options: 'WL' }, 'The option WL is for bins and points'],
    ['Dimuon_mass', 'gausn', { range: '80:100' as never }, 'A range of a fit is a pair of numbers.'],
    ['Dimuon_mass', 'gausn', { parameters: { Mean: { value: 91 } as never } }, 'has no option "value"'],
    ['Dimuon_mass', 'gausn', { parameters: { Mean: null as never } }, 'The options of the parameter "Mean"'],
    ['Dimuon_mass', 5 as never, {}, 'fitValues takes the function as a text.'],
    [5 as never, 'gausn', {}, 'fitValues takes an expression as a text.'],
  ] as const)('and %s, %s, %o is refused', async (expr, function_, options, message) => {
    await using file = await openRoot(SAMPLE);
    const events = await file.tree('Events');
    await expect(events.fitValues(expr, function_, options)).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: expect.stringContaining(message),
    });
  });

  test('not more than the memory that is given', async () => {
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    await expect(readValues(engine, id, request, { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'BUDGET',
      message: expect.stringMatching(/^The values to be fitted take more than 1.00 kB of memory: 2,400 in/),
    });
    await engine.close(id);
  });

  test('once for several fits of the page, until others are asked for', async () => {
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    let scans = 0;
    const counted: EngineApi = {
      ...engine,
      scan: (...args) => {
        scans += 1;
        return engine.scan(...args);
      },
    };
    const { fitValuesInWorker } = await import('../../../web/features/fits/work/insight');
    const { nodeModules } = await import('../../../web/core/modules/node-modules');
    const host = {
      reader: counted,
      modules: nodeModules,
      layoutOf: () => Promise.reject(new Error('not asked for')),
    };
    const asked: AskedValues = { ...request, keep: true };
    const fit = (values: AskedValues, range: [number, number], signal?: AbortSignal) =>
      fitValuesInWorker(host, id, values, 'gausn', { range }, { signal });
    const [one, other] = await Promise.all([fit(asked, [70, 110]), fit(asked, [80, 100])]);
    expect(one.result.points).toBeGreaterThan(other.result.points);
    const first = scans;
    await fit(asked, [85, 95]);
    expect(scans).toBe(first);
    // A call that is cancelled does not end the reading that another one waits for.
    const stop = new AbortController();
    const more = { ...asked, cut: 'nMuon==2' };
    const [cancelled, waits] = [fit(more, [70, 110], stop.signal), fit(more, [70, 110])];
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await waits).result.points).toBe(552);
    expect(scans).toBeGreaterThan(first);
    await engine.close(id);
  });

  test('and what the page gets of a fit has no values', async () => {
    const { id } = await engine.open({ kind: 'path', path: SAMPLE });
    const insight = reader.insight as PageInsight;
    const drawn = await insight.fitValues(id, { ...request, cut: 'MET_pt' }, 'gausn', { range: [70, 110] });
    const sizes = Object.values(drawn).flatMap((one) => (ArrayBuffer.isView(one) ? [one.byteLength] : []));
    expect(Math.max(...sizes)).toBeLessThan(10_000);
    expect(drawn.content).toBeUndefined();
    await engine.close(id);
  });
});
