import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { calc as calcCommand } from '../../../web/features/calc/cli/calc';
import { compiledSteps, stepsOfText, textOfSteps } from '../../../web/features/calc/view/step-texts';
import { parseCalc } from '../../../web/features/calc/work/language/parse';
import { namedFile } from '../../../web/features/calc/work/names';
import { OPERATIONS, operationNames } from '../../../web/features/calc/work/operations';
import { compiled } from '../../../web/features/calc/work/run-steps';
import { type CalculatedEfficiency, calculate, openRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { oraclePython } from '../../oracle';

const reader = withReader(makeEngine);
const sample = resolve('public/sample.root');
const bins = resolve('tests/fixtures/files/bins/bins.root');
const projected = resolve('tests/fixtures/files/bins/projected.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-calc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const calc = (...args: string[]) => run(reader, 'calc', ...args);
async function histogram(...args: string[]): Promise<Histogram> {
  const { out, err, status } = await calc(...args, '--json');
  expect(status, err).toBe(0);
  return JSON.parse(out) as Histogram;
}
const why = async (...args: string[]): Promise<string> => {
  const { err, status } = await calc(...args);
  expect(status).toBeGreaterThan(0);
  return err;
};

test('names of files, aliases and numbers are operands', async () => {
  const twice = await histogram(`${bins}:fixed + ${bins}:fixed`);
  const scaled = await histogram('2 * a', '--let', `a=${bins}:fixed`);
  expect(twice.sums).toEqual(scaled.sums);
  expect(twice.fills).toBe(2 * scaled.fills);
  // A scaled histogram has other errors than the sum of two.
  expect(scaled.squares.map((square) => square / 2)).toEqual(twice.squares);
  const inFile = await histogram('h + h', '--let', 'h=fixed', '--file', bins);
  expect(inFile.sums).toEqual(twice.sums);
  expect((await histogram('"fixed" + fixed', '--file', bins)).sums).toEqual(twice.sums);
  expect(twice.title).toBe(`${bins}:fixed + ${bins}:fixed`);
});

test('a filled histogram and partial results are operands', async () => {
  const fill = `fill('${sample}', 'Events', 'Dimuon_mass>>(40,70,110)', 'nMuon==2')`;
  const filled = await histogram(fill);
  const drawn = await run(reader, 'draw', sample, 'Events', 'Dimuon_mass>>(40,70,110)', 'nMuon==2', '--json');
  expect(filled.sums).toEqual((JSON.parse(drawn.out) as Histogram).sums);
  const partial = join(folder, 'all.json');
  const made = await run(
    reader,
    'draw',
    sample,
    'Events',
    'Dimuon_mass>>(40,70,110)',
    'nMuon==2',
    '--partial',
    partial,
  );
  expect(made.status, made.err).toBe(0);
  const none = await histogram(`${partial} - ${fill}`);
  expect(none.sums).toEqual(filled.sums.map(() => 0));
  expect(none.squares).toEqual(filled.squares.map((square) => 2 * square));
});

test('results are saved in the forms of draw', async () => {
  const expression = `${bins}:fixed - ${bins}:fixed_part`;
  const saved = join(folder, 'result.root');
  expect((await calc(expression, '--root', saved, '--force', '--name', 'difference')).status).toBe(0);
  await using file = await openRoot(saved, { workers: 0 });
  const copy = await file.histogram('difference');
  const direct = await histogram(expression);
  expect([...copy.sums]).toEqual(direct.sums);
  expect(copy.stdDev[0]).toBeCloseTo(direct.stdDev[0] ?? 0, 12);
  expect((await calc(expression, '--svg', '-')).out).toContain('<svg');
  expect((await calc(expression, '--csv', '-')).out.split('\n')).toHaveLength(
    (direct.axes[0]?.bins ?? 0) + 2,
  );
  expect(JSON.parse((await calc(expression, '--uhi', '-')).out)).toHaveProperty('storage');
  expect((await calc(expression)).out).toContain('Entries');
});

test('numbers, statistics and efficiencies are told as such', async () => {
  const number = JSON.parse((await calc(`integral(${bins}:fixed)`, '--json')).out);
  expect(number).toMatchObject({ kind: 'number' });
  expect(number.error).toBeCloseTo(Math.sqrt(number.value), 12);
  expect((await calc(`integral(${bins}:fixed)`)).out).toMatch(/^\d+ ± [\d.]+\n$/);
  const stats = JSON.parse((await calc(`stats(${bins}:fixed)`, '--json')).out);
  expect(stats).toMatchObject({ kind: 'statistics', mean: [{}], stdDev: [{}] });
  expect((await calc(`stats(${bins}:fixed_2)`)).out).toContain('Standard deviation');
  const lets = ['--let', `h=${bins}:fixed`];
  const efficiency = await calc('efficiency(h, h + h, "wilson", level=0.95)', ...lets, '--csv', '-');
  expect(efficiency.out.split('\n')[0]).toBe('x,y,left,right,down,up');
  expect((await calc('efficiency(h, h + h)', ...lets, '--svg', '-')).out).toContain('<svg');
  expect(JSON.parse((await calc('efficiency(h, h + h)', ...lets, '--json')).out)).toMatchObject({
    _typename: 'TEfficiency',
    fStatisticOption: 0,
  });
  expect(await why('efficiency(h + h, h)', ...lets)).toMatch(/that is no part/);
  expect(await why('integral(h)', ...lets, '--csv', '-')).toMatch(/not a histogram/);
});

test('the edges of an empty range, of zero and of rounding', async () => {
  const lets = ['--let', `h=${bins}:fixed`, '--let', `z=${bins}:zero`];
  expect((await histogram('h / (h - h)', ...lets)).sums.every((value) => value === 0)).toBe(true);
  expect(await why('h / 0', ...lets)).toMatch(/not divided by the number 0/);
  expect(await why('range(h, 1000:2000)', ...lets)).toMatch(/is empty/);
  expect(await why('range(h, 5:1)', ...lets)).toMatch(/its end is below its beginning/);
  expect(await why('scale(h - h, area=1)', ...lets)).toMatch(/cannot be scaled to an area: its own is 0/);
  expect(await why('rebin(h, [0, 0.123])', ...lets)).toMatch(/0\.123 is not an edge.*nearest edge is/s);
  expect(await why('rebin(h, 0)', ...lets)).toMatch(/groups of 0/);
  expect(await why('snip(h, 100)', ...lets)).toMatch(/does not fit/);
  expect(await why('smooth(h, -1)', ...lets)).toMatch(/smoothed 1 to 10000 times/);
});

describe('mistakes are marked', () => {
  const marked = async (expression: string, ...lets: string[]): Promise<string> =>
    await why(expression, '--let', `h=${bins}:fixed`, ...lets);
  test.each([
    ['rebinn(h, 2)', /There is no function "rebinn".*Did you mean "rebin"/s],
    ['h / k', /There is no histogram "k"/],
    ['(h + h', /not closed by "\)"/],
    ['h +', /Something is missing at the end/],
    ['h h', /"h" is not expected here/],
    ['rebin(h, 2, color=3)', /rebin has no "color"/],
    ['divide(h, h, "C")', /divide does not take "C"/],
    ['efficiency(h, h, "clopper")', /"interval" of efficiency is not "clopper".*cp/s],
    ['range(h, 3)', /range does not take this/],
    ['project(h, x)', /has one axis, which needs no projection/],
    ['divide(h)', /divide needs 2 histograms/],
    ['"h', /quotation mark is not closed/],
    [`h + ${bins}:fixed_2`, /one has 1 axes, the other 2/],
    [`h + ${bins}:fixed_edges`, /bins along x/],
    [`${bins}:fixd`, /Did you mean "fixed"/],
    [`${bins}:fixed/${bins}:fixed`, /Operators need spaces around them/],
    ['1 / h', /A number is not divided by a histogram/],
    [`${bins}:fixed_profile * h`, /is a profile, which is not multiplied.*means/s],
    [`fill('${sample}', 'Events', 'nothing')`, /no branch.*nothing|nothing/s],
  ])('%s', async (expression, message) => {
    const err = await marked(expression);
    expect(err).toMatch(message);
    expect(err).toContain('^');
  });

  test('a let is checked by itself', async () => {
    expect(await why('a', '--let', 'a=')).toMatch(/Something is missing/);
    expect(await why('a', '--let', '=h')).toMatch(/write NAME=EXPR/);
    expect(await why('fixed')).toMatch(/There is no histogram "fixed"/);
  });

  test('deep and long texts end', () => {
    expect(() => parseCalc('('.repeat(1e5))).toThrow(/More than 100 brackets/);
    expect(() => parseCalc('-'.repeat(1e5))).toThrow(/More than 100 brackets/);
    expect(() => parseCalc('a'.repeat(1e6))).toThrow(/at most 100000/);
  });
});

test('a gate subtracts the background beside it by its width', async () => {
  const lets = ['--let', `m=${bins}:fixed_2`];
  const [inside, beside, net] = await Promise.all([
    histogram('project(m, x, y=2:3)', ...lets),
    histogram('project(m, x, y=1)', ...lets),
    histogram('gate(m, x, 2.1:5.9, 0.1:1.9)', ...lets),
  ]);
  expect(net.sums).toEqual(inside.sums.map((sum, i) => sum - 2 * (beside.sums[i] ?? 0)));
  expect(net.squares).toEqual(inside.squares.map((square, i) => square + 4 * (beside.squares[i] ?? 0)));
});

test('the help has every function, and steps are data', async () => {
  const { out } = await calc('--help');
  for (const name of operationNames) expect(out).toContain(`${name}(`);
  const { steps } = compiled('rebin(a.root:h / b.root:h, 2) + 0');
  expect(JSON.parse((await calc('rebin(a.root:h / b.root:h, 2) + 0', '--code', 'steps')).out)).toEqual(steps);
  expect(steps).toEqual([
    { op: 'open', name: 'a.root:h' },
    { op: 'open', name: 'b.root:h' },
    { op: 'divide', of: [0, 1] },
    { op: 'rebin', of: [2], groups: [2] },
    { op: 'number', value: 0 },
    { op: 'add', of: [3, 4] },
  ]);
});

/** A line of Python that prints the cells, errors and entries of "result". */
const PRINT = {
  root: `import json
n = result.GetNcells()
print("RESULT" + json.dumps([[result.GetBinContent(i) for i in range(n)], [result.GetBinError(i) ** 2 for i in range(n)]]))`,
  hist: `import json
print("RESULT" + json.dumps([result.values(flow=True).T.flatten().tolist(), result.variances(flow=True).T.flatten().tolist()]))`,
};

const PROGRAMS: [expression: string, tools: ('root' | 'hist')[]][] = [
  [`${projected}:h1_in + ${projected}:h1_weights`, ['root', 'hist']],
  [`${projected}:h1_in - 0.5 * ${projected}:h1_weights`, ['root', 'hist']],
  [`${projected}:h1_in * ${projected}:h1_weights / 3`, ['root', 'hist']],
  [`3 - ${projected}:h1_in / ${projected}:h1_weights`, ['root', 'hist']],
  [`divide(${projected}:h1_in, ${projected}:h1_in + ${projected}:h1_in, "B")`, ['root', 'hist']],
  [`scale(${projected}:h1_in, area=1)`, ['root', 'hist']],
  [`scale(${projected}:h1_in, to=${projected}:h1_weights, 1:3)`, ['root', 'hist']],
  [`scale(${bins}:fixed_edges, 2, width)`, ['root']],
  [`scale(${projected}:h1_in, lumi=59.8, xsec=6077, events=1e6)`, ['root', 'hist']],
  [`${projected}:h1_in / integral(${projected}:h1_in, 1:3)`, ['root', 'hist']],
  [`${projected}:h1_in / integral(${projected}:h1_in, x=1:3, width)`, ['root', 'hist']],
  [`rebin(${projected}:h1_in, 2)`, ['root', 'hist']],
  [`rebin(${projected}:h2_in, 2, 1)`, ['root', 'hist']],
  [`cumulative(${projected}:h1_in, backward)`, ['root', 'hist']],
  [`project(${projected}:h2_in, x, y=2:3)`, ['root', 'hist']],
  [`project(${projected}:h2_in, y)`, ['root', 'hist']],
  [`project(${projected}:h3_weights, z, x, y=1:2)`, ['root', 'hist']],
  [`project(${projected}:h3_weights, y, 1.5:2.5, 0:3)`, ['root']],
  [`gate(${projected}:h2_in, x, 1.1:2.9)`, ['root', 'hist']],
  [`gate(${projected}:h2_in, y, 1.7:2.9, 3.1:3.9)`, ['root', 'hist']],
  [`means(profile(${projected}:h2_in, x, "s"))`, ['root', 'hist']],
  [`profile(${projected}:h2_in, y, x=2:3)`, ['root', 'hist']],
  [`smooth(range(${projected}:h1_in, 1:4), shown)`, ['root']],
  [`profile(${projected}:h2_in, x)`, ['hist']],
  [`profile(${projected}:h2_in, x, "i")`, ['hist']],
  [`profile(${projected}:h2_in, x, "g")`, ['hist']],
  [`scale(${projected}:h2_in, width)`, ['hist']],
  [`rebin(${sample}:plots/upsilon, [9, 9.5, 10.5])`, ['root', 'hist']],
  [`smooth(${sample}:plots/dimuonMass)`, ['root', 'hist']],
  [`smooth(${sample}:plots/dimuonMass - 5, 3)`, ['root', 'hist']],
  [`snip(${sample}:plots/dimuonMass, 8)`, ['hist']],
  [`snip(${sample}:plots/dimuonMass, 8, order=8, smoothing=5)`, ['hist']],
  [`snip(${sample}:plots/dimuonMass, 8, order=6, smoothing=0, increasing)`, ['hist']],
  [`recount(${projected}:h1_in)`, ['root', 'hist']],
  [`fill('${sample}', 'Events', 'Dimuon_mass>>(40,70,110)', 'nMuon==2')`, ['root']],
];

test.skipIf(!oraclePython).each(['root', 'hist'] as const)(
  '--code %s makes the same bins',
  async (tool) => {
    const cases = PROGRAMS.filter(([, tools]) => tools.includes(tool)).map(([expression]) => expression);
    const programs: string[] = [];
    for (const expression of cases) {
      const { out, err, status } = await calc(expression, '--code', tool);
      expect(status, err).toBe(0);
      programs.push(out);
    }
    // One start of Python for all, each program in names of its own.
    const file = join(folder, `${tool}.json`);
    writeFileSync(file, JSON.stringify(programs));
    const runner = `import json, sys
for program in json.load(open(sys.argv[1])):
    names = {}
    exec(program + sys.argv[2], names)`;
    const printed = execFileSync(oraclePython ?? '', ['-c', runner, file, PRINT[tool]], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const results = printed.split('\n').flatMap((line) => /^RESULT(.*)/.exec(line)?.[1] ?? []);
    expect(results).toHaveLength(cases.length);
    for (const [k, expression] of cases.entries()) {
      const direct = await histogram(expression);
      const [contents, squares] = JSON.parse(results[k] ?? '') as [number[], number[]];
      const own = direct.profile
        ? [direct.means, direct.errors?.map((e) => e * e)]
        : [direct.sums, direct.squares];
      expect(contents, expression).toHaveLength(direct.sums.length);
      contents.forEach((value, i) => {
        expect(own[0]?.[i], `${expression}: cell ${i}`).toBeCloseTo(value, 9);
        expect(own[1]?.[i], `${expression}: squared error ${i}`).toBeCloseTo(squares[i] ?? 0, 9);
      });
    }
  },
  120_000,
);

test.skipIf(!oraclePython)(
  '--code hist writes the intervals of efficiencies',
  async () => {
    const names = ['cp', 'normal', 'wilson', 'ac', 'jeffreys', 'uniform'];
    const expressions = names.map(
      (name) =>
        `efficiency(${sample}:plots/upsilon, ${sample}:plots/upsilon + ${sample}:plots/upsilon, "${name}")`,
    );
    let filled: number[] | undefined;
    for (const expression of expressions) {
      const program = await calc(expression, '--code', 'hist');
      expect(program.status, program.err).toBe(0);
      const lines = 'print("RESULT" + __import__("json").dumps([one.tolist() for one in result]))';
      const printed = execFileSync(oraclePython ?? '', ['-c', `${program.out}\n${lines}`], {
        encoding: 'utf8',
      });
      const [value, low, high] = JSON.parse(/RESULT(.*)/.exec(printed)?.[1] ?? '') as number[][];
      const { out, err } = await calc(expression, '--csv', '-');
      const points = out
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').map(Number));
      // Bins without any entry have no point.
      filled ??= (value ?? []).flatMap((one, i) => (one > 0 ? [i] : []));
      expect(points.length, err).toBe(filled.length);
      points.forEach(([, y = 0, , , down = 0, up = 0], k) => {
        const i = filled?.[k] ?? 0;
        expect(y, `${expression} ${i}`).toBeCloseTo(value?.[i] ?? 0, 7);
        expect(y - down, `${expression} ${i}`).toBeCloseTo(low?.[i] ?? 0, 6);
        expect(y + up, `${expression} ${i}`).toBeCloseTo(high?.[i] ?? 0, 6);
      });
    }
  },
  120_000,
);

test('operations on a profile are not written for hist', async () => {
  const { out, err, status } = await calc(`rebin(profile(${projected}:h2_in, x), 2)`, '--code', 'hist');
  expect([out, status]).toEqual(['', 1]);
  expect(err).toMatch(/Operations on a profile are not written for hist/);
});

test('what a tool cannot do is said, and nothing is printed', async () => {
  for (const [expression, tool, message] of [
    ['range(a.root:h, 1:2)', 'hist', /hist has no range/],
    ['snip(a.root:h, 8, compton)', 'hist', /Compton edges are not written/],
    ['efficiency(a.root:h, a.root:g, "fc")', 'hist', /"fc" are not written/],
    ['all.json', 'root', /partial results/],
    [`fill('a.root', 'Events', 'pt')`, 'root', /bins and ends/],
  ] as const) {
    const { out, err, status } = await calc(expression, '--code', tool);
    expect([status > 0, out]).toEqual([true, '']);
    expect(err).toMatch(message);
  }
});

test('every operation has a program for ROOT', async () => {
  const { rootProgram } = await import('../../../web/features/calc/work/programs/root');
  for (const name of operationNames) {
    const { operands, example } = OPERATIONS[name];
    const args = [...operands.map((_, i) => `a.root:h${i}`), ...(example === '' ? [] : [example])];
    const { steps } = compiled(`${name}(${args.join(', ')})`);
    expect(rootProgram(steps, () => ({ file: 'a.root', path: 'h' }))).toContain('result');
  }
});

test('names split into files and paths, addresses too', () => {
  for (const [name, file, path] of [
    ['a.root:dir/h;2', 'a.root', 'dir/h;2'],
    ['https://host:8080/a.root?x=1:h', 'https://host:8080/a.root?x=1', 'h'],
    ['root://host//a.root.b/c.root:h', 'root://host//a.root.b/c.root', 'h'],
    ['all.json', 'all.json', ''],
  ] as const)
    expect(namedFile(name)).toEqual({ file, path });
  for (const name of ['h', 'dir/h', 'a.rootless:h', 'h.roots']) expect(namedFile(name)).toBeUndefined();
});

test('steps of the page are a text, and each takes the result before', () => {
  const text = 'rebin(h, 2)|h / "other"';
  expect(textOfSteps(stepsOfText(text))).toBe(text);
  expect(stepsOfText(' | ')).toEqual([]);
  expect(textOfSteps(['h + "a|b"'])).toBe('h + "a b"');
  expect(compiledSteps(stepsOfText(text), '"own"').steps).toEqual([
    { op: 'open', name: 'own' },
    { op: 'rebin', of: [0], groups: [2] },
    { op: 'open', name: 'other' },
    { op: 'divide', of: [1, 2] },
  ]);
});

test('the tool of assistants reads the file that is given, and no other', async () => {
  const { tool } = calcCommand;
  const places = { file: bins, output: '' };
  const line = async (expression: string) => await tool?.line({ expression }, places, {} as never);
  expect(await line('fixed + "fixed_part"')).toEqual({
    options: { json: true, file: bins },
    words: ['fixed + "fixed_part"'],
  });
  for (const expression of ['h + /etc/a.root:h', '"/etc/all.json" + h', "fill('/etc/a.root', 't', 'x')"])
    await expect(line(expression)).rejects.toThrow(/names another file/);
});

test('the library calculates with results, stored histograms and contents', async () => {
  await using file = await openRoot(bins, { workers: 0 });
  const stored = await file.histogram('fixed');
  const made = { counts: [1, 2, 3, 4], edges: [0, 1, 2, 3, 4] };
  const sum = await calculate('h + 2 * h', { h: stored });
  expect(sum).toMatchObject({ kind: 'histogram', fills: 2 * stored.fills });
  expect(await calculate('integral(rebin(a, 2), 0:2)', { a: made })).toEqual({
    kind: 'number',
    value: 3,
    error: Math.sqrt(3),
  });
  const { cells } = (await calculate('efficiency(a, b)', {
    a: made,
    b: { ...made, counts: [4, 4, 4, 4] },
  })) as CalculatedEfficiency;
  expect(cells).toHaveLength(6);
  expect(cells[4]?.value).toBe(1);
  expect(await calculate('stats(a)', { a: made })).toMatchObject({ kind: 'statistics', entries: 10 });
  await expect(calculate('a / c', { a: made })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(calculate('a + h', { a: made, h: stored })).rejects.toMatchObject({ code: 'ARGUMENT' });
  await expect(calculate('__proto__', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
