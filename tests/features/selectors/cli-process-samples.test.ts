import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DrawnHistogram, openRoot, type SampleChoice, writeRoot } from '../../../web/node';
import { program } from '../../cli/program';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-samples-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);

/** Files of "dy" and "tt" have a weight for each event, and the sum of all generated in another tree; those of "data" none. */
const FILES = { dy1: 300, dy2: 500, tt1: 200, data1: 100, data2: 150 };
interface Made {
  mass: DrawnHistogram;
  n: number;
  names: Record<string, number>;
  rows: { sample: string[] };
}
const masses = (count: number, from: number) =>
  Float64Array.from({ length: count }, (_, i) => from + ((i * 37) % 61));

beforeAll(async () => {
  for (const [name, count] of Object.entries(FILES)) {
    const sink = join(folder, `${name}.root`);
    const { fileSink } = await import('../../../web/node');
    await writeRoot(fileSink(sink), async (file) => {
      const tree = await file.tree('Events');
      const mass = masses(count, name.startsWith('tt') ? 40 : 60);
      const genWeight = Float64Array.from(mass, (_, i) => (i % 5 === 0 ? -1 : 1) * (2 + (i % 3)));
      await tree.append(name.startsWith('data') ? { mass } : { mass, genWeight });
      if (name.startsWith('data')) return;
      const runs = await file.tree('Runs');
      // Twice as much was generated as was kept.
      await runs.append({ genEventSumw: [2 * genWeight.reduce((sum, one) => sum + one, 0), 0.1] });
    });
  }
  writeFileSync(
    at('mass.mjs'),
    `export default {
      branches: { mass: 'mass' },
      where: 'mass > 45',
      begin: (job) => ({
        mass: job.hist([20, 40, 140], { title: 'mass', axes: ['m [GeV]'] }),
        mean: job.profile([4, 40, 140]), n: job.counter(), names: job.labels(), rows: job.table({ mass: 'number', sample: 'text' }),
      }),
      entry({ mass }, out, { sample, weight, weights }) {
        if (!weights.includes(weight)) throw new Error('the weight is not one of the part');
        out.mass.fill(mass, weight);
        out.mean.fill(mass, mass / 2, weight);
        out.n.add(weight);
        out.names.add(sample, weight);
        if (mass > 119) out.rows.row({ mass, sample });
      },
    };`,
  );
  samples('samples.json', {});
  const sums = { sumOfWeights: { tree: 'Runs', expr: 'genEventSumw' } };
  samples('runs.json', sums);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function samples(name: string, more: object): void {
  const list = [
    { name: 'dy', files: ['dy*.root'], crossSection: 6077.22, weight: 'genWeight', ...more },
    { name: 'tt', files: 'tt1.root', crossSection: 88.3, weight: 'genWeight', ...more },
    { name: 'data', files: ['data1.root', 'data2.root'] },
  ];
  writeFileSync(at(name), JSON.stringify({ samples: list }));
}

function askRoot(list: string): unknown {
  const script = `
import json, ROOT
out = {}
for name, files, section in [("dy", ["dy1", "dy2"], 6077.22), ("tt", ["tt1"], 88.3), ("data", ["data1", "data2"], None)]:
    paths = [f"${folder}/{one}.root" for one in files]
    frame = ROOT.RDataFrame("Events", paths)
    frame = frame.Define("w", "genWeight" if section else "1.0")
    sums = (frame.Sum("w") if "${list}" == "samples.json" or not section else ROOT.RDataFrame("Runs", paths).Sum("genEventSumw")).GetValue()
    scale = section * 59.7 / sums if section else 1
    kept = frame.Filter("mass > 45")
    h = kept.Histo1D(("h", "", 20, 40, 140), "mass", "w").GetValue()
    h.Sumw2()
    h.Scale(scale)
    p = kept.Define("half", "mass / 2").Profile1D(("p", "", 4, 40, 140), "mass", "half", "w").GetValue()
    out[name] = {"sum": sums, "scale": scale, "bins": [h.GetBinContent(i) for i in range(22)], "errors": [h.GetBinError(i) ** 2 for i in range(22)],
                 "mean": h.GetMean(), "deviation": h.GetStdDev(), "means": [p.GetBinContent(i) for i in range(6)], "effective": h.GetEffectiveEntries()}
print(json.dumps(out))`;
  return JSON.parse(execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', script], { encoding: 'utf8' }));
}

const made = async (list: string, ...more: string[]) => {
  const { out, err, status } = await xylem(
    'process',
    at('mass.mjs'),
    '--samples',
    at(list),
    'Events',
    ...more,
  );
  expect([err.replace(/^(written|note): .*\n/gm, ''), status]).toEqual(['', 0]);
  return out;
};

describe('samples are scaled to a luminosity, by what was read', () => {
  /** Figures of ROOT's RDataFrame over the same files: `RECORD=1` with ORACLE_PYTHON writes them anew. */
  const recorded = resolve(import.meta.dirname, 'cli-process-samples-root.json');
  type Truth = Record<string, Record<string, number & number[]>>;

  test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
    'the recorded figures of RDataFrame are those of ROOT',
    () => {
      const figures = Object.fromEntries(['samples.json', 'runs.json'].map((list) => [list, askRoot(list)]));
      if (process.env.RECORD !== undefined) writeFileSync(recorded, `${JSON.stringify(figures, null, 1)}\n`);
      expect(JSON.parse(readFileSync(recorded, 'utf8'))).toEqual(figures);
    },
    120_000,
  );

  test.each(['samples.json', 'runs.json'])(
    'with the bins of RDataFrame: %s',
    async (list) => {
      const root = (JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, Truth>)[list] ?? {};
      expect(Object.keys(root)).toEqual(['dy', 'tt', 'data']);
      const result = JSON.parse(await made(list, '--lumi', '59.7', '--json'));
      for (const [name, truth] of Object.entries(root)) {
        const { sumOfWeights, scale, results } = result.samples[name];
        expect(sumOfWeights).toBeCloseTo(truth.sum ?? 0, 9);
        expect(scale / (truth.scale ?? 1)).toBeCloseTo(1, 12);
        const { mass, mean } = results;
        for (let i = 0; i < 22; i++) {
          expect(mass.sums[i]).toBeCloseTo(truth.bins?.[i] ?? Number.NaN, 6);
          expect(mass.squares[i] / (truth.errors?.[i] || 1)).toBeCloseTo(truth.errors?.[i] ? 1 : 0, 9);
        }
        expect(mass.mean[0]).toBeCloseTo(truth.mean ?? 0, 9);
        expect(mass.stdDev[0]).toBeCloseTo(truth.deviation ?? 0, 9);
        expect(mass.effective).toBeCloseTo(truth.effective ?? 0, 6);
        for (let i = 0; i < 6; i++) expect(mean.means[i]).toBeCloseTo(truth.means?.[i] ?? Number.NaN, 9);
        expect(Object.keys(results.names)).toEqual([name]);
        expect(results.names[name]).toBe(results.n);
      }
      // The sum is that of the simulation.
      const { dy, tt } = result.samples;
      for (const [i, sum] of result.results.mass.sums.entries())
        expect(sum).toBeCloseTo(dy.results.mass.sums[i] + tt.results.mass.sums[i], 6);
      expect(result.results.n).toBeCloseTo(dy.results.n + tt.results.n, 6);
      expect(new Set(result.results.rows.sample)).toEqual(new Set(['data', 'dy']));
      expect(result.samples.data.results.rows.sample[0]).toBe('data');
    },
    120_000,
  );

  test('results of files in any grouping add up to the same text, and are scaled when they are shown', async () => {
    const process = (files: string[], ...more: string[]) =>
      xylem('process', at('mass.mjs'), ...files, 'Events', '--samples', at('samples.json'), ...more);
    await process([], '--partial', at('all.json'), '--jobs', '1');
    const groups = [['dy2', 'data1'], ['tt1'], ['data2', 'dy1']];
    for (const [i, group] of groups.entries())
      await process([group.map((name) => at(`${name}.root`)).join(',')], '--partial', at(`group${i}.json`));
    await xylem(
      'combine',
      at('group2.json'),
      at('group0.json'),
      at('group1.json'),
      '--partial',
      at('sum.json'),
    );
    expect(readFileSync(at('sum.json'), 'utf8')).toBe(readFileSync(at('all.json'), 'utf8'));
    const shown = await xylem('combine', at('sum.json'), '--lumi', '59.7', '--json');
    expect(JSON.parse(shown.out)).toEqual(JSON.parse(await made('samples.json', '--lumi', '59.7', '--json')));
    const twice = JSON.parse((await xylem('combine', at('sum.json'), '--lumi', '119.4', '--json')).out);
    expect(twice.samples.dy.scale).toBeCloseTo(2 * JSON.parse(shown.out).samples.dy.scale, 9);
    expect((await xylem('combine', at('sum.json'))).err).toMatch(/need a luminosity.*--lumi/);
    // Another cross section is another question.
    writeFileSync(at('other.json'), readFileSync(at('samples.json'), 'utf8').replace('88.3', '88.4'));
    await xylem(
      'process',
      at('mass.mjs'),
      at('tt1.root'),
      'Events',
      '--samples',
      at('other.json'),
      '--partial',
      at('o.json'),
    );
    expect((await xylem('combine', at('group0.json'), at('o.json'))).err).toMatch(
      /different queries: "samples"/,
    );
  });

  test('a file that fails counts neither in the histograms nor in the sum of weights, until it is read again', async () => {
    const bytes = readFileSync(at('dy1.root'));
    const whole = await made('samples.json', '--lumi', '1', '--json');
    writeFileSync(at('dy1.root'), bytes.subarray(0, 900));
    const args = [
      'process',
      at('mass.mjs'),
      '--samples',
      at('samples.json'),
      'Events',
      '--resume',
      at('again.json'),
    ];
    const first = await xylem(...args);
    expect([first.status, first.err]).toEqual([1, expect.stringContaining('dy1.root')]);
    writeFileSync(at('only.json'), readFileSync(at('samples.json'), 'utf8').replace('dy*.root', 'dy2.root'));
    const without = JSON.parse(await made('only.json', '--lumi', '1', '--json'));
    const tt = readFileSync(at('tt1.root'));
    writeFileSync(at('tt1.root'), '');
    const lacking = await xylem(...args.slice(0, -2), '--lumi', '1', '--json');
    expect(lacking.err).toMatch(/no file of the sample "tt" was read/);
    expect(Object.keys(JSON.parse(lacking.out).samples)).toEqual(['dy', 'data']);
    writeFileSync(at('tt1.root'), tt);
    const failed = JSON.parse((await xylem('combine', at('again.json'), '--lumi', '1', '--json')).out);
    expect(failed.samples).toEqual(without.samples);
    writeFileSync(at('dy1.root'), bytes);
    expect((await xylem(...args)).status).toBe(0);
    expect((await xylem('combine', at('again.json'), '--lumi', '1', '--json')).out).toBe(whole);
  });

  test.skipIf(
    lacks('python3', spawnSync('python3', ['--version']).status === 0) ||
      lacks('the built program', existsSync(program)),
  )('a worker of an engine gets the samples with its task', async () => {
    const code = `import json, sys, xylem_tasks as x
xylem, out = sys.argv[1:3], sys.argv[3]
job = x.process_job("${at('mass.mjs')}", {}, (), "${at('samples.json')}")
planned = x.plan(xylem, None, "Events", 3, None, job)
texts = [x.read(xylem, task["inputs"], "Events", job)["text"] for task in planned["tasks"]]
made = x.Result(xylem, x.combine(xylem, texts), [])
print(json.dumps({"tasks": len(texts), "samples": made.results(59.7, True)}))`;
    const env = { ...process.env, PYTHONPATH: resolve(import.meta.dirname, '../../../adapters') };
    const args = ['-c', code, process.execPath, program, at('out')];
    const found = JSON.parse(execFileSync('python3', args, { cwd: folder, encoding: 'utf8', env }));
    expect(found.tasks).toBeGreaterThan(1);
    const { samples } = JSON.parse(await made('samples.json', '--lumi', '59.7', '--json'));
    expect(found.samples).toEqual(samples);
  });

  test('tree.process of the library takes the same samples, and makes the same of them', async () => {
    const open = async (names: readonly string[]) => {
      const file = await openRoot(
        names.map((name) => at(`${name}.root`)),
        { reader },
      );
      return file.tree('Events');
    };
    const module = pathToFileURL(at('mass.mjs'));
    const tree = await open(Object.keys(FILES));
    for (const list of ['samples.json', 'runs.json']) {
      const { samples: given } = JSON.parse(readFileSync(at(list), 'utf8'));
      const choices: SampleChoice[] = given.map((one: SampleChoice) => ({
        ...one,
        files: Object.keys(FILES)
          .filter((name) => name.startsWith(one.name))
          .map((name) => at(`${name}.root`)),
      }));
      const call = { samples: choices, luminosity: 59.7 };
      const { results, samples = {}, ...counts } = await tree.process<Made>(module, call);
      const expected = JSON.parse(await made(list, '--lumi', '59.7', '--json'));
      const { entries, passed } = expected;
      expect(counts).toEqual({ entries, passed, partial: undefined });
      expect(Object.keys(samples)).toEqual(['dy', 'tt', 'data']);
      for (const [found, one] of [
        [{ results }, { results: expected.results }],
        ...Object.entries(samples).map(([name, sample]) => [sample, expected.samples[name]]),
      ]) {
        const { results: made, ...facts } = found as { results: Made };
        expect({
          ...facts,
          ...{ n: made.n, names: made.names, sums: [...made.mass.sums], rows: made.rows.sample },
        }).toEqual({
          ...{ ...one, results: undefined },
          ...{
            n: one.results.n,
            names: one.results.names,
            sums: one.results.mass.sums,
            rows: one.results.rows.sample,
          },
        });
        expect([...made.mass]).toHaveLength(20);
      }
      const errorOf = (more: object) =>
        tree.process(module, { ...call, ...more }).then(
          () => 'none',
          ({ code, message }) => `${code} ${message}`,
        );
      expect(await errorOf({ luminosity: undefined })).toMatch(/^ARGUMENT .*need a luminosity/);
      expect(await errorOf({ luminosity: -1 })).toMatch(/^ARGUMENT The option luminosity/);
      expect(await errorOf({ samples: choices.slice(1) })).toMatch(/^ARGUMENT .*dy1\.root is in no sample/);
      expect(await errorOf({ samples: [...choices, { name: 'x', files: at('tt1.root') }] })).toMatch(
        /^ARGUMENT .*sample "x" is in another one, too, or is not open: .*tt1\.root/,
      );
      expect(await errorOf({ samples: [{ ...choices[0], crossSection: '3' }] })).toMatch(
        /"crossSection" of "dy"/,
      );
      expect(await errorOf({ entries: [0, 1] })).toMatch(/^ARGUMENT .*whole files/);
      expect(await errorOf({ samples: choices.map((one) => ({ ...one, weight: 'none' })) })).toMatch(
        /^NOT_FOUND/,
      );
    }
    const bytes = readFileSync(at('dy1.root'));
    const some = await open(['dy1', 'dy2']);
    writeFileSync(at('dy1.root'), bytes.subarray(0, 900));
    const files = ['dy1', 'dy2'].map((name) => at(`${name}.root`));
    const { entries, partial } = await some.process(module, { samples: [{ name: 'dy', files }] });
    writeFileSync(at('dy1.root'), bytes);
    expect([entries, partial?.failed, partial?.errors[0]?.message]).toEqual([
      ...[FILES.dy2, 1],
      expect.stringContaining('dy1.root'),
    ]);
    writeFileSync(
      at('own.mjs'),
      "export default { branches: { m: 'mass' }, begin: () => ({ n: 0 }), entry(_, out) { out.n++; }, merge: (a, b) => ({ n: a.n + b.n }) };",
    );
    await expect(
      some.process(pathToFileURL(at('own.mjs')), { samples: [{ name: 'dy', files }] }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED', fix: expect.stringContaining('without samples') });
  });

  test('a stack as SVG, and all histograms as a ROOT file', async () => {
    await made('samples.json', '--lumi', '59.7', '--result', 'mass', '--svg', at('stack.svg'));
    const svg = readFileSync(at('stack.svg'), 'utf8');
    for (const word of ['dy', 'tt', 'data', 'm [GeV]']) expect(svg).toContain(`>${word}<`);
    await made('samples.json', '--lumi', '59.7', '--root', at('made.root'));
    const { out } = await xylem('ls', at('made.root'));
    expect(out).toMatch(/samples\/dy\/mass;1 +TH1D/);
    expect(out).toMatch(/samples\/data\/rows;1 +TTree/);
    expect(out).toMatch(/\nmass;1 +TH1D|^mass;1 +TH1D/);
  });

  test('a plan cuts no file whose sum of weights stands in another tree', async () => {
    const plan = async (list: string) =>
      JSON.parse(
        (await xylem('plan', '--samples', at(list), 'Events', '--tasks', '50', '--json')).out,
      ).tasks.flatMap(({ inputs }: { inputs: object[] }) => inputs);
    const inputs = await plan('runs.json');
    expect(inputs).toHaveLength(5);
    expect(inputs[0]).toEqual({ file: at('dy1.root'), tree: 'Events', sample: 'dy' });
    const range = `${at('dy1.root')}?#Events[0:10]`;
    const cut = await xylem(
      'process',
      at('mass.mjs'),
      range,
      'Events',
      '--samples',
      at('runs.json'),
      '--partial',
      at('r.json'),
    );
    expect([cut.status, cut.err]).toEqual([
      1,
      expect.stringMatching(/sum of weights of "dy" is that of whole files/),
    ]);
  });
});

describe('mistakes are named before a file is read', () => {
  const good = { name: 'dy', files: 'dy1.root' };
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /it has no "samples"/],
    ['no list', {}, /it has no "samples"/],
    ['a name with a slash', [{ ...good, name: 'a/b' }], /"name" is a text of letters/],
    ['an unknown member', [{ ...good, xsec: 1 }], /"dy" has "xsec", which is not known/],
    ['a text for a number', [{ ...good, crossSection: '1' }], /"crossSection" of "dy" is a number/],
    ['a sum without a cross section', [{ ...good, sumOfWeights: 1 }], /no "crossSection" that it divides/],
    ['a sum of 0', [{ ...good, crossSection: 1, sumOfWeights: 0 }], /other than 0/],
    ['no files', [{ name: 'dy' }], /"files" of "dy"/],
    ['a name twice', [good, { ...good, files: 'dy2.root' }], /"dy" occurs twice/],
    ['a file in two samples', [good, { ...good, name: 'tt' }], /dy1\.root is in "dy" and in "tt"/],
    ['no luminosity', [{ ...good, crossSection: 1 }], /need a luminosity/],
  ])('%s', async (_, list, message) => {
    const text =
      typeof list === 'string' ? list : JSON.stringify(Array.isArray(list) ? { samples: list } : list);
    writeFileSync(at('bad.json'), text);
    const { err, status } = await xylem('process', at('mass.mjs'), '--samples', at('bad.json'), 'Events');
    expect([status, err]).toEqual([1, expect.stringMatching(message)]);
  });

  test('a file of no sample, a luminosity without samples, and a text for its number', async () => {
    const args = ['process', at('mass.mjs'), at('tt1.root'), 'Events'];
    writeFileSync(at('one.json'), JSON.stringify({ samples: [good] }));
    expect((await xylem(...args, '--samples', at('one.json'))).err).toMatch(/tt1\.root is in no sample/);
    expect((await xylem(...args, '--lumi', '1', '--jobs', '1')).status).toBe(2);
    expect((await xylem(...args, '--lumi', '1')).status).toBe(2);
    expect((await xylem(...args, '--samples', at('samples.json'), '--lumi', 'x')).status).toBe(2);
  });
});
