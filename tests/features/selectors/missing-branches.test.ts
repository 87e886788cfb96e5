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

const folder = mkdtempSync(join(tmpdir(), 'xylem-missing-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Simulation has weights and flavours of jets; data has neither, but another trigger. */
async function write(name: string, count: number, isData: boolean): Promise<void> {
  const jets = Array.from({ length: count }, (_, i) =>
    Float64Array.from({ length: i % 3 }, (__, k) => 20 + i + 7 * k),
  );
  const flags = Float64Array.from(jets, (_, i) => i % 2);
  await writeRoot(fileSink(at(name)), async (file) => {
    const tree = await file.tree('Events');
    await tree.append(
      isData
        ? { Jet_pt: jets, HLT_data: flags }
        : {
            ...{ Jet_pt: jets, HLT_mc: flags },
            puWeight: Float64Array.from(jets, (_, i) => 0.5 + (i % 4)),
            Jet_flavour: jets.map((list) => list.map((pt) => pt % 5)),
          },
    );
  });
}

const SELECTOR = `export default {
  branches: {
    pt: 'Jet_pt',
    w: { expr: 'puWeight', missing: 1 },
    flavour: { expr: 'Jet_flavour', missing: '0*Jet_pt - 1' },
    fired: 'HLT_mc',
  },
  where: 'fired > 0 && w > 0.9 && Sum$(pt) > 0',
  begin: (job) => ({ pt: job.hist([40, 0, 200], { axes: ['p_{T} [GeV]'] }), light: job.counter(), real: job.labels() }),
  entry({ pt, w, flavour }, out, { set, weight }) {
    if (flavour.length !== pt.length) throw new Error('lengths');
    out.pt.fill(pt, weight * w);
    for (const one of flavour) if (one < 2) out.light.add(w);
    out.real.add(set.kind ?? 'none');
  },
};`;

beforeAll(async () => {
  await write('mc1.root', 300, false);
  await write('mc2.root', 200, false);
  await write('data1.root', 150, true);
  writeFileSync(at('s.mjs'), SELECTOR);
  writeFileSync(
    at('samples.json'),
    JSON.stringify({
      samples: [
        { name: 'mc', files: 'mc*.root', crossSection: 3, weight: 'puWeight', set: { kind: 'simulated' } },
        { name: 'data', files: 'data1.root', branches: { fired: 'HLT_data' }, set: { kind: 'measured' } },
      ],
    }),
  );
});

/** The same by loops over the numbers that were written. */
function expected(count: number, isData: boolean): { sums: number[]; light: number; entries: number } {
  const sums = new Array<number>(42).fill(0);
  let [light, entries] = [0, 0];
  for (let i = 0; i < count; i++) {
    const pt = Array.from({ length: i % 3 }, (_, k) => 20 + i + 7 * k);
    const w = isData ? 1 : 0.5 + (i % 4);
    if (i % 2 === 0 || w <= 0.9 || pt.length === 0) continue;
    entries += 1;
    for (const one of pt) {
      const bin = Math.min(41, Math.floor(one / 5) + 1);
      sums[bin] = (sums[bin] ?? 0) + (isData ? 1 : w * w);
      if ((isData ? -1 : one % 5) < 2) light += w;
    }
  }
  return { sums, light, entries };
}

test('simulation and data are read by one selector, with defaults, names of the cut, and options of each sample', async () => {
  const args = ['process', at('s.mjs'), '--samples', at('samples.json'), 'Events'];
  const { out, err, status } = await xylem(...args, '--lumi', '1', '--json');
  expect([err, status]).toEqual(['', 0]);
  const { samples } = JSON.parse(out);
  const [one, two] = [expected(300, false), expected(200, false)];
  const data = expected(150, true);
  expect(samples.data.results.pt.sums).toEqual(data.sums);
  expect(samples.data.results.light).toBe(data.light);
  expect(samples.data.results.real).toEqual({ measured: data.entries });
  const { scale, results } = samples.mc;
  for (const [bin, sum] of one.sums.entries())
    expect(results.pt.sums[bin]).toBeCloseTo(scale * (sum + (two.sums[bin] ?? 0)), 9);
  expect(results.light).toBeCloseTo(scale * (one.light + two.light), 9);
  expect(results.real).toEqual({ simulated: expect.closeTo(scale * (one.entries + two.entries), 9) });
});

test('parts by other processes add up to the bytes of one run', async () => {
  const args = ['--samples', at('samples.json'), 'Events'];
  await xylem('process', at('s.mjs'), ...args, '--partial', at('all.json'));
  const files = ['mc1.root', 'data1.root', 'mc2.root'];
  for (const name of files)
    await xylem('process', at('s.mjs'), at(name), ...args, '--partial', at(`${name}.json`));
  await xylem('combine', ...files.map((name) => at(`${name}.json`)), '--partial', at('sum.json'));
  expect(readFileSync(at('sum.json'), 'utf8')).toBe(readFileSync(at('all.json'), 'utf8'));
  expect(JSON.parse(readFileSync(at('sum.json'), 'utf8')).made.samples.data.optional).toEqual({
    w: [0, 1],
    flavour: [0, 1],
  });
});

test('a page, the library and a chain of files make the same', async () => {
  const { samples: list } = JSON.parse(readFileSync(at('samples.json'), 'utf8'));
  const paths = (names: string[]) => names.map((name) => at(name));
  const file = await openRoot(paths(['mc1.root', 'mc2.root', 'data1.root']), { reader });
  const tree = await file.tree('Events');
  const [mc, data] = list;
  const made = await tree.process(pathToFileURL(at('s.mjs')), {
    luminosity: 1,
    samples: [
      { ...mc, files: paths(['mc1.root', 'mc2.root']) },
      { ...data, files: at('data1.root') },
    ],
  });
  const { out } = await xylem(
    ...['process', at('s.mjs'), '--samples', at('samples.json'), 'Events', '--lumi', '1', '--json'],
  );
  const { results } = JSON.parse(out);
  expect([...(made.results.pt?.sums ?? [])]).toEqual(results.pt.sums);
  expect(made.optional).toEqual({ w: [2, 1], flavour: [2, 1] });

  const engine = engineOf(reader);
  const { id } = await engine.open({ kind: 'path', path: at('data1.root') });
  const { box, module } = await boxOf(SELECTOR, folder);
  const sample = { name: 'data', branches: { fired: 'HLT_data' }, set: { kind: 'measured' } };
  const rows = await processRows(engine, { file: id, tree: 'Events', sample }, box);
  const whole = await engine.process(id, { tree: 'Events', module, sample });
  expect(rows).toEqual({ ...whole, partial: rows.partial });
  expect(whole.optional).toEqual({ w: [0, 1], flavour: [0, 1] });
});

test('undefined stands for a missing branch that has no default, and no result takes it', async () => {
  const text = (use: string) => `export default {
    branches: { n: '@Jet_pt.size()', w: { expr: 'puWeight', missing: undefined } },
    begin: (job) => ({ n: job.hist([5, 0, 5]), c: job.counter() }),
    ${use}
  };`;
  writeFileSync(
    at('good.mjs'),
    text('entry({ n, w }, out) { if (w === undefined) out.n.fill(n); else out.c.add(w); }'),
  );
  writeFileSync(at('bad.mjs'), text('entry({ n, w }, out) { out.n.fill(n, w); }'));
  writeFileSync(at('columns.mjs'), text('process({ n, w }, out) { out.n.fill(n, w); }'));
  const good = await xylem('process', at('good.mjs'), at('data1.root'), 'Events', '--json');
  expect(JSON.parse(good.out).results.n.fills).toBe(150);
  for (const name of ['bad.mjs', 'columns.mjs']) {
    expect((await xylem('process', at(name), at('mc1.root'), 'Events', '--json')).status).toBe(0);
    const { err, status } = await xylem('process', at(name), at('data1.root'), 'Events', '--json');
    expect([status, err]).toEqual([1, expect.stringMatching(/The weight that fill got is undefined/)]);
  }
});

test('a name that no file has is told, and so is a sample of which only some files have it', async () => {
  writeFileSync(at('typo.mjs'), SELECTOR.replace("'puWeight'", "'puWieght'").replace("'HLT_mc'", "'1'"));
  const typo = await xylem(
    'process',
    at('typo.mjs'),
    at('mc1.root'),
    'Events',
    '--result',
    'light',
    '--json',
  );
  expect(typo.err).toMatch(/note: no file has what "w" reads/);
  writeFileSync(at('free.mjs'), SELECTOR.replace("'HLT_mc'", "'1'"));
  const mixed = { samples: [{ name: 'all', files: ['mc1.root', 'data1.root'] }] };
  writeFileSync(at('mixed.json'), JSON.stringify(mixed));
  const { err } = await xylem('process', at('free.mjs'), '--samples', at('mixed.json'), 'Events');
  expect(err).toMatch(/note: 1 of 2 files of the sample "all" lack what "w" reads/);
  // Other mistakes than a missing name stay errors.
  writeFileSync(at('odd.mjs'), SELECTOR.replace("'puWeight'", "'puWeight +'"));
  expect((await xylem('process', at('odd.mjs'), at('mc1.root'), 'Events')).status).toBe(1);
});

let count = 0;

test('mistakes in the names are errors that say what to write', async () => {
  const errorOf = async (text: string, list = at('samples.json')): Promise<string> => {
    // A module is loaded once, so each has a name of its own.
    const path = at(`wrong${count++}.mjs`);
    writeFileSync(path, text);
    const { err, status } = await xylem('process', path, '--samples', list, 'Events', '--lumi', '1');
    expect(status).toBe(1);
    return err;
  };
  expect(await errorOf(SELECTOR.replace('missing: 1', 'mising: 1'))).toMatch(
    /neither the text.*\{ expr, missing \}/s,
  );
  expect(
    await errorOf(SELECTOR.replace("pt: 'Jet_pt'", "Jet_pt: '2*Jet_pt'").replace('Sum$(pt)', 'Sum$(Jet_pt)')),
  ).toMatch(/"Jet_pt" is a branch of the tree "Events", and also the name of 2\*Jet_pt/);
  const list = JSON.parse(readFileSync(at('samples.json'), 'utf8'));
  list.samples[1].branches = { fird: 'HLT_data' };
  writeFileSync(at('typo.json'), JSON.stringify(list));
  expect(await errorOf(SELECTOR, at('typo.json'))).toMatch(
    /"fird", which is not one of the branches.*"fired"/s,
  );
  list.samples[1].branches = { fired: 3 };
  writeFileSync(at('typo.json'), JSON.stringify(list));
  expect(await errorOf(SELECTOR, at('typo.json'))).toMatch(/"branches" of "data" are texts of expressions/);
});
