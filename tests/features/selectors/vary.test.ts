import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineOf } from '../../../web/api/engine-api';
import { processRows } from '../../../web/features/selectors/work/partial/process-rows';
import { fileSink, openRoot, writeRoot } from '../../../web/node';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { boxOf } from './selector-box';

const folder = mkdtempSync(join(tmpdir(), 'xylem-vary-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BEGIN = `begin(job) {
    const all = job.vary({
      jesUp: ({ jets }) => ({ jets: UP }),
      jesDown: { jets: 'down' },
      puUp: { weight: 'pu' },
      puDown: { weight: ({ pu }) => DOWN },
    });
    return { pt: all.hist([10, 0, 200], { title: 'pt' }), regions: { high: all.hist([4, 0, 4]), n: all.counter() }, cut: job.labels() };
  },`;
const BRANCHES =
  "branches: { jets: 'jet', down: { expr: 'jetDown', missing: 'jet' }, pu: { expr: 'pu', missing: 1 } },";
const ENTRY = `export default {
  ${BRANCHES}
  ${BEGIN.replace('UP', 'jets.map((one) => 1.1 * one)').replace('DOWN', '2 - pu')}
  entry({ jets }, out, { weight, variation }) {
    out.pt.fill(jets, weight);
    const high = jets.filter((one) => one > 100).length;
    out.regions.high.fill(high, weight);
    if (high > 0) out.regions.n.add(weight);
    out.cut.add(variation);
  },
};`;
const PROCESS = `export default {
  ${BRANCHES}
  ${BEGIN.replace('UP', '{ ...jets, values: jets.values.map((one) => 1.1 * one), of: (i) => jets.of(i).map((one) => 1.1 * one) }').replace('DOWN', 'pu.map((one) => 2 - one)')}
  process({ jets }, out, { weights, count, variation }) {
    for (let i = 0; i < count; i++) {
      const list = jets.of(i);
      out.pt.fill(list, weights[i]);
      const high = list.filter((one) => one > 100).length;
      out.regions.high.fill(high, weights[i]);
      if (high > 0) out.regions.n.add(weights[i]);
      out.cut.add(variation);
    }
  },
};`;

const COUNT = 500;
const jetsOf = (i: number) => Array.from({ length: i % 4 }, (_, k) => 30 + ((i * 37 + 61 * k) % 150));
const puOf = (i: number) => 0.5 + (i % 7) / 8;
const weightOf = (i: number) => (i % 9 === 0 ? -2 : 3);

beforeAll(async () => {
  for (const name of ['mc', 'more', 'data'])
    await writeRoot(fileSink(at(`${name}.root`)), async (file) => {
      const tree = await file.tree('t', { types: {} });
      const jet = Array.from({ length: COUNT }, (_, i) => Float64Array.from(jetsOf(i)));
      const one = Float64Array.from(jet, (_, i) => puOf(i));
      const all = {
        jetDown: jet.map((list) => list.map((pt) => 0.9 * pt)),
        pu: one,
        w: one.map((_, i) => weightOf(i)),
      };
      await tree.append(name === 'data' ? { jet } : { jet, ...all });
    });
  writeFileSync(at('entry.mjs'), ENTRY);
  writeFileSync(at('process.mjs'), PROCESS);
  const mc = { name: 'mc', files: ['mc.root', 'more.root'], crossSection: 2, weight: 'w' };
  writeFileSync(at('samples.json'), JSON.stringify({ samples: [mc, { name: 'data', files: 'data.root' }] }));
});

/** The same by loops: scale of the jets, and factor of the weight. */
const VARIATIONS: Record<string, [scale: number, factor: (pu: number) => number]> = {
  '': [1, () => 1],
  _jesUp: [1.1, () => 1],
  _jesDown: [0.9, () => 1],
  _puUp: [1, (pu) => pu],
  _puDown: [1, (pu) => 2 - pu],
};

const add = (list: number[], bin: number, weight: number): void => {
  list[bin] = (list[bin] ?? 0) + weight;
};

function expected(suffix: string): { sums: number[]; high: number[]; n: number } {
  const [scale, factor] = VARIATIONS[suffix] ?? [1, () => 1];
  const made = { sums: new Array<number>(12).fill(0), high: new Array<number>(6).fill(0), n: 0 };
  for (let i = 0; i < COUNT; i++) {
    const jets = jetsOf(i).map((pt) => scale * pt);
    const weight = weightOf(i) * factor(puOf(i));
    for (const pt of jets) add(made.sums, Math.min(11, Math.floor(pt / 20) + 1), weight);
    const high = jets.filter((pt) => pt > 100).length;
    add(made.high, high + 1, weight);
    if (high > 0) made.n += weight;
  }
  return made;
}

test.each(['entry', 'process'])(
  'everything that a varied job makes is filled for each variation: %s',
  async (form) => {
    const { out, err, status } = await xylem(
      ...['process', at(`${form}.mjs`), '--samples', at('samples.json'), 't', '--lumi', '1', '--json'],
    );
    expect([err, status]).toEqual(['', 0]);
    const { samples } = JSON.parse(out);
    const { results, scale } = samples.mc;
    const names = Object.keys(VARIATIONS);
    expect(Object.keys(results).sort()).toEqual(
      [...names.flatMap((one) => [`pt${one}`, `regions/high${one}`, `regions/n${one}`]), 'cut'].sort(),
    );
    for (const suffix of names) {
      const { sums, high, n } = expected(suffix);
      for (const [bin, sum] of sums.entries())
        expect(results[`pt${suffix}`].sums[bin]).toBeCloseTo(2 * scale * sum, 9);
      for (const [bin, sum] of high.entries())
        expect(results[`regions/high${suffix}`].sums[bin]).toBeCloseTo(2 * scale * sum, 9);
      expect(results[`regions/n${suffix}`]).toBeCloseTo(2 * scale * n, 9);
    }
    // Results of the job itself are filled once, and data is not varied.
    expect(results.cut).toEqual({ nominal: expect.closeTo(2 * COUNT * scale, 9) });
    expect(Object.keys(samples.data.results).sort()).toEqual(['cut', 'pt', 'regions/high', 'regions/n']);
    expect(samples.data.results.cut).toEqual({ nominal: COUNT });
  },
);

test('parts add up to the bytes of one run, and a page and the library make the same', async () => {
  const args = ['--samples', at('samples.json'), 't'];
  await xylem('process', at('entry.mjs'), ...args, '--partial', at('all.json'));
  const files = ['data.root', 'more.root', 'mc.root'];
  for (const name of files)
    await xylem('process', at('entry.mjs'), at(name), ...args, '--partial', at(`${name}.json`));
  await xylem('combine', ...files.map((name) => at(`${name}.json`)), '--partial', at('sum.json'));
  expect(readFileSync(at('sum.json'), 'utf8')).toBe(readFileSync(at('all.json'), 'utf8'));

  const engine = engineOf(reader);
  const { id } = await engine.open({ kind: 'path', path: at('mc.root') });
  const { box, module } = await boxOf(ENTRY, folder);
  const rows = await processRows(engine, { file: id, tree: 't' }, box);
  expect(rows).toEqual({ ...(await engine.process(id, { tree: 't', module })), partial: rows.partial });
  const file = await openRoot(at('mc.root'), { reader });
  const { results } = await (await file.tree('t')).process(pathToFileURL(at('entry.mjs')));
  const { sums } = expected('_jesUp');
  expect([...(results.pt_jesUp ?? [])].map(({ count }) => count)).toHaveLength(10);
  expect(results.pt_jesUp?.sums.length).toBe(sums.length);
});

test.each([
  ["{ nominal: { weight: 'pu' } }", /"nominal" cannot be the name/],
  ['{}', /vary needs variations/],
  ["{ a: { weight: 'pi' } }", /names "pi", which is not one of the branches.*"pu"/s],
  ["{ a: { jets: 'dawn' } }", /names "dawn".*"down"/s],
  ['{ a: 3 }', /neither a function nor an object/],
  ["{ a: { inputs: { jets: 'down' }, weigth: 'pu' } }", /has "weigth", which is not known/],
  ['{ a: () => 3 }', /returns no object of changed values/],
  ['{ a: () => ({ jetz: [] }) }', /names "jetz".*"jets"/s],
  [
    "{ a: { weight: 'jets' } }",
    /is not one finite number for each entry.*variation "a"|variation "a".*not one finite number/s,
  ],
])('a mistake in a variation is an error: %s', async (variations, message) => {
  const text = `export default { ${BRANCHES}
    begin: (job) => ({ h: job.vary(${variations}).hist([2, 0, 2]) }), entry({ jets }, out) { out.h.fill(jets); } };`;
  const path = at(`wrong${count++}.mjs`);
  writeFileSync(path, text);
  const { status, err } = await xylem('process', path, at('mc.root'), 't');
  expect([status, err]).toEqual([1, expect.stringMatching(message)]);
});
let count = 0;

test('a varied weight that the code does not use is an error, and not a variation without a difference', async () => {
  for (const [use, status] of [
    ['entry({ jets }, out) { out.h.fill(jets); }', 1],
    ['entry({ jets }, out, task) { if (jets.length > 9) out.h.fill(jets, task.weight); }', 0],
    ['process({ jets }, out) { out.h.fill(jets.values); }', 1],
  ] as const) {
    const path = at(`unused${count++}.mjs`);
    writeFileSync(
      path,
      `export default { ${BRANCHES} begin: (job) => ({ h: job.vary({ up: { weight: 'pu' } }).hist([2, 0, 2]) }), ${use} };`,
    );
    const made = await xylem('process', path, at('mc.root'), 't');
    expect([use, made.status]).toEqual([use, status]);
    if (status === 1)
      expect(made.err).toMatch(/"up" changes the weight of the task, which the code does not use/);
  }
});

test('a result that has the name of a variation of another one is refused', async () => {
  writeFileSync(
    at('same.mjs'),
    `export default { ${BRANCHES} begin: (job) => ({ h: job.vary({ up: { weight: 'pu' } }).hist([2, 0, 2]), h_up: job.counter() }), entry() {} };`,
  );
  expect((await xylem('process', at('same.mjs'), at('mc.root'), 't')).err).toMatch(
    /"h_up" is a result, and also/,
  );
});
