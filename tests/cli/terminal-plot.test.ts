import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { printable } from '../../web/base/text';
import { right, tableLines } from '../../web/cli/terminal/table';
import { terminalHeat } from '../../web/cli/terminal/terminal-heat';
import { terminalBars, terminalPlot } from '../../web/cli/terminal/terminal-plot';
import { type MapModel, type PlotModel, uniformEdges } from '../../web/plot/model';
import { withReader } from '../engine-reader';
import { run } from './support';

const reader = withReader();

function model(values: number[], low: number, high: number): PlotModel {
  return {
    kind: 'bins',
    title: 'a title',
    xTitle: '',
    yTitle: '',
    edges: uniformEdges(values.length, low, high),
    values: Float64Array.from(values),
    mark: 'steps',
    stats: [{ label: 'Entries', value: '12' }],
  };
}

/** The plot area, without the axis and its labels. */
function area(lines: string[]): string[] {
  return lines.filter((line) => /[│┤]/.test(line)).map((line) => line.slice(line.search(/[│┤]/) + 1));
}

test('heights follow the contents to an eighth of a line', () => {
  const lines = terminalPlot(model([0, 1, 2, 4, 8, 16], 0, 6), { width: 11 + 42, height: 4 });
  const cells = area(lines).map((line) => line.padEnd(42));
  const column = (bin: number) => cells.map((line) => line[bin * 7]).join('');
  expect(column(0)).toBe('    ');
  const full = [...column(5)];
  expect(full.at(-1)).toBe('█');
  const eighths = (bin: number) =>
    [...column(bin)].reduce((sum, cell) => sum + (cell === ' ' ? 0 : (cell.codePointAt(0) ?? 0) - 0x2580), 0);
  for (const bin of [2, 3, 4]) expect(eighths(bin + 1) / eighths(bin)).toBeGreaterThan(1.6);
  expect(eighths(1)).toBeGreaterThan(0);
});

test('more bins than columns are added together', () => {
  const lines = terminalPlot(model(new Array(1000).fill(1), 0, 1000), { width: 80, height: 8 });
  const widths = area(lines).map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(69);
  expect(Math.max(...widths)).toBeGreaterThan(40);
});

test('cells of a map that share a line show the largest content, and those without one are left out', () => {
  const map: MapModel = {
    ...{ kind: 'map', title: 'm', xTitle: '', yTitle: '', zTitle: '', stats: [] },
    ...{ xEdges: uniformEdges(2, 0, 2), yEdges: uniformEdges(96, 0, 96) },
    // Beside a column of twos, some of them missing, one of ones: half as dark, whatever is missing.
    values: Float64Array.from({ length: 192 }, (_, i) => (i % 2 ? 1 : i % 3 ? Number.NaN : 2)),
  };
  const lines = area(terminalHeat(map, 60, false));
  expect(lines).toHaveLength(24);
  for (const line of lines) expect(line).toMatch(/^█+▒+$/);
});

test('no line is wider than the terminal, labels stand under their ticks', () => {
  for (const width of [40, 60, 80, 132, 200]) {
    const lines = terminalPlot(model([5, 9, 3, 1], -50, 50), { width });
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
  }
  const lines = terminalPlot(model([5, 9, 3, 1], -50, 50), { width: 80 });
  const axis = lines.findIndex((line) => /^ *[└┼]/.test(line));
  const tick = lines[axis]?.indexOf('┬', (lines[axis]?.length ?? 0) / 2 - 3) ?? -1;
  expect(lines[axis + 1]?.[tick]).toBe('0');
});

test('an empty histogram and one of a logarithmic axis are drawn', () => {
  expect(
    area(terminalPlot(model([0, 0, 0], 0, 1), { width: 60 }))
      .join('')
      .trim(),
  ).toBe('');
  const lines = area(terminalPlot(model([1, 10, 100, 1000], 0, 4), { width: 51, height: 12, logY: true }));
  const heights = [0, 1, 2, 3].map((bin) => lines.filter((line) => (line[bin * 10] ?? ' ') !== ' ').length);
  const steps = heights.slice(1).map((h, i) => h - (heights[i] ?? 0));
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
});

test('bars of strings: the longest is the most frequent, control characters are shown as dots', () => {
  const lines = terminalBars(
    [
      { value: 'often', count: 100 },
      { value: '\u001b[31mred', count: 50 },
      { value: '', count: 1 },
    ],
    60,
  );
  const lengths = lines.map((line) => [...line].filter((c) => c >= '█' && c <= '▏').length);
  expect(lengths[0]).toBeGreaterThan(1.8 * (lengths[1] ?? 0));
  expect(lines[1]).not.toContain('\u001b');
  expect(lines[2]).toMatch(/1 {2}\S/);
});

test('names from a file cannot move the cursor', () => {
  expect(printable('a\u001b[2Jb\r\n\u009b')).toBe('a·[2Jb···');
  const lines = tableLines(
    ['Key', right('Size')],
    [
      ['x\ny', '5 B'],
      ['longer name', '1234 B'],
    ],
  );
  expect(lines).toEqual(['Key            Size', 'x·y             5 B', 'longer name  1234 B']);
});

test('a map whose axes nobody gave shows the part that has contents, as the page does', async () => {
  const sample = resolve(import.meta.dirname, '../../public/sample.root');
  const rowsOf = async (...options: string[]) => {
    const { out } = await run(reader, 'draw', sample, 'Events', 'Muon_phi:Muon_eta', ...options);
    return area(out.split('\n')).map((line) => line.trim() !== '');
  };
  // The automatic axis of phi has 40 bins from -3.6 to 10.8, as in ROOT; the values end at pi.
  const found = await rowsOf();
  expect(found.length).toBeGreaterThan(15);
  expect(found).not.toContain(false);
  expect((await rowsOf('--axes', 'root')).filter((isFilled) => !isFilled).length).toBeGreaterThan(8);
  expect(await rowsOf('--hist', '40,-6,16,40,-3.6,10.8')).toContain(false);
});

test('names of bins and times stand in the pictures of a terminal, without TLatex', async () => {
  const zoo = resolve(import.meta.dirname, '../fixtures/files/page/zoo.root');
  const draw = async (path: string) => (await run(reader, 'draw', zoo, path)).out;
  expect(await draw('h1_labels')).toMatch(/^E_T\S* +31 /m);
  const [, ...lines] = (await draw('h2_text')).split('\n');
  expect(lines.slice(0, 3).map((line) => line.slice(0, 10).trim())).toEqual(['τ', 'μ', 'e']);
  expect(lines[4]).toMatch(/^ +e +μ +τ$/);
  // The axis of times is in UTC.
  expect(await draw('h1_time')).toMatch(/\n +.*\d\d:\d\d.*\n/);
});
