import { expect, test } from 'vitest';
import { type Drawing, dotsPath, type Shape } from '../../web/plot/drawing/drawing';
import { pathSteps, shortPath } from '../../web/plot/drawing/short-path';
import { createSvgSheet } from '../../web/plot/drawing/svg-sheet';

type Point = [x: number, y: number];

/** Ends of the lines of a path, read by the rules of SVG. */
function points(d: string): Point[] {
  const found: Point[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, letter = '', text = ''] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const n = (text.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const isRelative = letter === letter.toLowerCase();
    const [ox, oy] = isRelative ? [x, y] : [0, 0];
    const sizes: Record<string, number> = { m: 2, l: 2, c: 6, a: 7, h: 1, v: 1, z: 0 };
    expect(n).toHaveLength(sizes[letter.toLowerCase()] ?? -1);
    if (letter === 'z' || letter === 'Z') [x, y] = [startX, startY];
    else if (/h/i.test(letter)) x = ox + (n[0] ?? 0);
    else if (/v/i.test(letter)) y = oy + (n[0] ?? 0);
    else [x, y] = [ox + (n.at(-2) ?? 0), oy + (n.at(-1) ?? 0)];
    if (/m/i.test(letter)) [startX, startY] = [x, y];
    found.push([x, y]);
  }
  return found;
}

/** Corners of a path: points in the middle of a straight line along an axis say nothing. */
function corners(all: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of all) {
    const [before, last] = kept.slice(-2);
    const isOn = (i: 0 | 1) =>
      before && last && Math.abs(before[i] - last[i]) < 0.06 && Math.abs(last[i] - point[i]) < 0.06;
    if (last && Math.hypot(last[0] - point[0], last[1] - point[1]) < 0.06) continue;
    if (isOn(0) || isOn(1)) kept.pop();
    kept.push(point);
  }
  return kept;
}

function close(found: readonly Point[], expected: readonly Point[], limit: number): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, [x, y]] of expected.entries()) {
    expect(Math.abs((found[i]?.[0] ?? Number.NaN) - x)).toBeLessThan(limit);
    expect(Math.abs((found[i]?.[1] ?? Number.NaN) - y)).toBeLessThan(limit);
  }
}

const steps = (scale: number, count = 400): string => {
  let d = 'M10.04 90V50.5';
  for (let i = 0; i < count; i++)
    d += `H${(10 + (i + 1) * 2.53 * scale).toFixed(2)}V${(40 + 30 * Math.sin(i)).toFixed(2)}`;
  return `${d}V90Z`;
};

test.each([
  ['steps of a histogram', steps(1)],
  ['crosses', 'M49.24 218.34H54.48M51.86 208.6V228.08M54.48 227.03H59.72M57.1 222.96V231.1'],
  [
    'lines, curves and a closed figure',
    'M1.25 2L3.5 -4.75C1 2 3 4.5 -5.05 6.3L0.4 0.04ZM7 7l'.replace('l', 'L8 9'),
  ],
  ['small steps that round to nothing', 'M0 0H0.04H0.08H0.12H0.16H0.2V0.03V0.06V0.09'],
  [
    'circles',
    dotsPath(
      [
        [10.3, 20.7],
        [30, 40],
      ],
      2.5,
    ),
  ],
])('a short path has the same places: %s', (_, d) => {
  for (const digits of ['tenths', 'pixels'] as const) {
    const text = shortPath(pathSteps(d) ?? [], digits);
    if (d.length > 100) expect(text.length).toBeLessThan(d.length);
    const unit = digits === 'tenths' ? 10 : 1;
    const found = points(text).map(([x, y]): Point => [x / unit, y / unit]);
    const expected = corners(points(d));
    close(corners(found), expected, 0.11);
  }
});

test('errors of rounding do not add up', () => {
  const d = `M0 0${Array.from({ length: 5000 }, (_, i) => `H${((i + 1) * 0.14).toFixed(2)}V${i % 2}`).join('')}`;
  const [x] = points(shortPath(pathSteps(d) ?? [], 'pixels')).at(-1) ?? [];
  expect(x).toBeCloseTo(700, 1);
});

test('a command that drawings do not have is not read', () => {
  expect(pathSteps('M0 0Q1 2 3 4')).toBeUndefined();
  expect(pathSteps('M0 0LNaN 3')).toBeUndefined();
});

const clip = (k: number, shapes: Shape[]): Shape => ({
  kind: 'clip',
  x: 0,
  y: 0,
  width: 100 * k,
  height: 100 * k,
  shapes,
});
const plot = (k: number, shapes: Shape[]): Drawing => ({
  ...{ width: 100 * k, height: 100 * k, title: 'A <plot>' },
  shapes: [{ kind: 'path', d: `M0 ${90 * k}H${100 * k}`, stroke: 'ink' }, clip(k, shapes)],
});
const twice = { x: { scale: 2, offset: 0 }, y: { scale: 2, offset: 0 } };

test('a stretched copy refers to the contents, and lines keep their width', () => {
  const sheet = createSvgSheet();
  const line = (k: number): Shape[] => [
    { kind: 'path', d: `M0 ${k}H${10 * k}V${20 * k}`, fill: 'line1', fillOpacity: 0.15 },
    { kind: 'path', d: `M0 ${k}H${10 * k}V${20 * k}`, stroke: 'line1', width: 1.4 },
    { kind: 'dots', points: [[3 * k, 4 * k]], radius: 2, fill: 'line1' },
  ];
  const { svg, copy } = sheet.add(plot(1, line(1)), { drawing: plot(2, line(2)), stretch: () => twice });
  const [small, large] = [sheet.text(svg), sheet.text(copy ?? [])];
  const [, id] = /<g id=(\w+) class=tenths>/.exec(small) ?? [];
  // The area and its line are one path.
  expect(small.match(/<path class=\w+ d="M0 10h100v190"/g)).toHaveLength(1);
  expect(small).toMatch(/d="M30 40h0"/);
  expect(large).toContain(`<use class=copy href=#${id} transform="matrix(2 0 0 2 0 0)"/>`);
  expect(large).toContain('<title>A &lt;plot&gt;</title>');
  expect(sheet.style()).toMatch(
    /stroke-width:calc\(var\(--unit\)\*14px\);.*vector-effect:var\(--fixed,none\)/,
  );
});

test('contents that are not a copy are written twice', () => {
  const sheet = createSvgSheet();
  const other = (d: string, radius: number): Shape[] => [
    { kind: 'path', d, stroke: 'line1' },
    { kind: 'dots', points: [], radius, fill: 'line1' },
    { kind: 'text', x: 5, y: 5, text: 'm < n' },
  ];
  const { copy } = sheet.add(plot(1, other('M0 1H10', 1)), {
    drawing: plot(2, other('M0 2H20.3', 2)),
    stretch: () => twice,
  });
  const large = sheet.text(copy ?? []);
  expect(large).toContain('d="M0 2h20.3"');
  expect(large).toContain('m &lt; n');
  expect(large).not.toContain('<use class=copy');
});

test('cells of a map are lines in units of cells; others keep their own widths', () => {
  const cells = (edges: readonly number[]): Shape[] =>
    ['#112233', '#445566'].map(
      (fill, colour): Shape => ({
        ...{ kind: 'path', fill: fill as `#${string}`, crisp: true },
        d: edges
          .slice(0, -1)
          .flatMap((left, i) =>
            [0, 1, 2].flatMap((row) =>
              (i + row) % 2 === colour ? [`M${left} ${20 - 10 * row}H${edges[i + 1]}v10H${left}Z`] : [],
            ),
          )
          .join(''),
      }),
    );
  const sheet = createSvgSheet();
  const text = (shapes: Shape[]) => sheet.text(sheet.add(plot(1, shapes)).svg);
  const even = text(cells([5, 15.33, 25.67, 36]));
  expect(even).toMatch(/<g transform="matrix\(10\.3333 0 0 10 5 5\)">/);
  expect(even).toContain('d="M0 2h1m-1-2h1m0 1h1m0 1h1m-1-2h1"');
  expect(text(cells([5, 10, 25, 36]))).not.toContain('matrix');
});

test('an axis that several plots have is written once', () => {
  const sheet = createSvgSheet();
  const axis: Shape[] = [1, 2, 3].map((x) => ({ kind: 'text', x, y: 9, text: `${x}00`, anchor: 'middle' }));
  const drawing = { width: 10, height: 10, title: '', shapes: axis };
  const one = sheet.add(drawing).svg;
  expect(sheet.text(one)).toContain('>100</text>');
  const two = sheet.add(drawing).svg;
  expect(sheet.text(two)).toMatch(/^<svg [^>]*><use href=#(\w+) \/><\/svg>$/);
  expect(sheet.text(one)).toBe(sheet.text(two));
  expect(sheet.defs()).toContain('>100</text>');
});
