// Needs features: walls.
// Numbers and pictures of stored objects beside what ROOT says of them: tests/fixtures/make_plot_numbers.py.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PlainObject } from '../../../web/api/objects';
import { canvasPicture } from '../../../web/features/pads/work/canvas';
import { type Drawing, PALETTE, type Shape, TEXT_SIZE } from '../../../web/plot/drawing/drawing';
import { paintDrawing } from '../../../web/plot/drawing/drawing-canvas';
import { titleWidth } from '../../../web/plot/drawing/latex';
import { type PlotModel, withCountErrors } from '../../../web/plot/model';
import { curveInks } from '../../../web/plot/panels';
import { shownRanges } from '../../../web/plot/ranges';
import { drawnObject, loadKinds, modelOfObject } from '../../../web/plot/stored/stored';
import { plotSvg } from '../../../web/plot/svg';
import { titledDrawing } from '../../../web/plot/titled-drawing';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const files = resolve(import.meta.dirname, '../../fixtures/files');
const path = join(files, 'plot-numbers.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-plot-numbers-'));
const at = (name: string): string => join(folder, name);

interface Efficiency {
  efficiency: number[];
  down: number[];
  up: number[];
}
const root = JSON.parse(readFileSync(join(files, 'plot-numbers.json'), 'utf8')) as {
  efficiencies: { eff: Efficiency; eff2: Efficiency };
  graphs: { asym: number[][]; plain: number[][] };
  stacks: Record<'finer' | 'shifted' | 'renamed' | 'same', number[]>;
  styled: Record<'hist' | 'errors', [number, number]>;
  stamps: {
    overflow: number;
    order: string[];
    names: Record<string, number>;
    entries: number;
    sums: number[];
  };
};

const reader = withReader();
let file: number;
beforeAll(async () => {
  const bytes = readFileSync(path);
  file = (await reader.open({ kind: 'blob', name: 'plot-numbers.root', blob: new Blob([bytes]) })).id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const object = (name: string): Promise<PlainObject> => reader.object(file, name);

/** Returns the lines and cells that a command line prints. */
async function csv(...args: string[]): Promise<string[][]> {
  const { out, err, status } = await run(reader, 'draw', path, ...args, '--csv', '-');
  if (status !== 0) throw new Error(err);
  return out
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

function near(found: readonly (string | undefined)[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => void expect(Number(found[i])).toBeCloseTo(value, 9));
}

const column = (rows: string[][], name: string) =>
  rows.slice(1).map((row) => row[rows[0]?.indexOf(name) ?? -1]);

describe('points as CSV', () => {
  it('has those of a graph with its errors, as ROOT gives them', async () => {
    const [head, ...rows] = await csv('asym');
    expect(head).toEqual(['x', 'y', 'left', 'right', 'down', 'up']);
    rows.forEach((row, i) => void near(row, root.graphs.asym[i] ?? []));
    expect(rows).toHaveLength(3);
    const plain = await csv('plain');
    plain.slice(1).forEach((row, i) => void near(row, root.graphs.plain[i] ?? []));
    expect(plain[0]).toEqual(['x', 'y']);
  });

  it('has those of an efficiency of one axis, with the names of its bins, and of two', async () => {
    const one = await csv('eff');
    expect(column(one, 'x_label')).toEqual(['mu', 'e', 'tau']);
    const two = await csv('eff2');
    expect(column(two, 'x_low')).toEqual(['0', '1', '0', '1', '0', '1']);
    expect(column(two, 'y_high')).toEqual(['0', '0', '1', '1', '2', '2']);
    for (const [rows, value, said] of [
      [one, 'y', root.efficiencies.eff],
      [two, 'efficiency', root.efficiencies.eff2],
    ] as const) {
      near(column(rows, value), said.efficiency);
      near(column(rows, 'down'), said.down);
      near(column(rows, 'up'), said.up);
    }
  });

  it('names the graphs of several, and leaves out errors that one has not', async () => {
    const { out } = await run(reader, 'draw', path, 'several', '--csv', '-');
    expect(out.trim().split('\n')).toEqual([
      'graph,x,y,left,right,down,up',
      '"first, with a comma",1,4,,,,',
      '"first, with a comma",2,1.5,,,,',
      'second,1,4,0.1,0.1,0.3,0.3',
      'second,2,1.5,0.2,0.2,0.4,0.4',
    ]);
  });
});

it('an efficiency alone has the names of its bins along x', async () => {
  const { out } = await run(reader, 'draw', path, 'eff', '--svg', '-');
  const texts = [...out.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(texts).toEqual(expect.arrayContaining(['mu', 'e', 'tau']));
  expect(texts).not.toContain('0.5');
});

describe('a stack', () => {
  const reasons = {
    finer: /different bins: 4 from 0 to 4 in finer_a, 8 from 0 to 4 in finer_b/,
    shifted: /different bins: 4 from 0 to 4 in shifted_a, 4 from 2 to 6 in shifted_b/,
    renamed: /bins of renamed_a and renamed_b have different names/,
    empty: /it has no histograms/,
  };

  it('of equal bins is added as ROOT adds it', async () => {
    const stored = await object('same');
    await loadKinds(stored);
    const model = modelOfObject(stored);
    expect(model?.kind === 'graph' && [...(model.stack?.sum.values ?? [])]).toEqual(root.stacks.same);
  });

  it.each(Object.entries(reasons))(
    '%s, whose bins ROOT would merge, is refused with that reason',
    async (name, why) => {
      const { status, err } = await run(reader, 'draw', path, name, '--svg', at('stack.svg'));
      expect(status).toBe(1);
      expect(err).toMatch(why);
      // The page, and a wall, have the same words.
      const stored = await object(name);
      await loadKinds(stored);
      expect(drawnObject(stored, new Map(), '').why?.message).toMatch(why);
      const { out } = await run(reader, 'wall', path, name, '--json');
      expect(out).toMatch(why);
    },
  );

  it.each(['finer', 'shifted', 'renamed'])(
    '%s is drawn beside each other, each with its own bins',
    async (name) => {
      const { status, err } = await run(
        reader,
        'draw',
        path,
        name,
        '--option',
        'nostack',
        '--svg',
        at('stack.svg'),
      );
      expect({ status, err }).toEqual({ status: 0, err: `written: ${at('stack.svg')}\n` });
    },
  );
});

/** The labels below a plot or beside it: lines of text that lie along one angle. */
type Label = Shape & { kind: 'text' };

async function drawingOf(name: string, size: { width: number; height: number }): Promise<Drawing> {
  const stored = await object(name);
  if (stored._typename === 'TCanvas') return canvasPicture(stored, new Map()).drawing;
  const model = modelOfObject(stored);
  if (model === undefined) throw new Error(`${name} is not drawn`);
  return titledDrawing(model, size, { log: { x: false, y: false }, stats: false });
}

/** Corners of a line of text, 0.7 of its size above its foot, as wide as the fonts of pictures have it. */
function cornersOf({ x, y, text, angle = 0, anchor = 'start', size = TEXT_SIZE }: Label): [number, number][] {
  const wide = titleWidth(text) * size;
  const from = anchor === 'start' ? 0 : anchor === 'middle' ? -wide / 2 : -wide;
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  const at = (along: number, up: number): [number, number] => [
    x + along * cos + up * sin,
    y + along * sin - up * cos,
  ];
  return [at(from, 0), at(from + wide, 0), at(from + wide, 0.7 * size), at(from, 0.7 * size)];
}

/** Whether two lines of text at the same angle have a place in common. */
function overlap(one: Label, other: Label): boolean {
  const turn = (-(one.angle ?? 0) * Math.PI) / 180;
  const turned = (label: Label) =>
    cornersOf(label).map(([x, y]) => [
      x * Math.cos(turn) - y * Math.sin(turn),
      x * Math.sin(turn) + y * Math.cos(turn),
    ]);
  const [a, b] = [turned(one), turned(other)];
  return [0, 1].every((k) => {
    const [low, high] = [a, b].map((points) => points.map((point) => point[k] ?? 0));
    return (
      Math.min(...(high ?? [])) < Math.max(...(low ?? [])) &&
      Math.min(...(low ?? [])) < Math.max(...(high ?? []))
    );
  });
}

const SIZES = [
  { width: 320, height: 230 },
  { width: 720, height: 480 },
  { width: 1256, height: 560 },
];

describe.each(SIZES)('labels of axes in a picture of %o', (size) => {
  const names = [12, 60, 300]
    .flatMap((count) => [3, 25].map((width) => `${count}_${width}`))
    .filter((one) => one !== '12_3');

  it.each([...names.map((name) => `l${name}`), 'm60_3', 'm60_25', 'c60_3', 'c60_25', 'c300_3', 'c12_25'])(
    'of %s, names of bins do not overlap, and lie in the picture',
    async (name) => {
      const { shapes, width, height } = await drawingOf(name, size);
      const labels = shapes.flatMap((one) => (one.kind === 'text' && /^\d{3}|…/.test(one.text) ? [one] : []));
      expect(labels.length).toBeGreaterThan(5);
      for (const one of labels)
        for (const [x, y] of cornersOf(one)) {
          expect(Math.min(x, width - x)).toBeGreaterThanOrEqual(0);
          expect(Math.min(y, height - y)).toBeGreaterThanOrEqual(0);
        }
      const pairs = labels.flatMap((one, i) =>
        labels
          .slice(i + 1)
          .filter((other) => (other.angle ?? 0) === (one.angle ?? 0) && overlap(one, other))
          .map((other) => [one.text, other.text]),
      );
      expect(pairs).toEqual([]);
      // The rests of the names differ.
      expect(new Set(labels.map(({ text }) => text)).size).toBeGreaterThan(2);
    },
  );

  it.each([
    ['wide1e6', /^1000$/, '×10³'],
    ['wide2e6', /^2000$/, '×10³'],
    ['wide2e7', /^20$/, '×10⁶'],
    ['tiny', /^3(\.0)?$/, '×10⁻⁶'],
  ])(
    'of %s, the last one is whole, and the power of ten that ROOT takes stands once',
    async (name, last, factor) => {
      const { shapes, width } = await drawingOf(name, size);
      expect(shapes.filter((one) => one.kind === 'text' && one.text === factor)).toHaveLength(1);
      const label = shapes.findLast((one): one is Label => one.kind === 'text' && last.test(one.text));
      if (label === undefined) throw new Error(`no ${last}`);
      // Fonts of pages are up to a seventh wider than those of pictures.
      const spare =
        (titleWidth(label.text) * TEXT_SIZE) / 7 / (label.anchor === 'end' ? Number.POSITIVE_INFINITY : 2);
      expect(Math.max(...cornersOf(label).map(([x]) => x)) + spare).toBeLessThanOrEqual(width);
      const other = /\d×10[³⁶⁹]/;
      expect(shapes.filter((one) => one.kind === 'text' && other.test(one.text))).toEqual([]);
    },
  );
});

it('values that all lie beyond the axis that ROOT finds are said to, in texts, pictures and plots of the page', async () => {
  const said = /Beyond the axis\s+all 100 entries/;
  const { out } = await run(reader, 'draw', path, 'stamps', 'time');
  expect(out).toMatch(said);
  expect(root.stamps.overflow).toBe(100);
  const svg = (await run(reader, 'draw', path, 'stamps', 'time', '--svg', '-')).out;
  expect(svg.replace(/<[^>]*>/g, ' ')).toMatch(said);
  // The axis that lies tight around the values has them.
  const tight = await run(reader, 'draw', path, 'stamps', 'time', '--axes', 'tight');
  expect(tight.out).toMatch(/Overflow 0/);
  expect(tight.out).not.toMatch(/Beyond/);
  // Saved, and drawn again.
  const target = at('stamps.root');
  await run(reader, 'draw', path, 'stamps', 'time', '--root', target);
  expect((await run(reader, 'draw', target, 'htemp')).out).toMatch(said);
});

describe('the option HIST', () => {
  const lines = (svg: string) =>
    [...svg.matchAll(/<path d="(M[^"]*V[^"]*)" fill="none" stroke="#1f7a5c"/g)].map(([, d]) => d ?? '');

  it('leaves out the errors of a stored histogram, and their room', async () => {
    const [hist, errors] = await Promise.all(
      ['hist', 'errors'].map(async (name) => {
        const model = modelOfObject(await object(name));
        if (model?.kind !== 'bins') throw new Error(`no ${name}`);
        return { model, svg: plotSvg(model), range: shownRanges(model, { x: false, y: false }).y };
      }),
    );
    if (!hist || !errors) throw new Error('no models');
    // The contents are the outline; errors are one more path.
    expect(lines(hist.svg)).toHaveLength(1);
    expect(lines(errors.svg)).toHaveLength(2);
    expect(hist.range[1]).toBeLessThan(30);
    expect(errors.range[1]).toBeGreaterThan(60);
    // Where someone asks for them, they are those that are stored.
    const asked = withCountErrors(hist.model);
    expect(lines(plotSvg(asked))).toHaveLength(2);
    expect([...(asked.errors ?? [])]).toEqual([40, 40, 40, 40]);
  });

  it.each(['hist', 'errors'] as const)('gives the canvas of "%s" the range that ROOT finds', async (name) => {
    const { pads } = canvasPicture(await object(`c_${name}`), new Map());
    const { y1, y2 } = pads[0]?.shown ?? {};
    expect([y1, y2]).toEqual(root.styled[name].map((value) => expect.closeTo(value, 4)));
  });
});

it('the faint fill of a page and a fitted function follow the colours of the lines', async () => {
  const bins = modelOfObject(await object('hist'));
  if (bins?.kind !== 'bins') throw new Error('no bins');
  const x = Float64Array.of(0, 4);
  const curves = [0, 1].map((i) => ({ title: `f${i}`, x, y: Float64Array.of(i, i) }));
  const model: PlotModel = { ...bins, ink: 'line3', curves };
  expect(curveInks(model)).toEqual(['line2', 'line4']);
  expect(curveInks({ ...bins, curves })).toEqual(['line2', 'line3']);
  const fills: unknown[] = [];
  vi.stubGlobal('Path2D', class {});
  const paint = { palette: PALETTE, fontFamily: 'sans', area: '#00ff00' };
  const ctx = new Proxy(
    {},
    {
      get: (_, name) => (name === 'measureText' ? () => ({ width: 1 }) : () => undefined),
      set(_, name, value) {
        if (name === 'fillStyle') fills.push(value);
        return true;
      },
    },
  );
  const painted = (one: PlotModel): unknown[] => {
    fills.length = 0;
    paintDrawing(
      ctx as CanvasRenderingContext2D,
      titledDrawing(one, { width: 300, height: 200 }, { log: { x: false, y: false }, stats: false }),
      paint,
    );
    return [...fills];
  };
  expect(painted(model)).toContain(PALETTE.line3);
  expect(painted(model)).not.toContain('#00ff00');
  expect(painted({ ...bins, curves })).toContain('#00ff00');
  vi.unstubAllGlobals();
});

describe('strings', () => {
  it('are a histogram with a bin for each text, as TTree::Draw makes it, in files of bins', async () => {
    const rows = await run(reader, 'draw', path, 'stamps', 'name', '--csv', '-');
    const { order, names } = root.stamps;
    expect(rows.out.trim().split('\n').slice(1)).toEqual(
      order.map((name) => {
        const count = names[name] ?? 0;
        return `${name.includes(',') ? `"${name}"` : name},${count},${Math.sqrt(count)}`;
      }),
    );
    const target = at('names.root');
    const { status } = await run(reader, 'draw', path, 'stamps', 'name', '--root', target);
    expect(status).toBe(0);
    const saved = JSON.parse((await run(reader, 'object', target, 'htemp', '--json')).out) as {
      fEntries: number;
      fTsumw: number;
      fTsumwx: number;
      fXaxis: { fXmin: number; fXmax: number; fLabels: { arr: { fString: string }[] } };
    };
    const [low, high, mean = 0] = root.stamps.sums;
    expect(saved.fEntries).toBe(root.stamps.entries);
    expect(saved.fTsumwx / saved.fTsumw).toBeCloseTo(mean, 12);
    expect([saved.fXaxis.fXmin, saved.fXaxis.fXmax]).toEqual([low, high]);
    expect(saved.fXaxis.fLabels.arr.map(({ fString }) => fString)).toEqual(order);
  });

  it('stay the most frequent ones in the terminal and as JSON', async () => {
    const { out } = await run(reader, 'draw', path, 'stamps', 'name', '--json');
    expect(JSON.parse(out)).toMatchObject({ kind: 'frequencies', distinct: 4 });
  });
});
