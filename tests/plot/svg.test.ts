import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../web/api/api';
import { escapeXml } from '../../web/plot/drawing/drawing';
import { outlinePath, stepOutline } from '../../web/plot/drawing/steps';
import { axisTicks } from '../../web/plot/drawing/ticks';
import { binsModel } from '../../web/plot/histogram';
import { binAt, type PlotModel, uniformEdges, valueRange, withCountErrors } from '../../web/plot/model';
import { rebinned } from '../../web/plot/rebin';
import { plotSvg } from '../../web/plot/svg';

const histogram: Histogram = {
  kind: 'histogram',
  title: 'a < b & "c"',
  name: 'htemp',
  profile: false,
  axes: [{ title: 'x', bins: 4, low: 0, high: 4 }],
  sums: Float64Array.of(5, 1, 3, 0, 2, 7),
  squares: Float64Array.of(5, 1, 3, 0, 2, 7),
  fills: 20,
  entries: 20,
  nan: 2,
  weight: 6,
  effective: 6,
  mean: [1.5],
  stdDev: [0.25],
  min: [-1],
  max: [9],
  integer: [false],
  covariance: 0,
};

const modelOf = (sums: Float64Array): PlotModel => binsModel({ ...histogram, sums, squares: sums });

describe('plotSvg', () => {
  it('escapes every text and stays one well-formed document', () => {
    const svg = plotSvg(histogram, { xTitle: '</text><script>x</script>', yTitle: "'" });
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
    expect(svg).not.toContain('<script');
    expect(svg.match(/<text/g)).toHaveLength(svg.match(/<\/text>/g)?.length ?? -1);
    expect(svg.startsWith('<svg ')).toBe(true);
    expect(svg.trimEnd().endsWith('</svg>')).toBe(true);
  });

  it('shows the statistics, NaN included, unless told not to', () => {
    const svg = plotSvg(histogram);
    for (const text of ['Entries', '>20<', 'Underflow', '>5<', 'Overflow', '>7<', 'NaN', '>1.5<', '>−1<']) {
      expect(svg).toContain(text);
    }
    expect(plotSvg(histogram, { stats: false })).not.toContain('Underflow');
  });

  it('has finite coordinates for empty, logarithmic and all-negative contents', () => {
    for (const counts of [
      new Float64Array(6),
      Float64Array.of(0, 0, 1e9, 1, 0, 0),
      Float64Array.of(0, -1, -2, -3, -4, 0),
    ]) {
      for (const log of [{}, { x: true }, { y: true }, { x: true, y: true }]) {
        const svg = plotSvg({ ...histogram, sums: counts, squares: counts }, { log, stats: false });
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      }
    }
  });
});

describe('plots of every kind', () => {
  it('draws overlays in colours of their own, and names them', () => {
    const model = binsModel(histogram);
    const svg = plotSvg({ ...model, overlays: [{ title: '<second>', values: Float64Array.of(4, 3, 2, 1) }] });
    expect(svg).toContain('&lt;second&gt;');
    expect(new Set(svg.match(/stroke="#[0-9a-f]{6}" stroke-width="1.4"/g)).size).toBe(2);
    expect(
      valueRange({ ...model, overlays: [{ title: '', values: Float64Array.of(90) }] }, false)[1],
    ).toBeGreaterThan(90);
  });

  it('draws each cell of a map once, in as many colours as it has contents', () => {
    const edges = uniformEdges(3, 0, 3);
    const values = Float64Array.of(0, 1, 1, 2, 2, 2, 0, 0, 9);
    const map = {
      kind: 'map' as const,
      title: 'm',
      xTitle: '',
      yTitle: '',
      zTitle: 'Content',
      xEdges: edges,
      yEdges: edges,
      values,
      stats: [],
    };
    const svg = plotSvg(map);
    const cells = svg.match(/<path [^>]*shape-rendering="crispEdges"\/>/g) ?? [];
    // Neighbours of a row with one content are one rectangle: 1 1 | 2 2 2 | 9.
    expect(cells.join('').match(/M/g)).toHaveLength(3);
    expect(cells).toHaveLength(3);
    expect(plotSvg(map, { log: { y: true } })).not.toMatch(/NaN|Infinity/);
  });

  it('draws points that do not ascend, with their error bars', () => {
    const x = Float64Array.of(2, 1, 3, Number.NaN);
    const some = Float64Array.of(0.1, 0.1, 0.1, 0.1);
    const errors = { left: some, right: some, down: some, up: some };
    const svg = plotSvg({ kind: 'graph', title: 'g', xTitle: '', yTitle: '', x, y: x, errors, stats: [] });
    // Each dot is two arcs.
    expect(svg.match(/a2\.4 2\.4/g)).toHaveLength(6);
    expect(svg).not.toContain('NaN');
  });
});

describe('rebinned', () => {
  const model: PlotModel = {
    ...binsModel(histogram),
    values: Float64Array.of(1, 2, 3, 4, 5),
    errors: Float64Array.of(3, 4, 0, 0, 2),
    edges: uniformEdges(5, 0, 5),
  };
  it('adds contents, adds errors in squares, and keeps a last bin that is not full', () => {
    const half = rebinned(model, 2);
    expect([...half.values]).toEqual([3, 7, 5]);
    expect([...(half.errors ?? [])]).toEqual([5, 0, 2]);
    expect([...half.edges]).toEqual([0, 2, 4, 5]);
  });
  it('leaves the means of a profile alone', () => {
    const profile: PlotModel = { ...model, mark: 'points' };
    expect(rebinned(profile, 2)).toBe(profile);
  });
});

describe('withCountErrors', () => {
  it('gives square roots only where no errors are stored', () => {
    const model = modelOf(Float64Array.of(0, 4, 9, 0, 1, 0));
    expect([...(withCountErrors(model).errors ?? [])]).toEqual([2, 3, 0, 1]);
    const stored = { ...model, errors: Float64Array.of(1, 1, 1, 1) };
    expect(withCountErrors(stored)).toBe(stored);
  });
});

describe('axisTicks', () => {
  it('puts names at the middles of their bins, every k-th where they would be too many', () => {
    const names = { edges: uniformEdges(4, 0, 8), labels: ['a', 'b', 'c', 'd'] };
    expect(axisTicks(0, 8, 10, false, names)).toEqual({ values: [1, 3, 5, 7], labels: ['a', 'b', 'c', 'd'] });
    expect(axisTicks(0, 8, 2, false, names).labels).toEqual(['a', '', 'c', '']);
  });
});

describe('escapeXml', () => {
  it('leaves no character that XML gives a meaning or forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
        expect(escaped).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      }),
    );
  });
});

describe('stepOutline', () => {
  const same = (value: number) => value;

  it('walks from edge to edge at the height of each bin', () => {
    expect(stepOutline([0, 2, 5], [1, 3], same, same)).toEqual([0, 1, 2, 1, 2, 3, 5, 3]);
    expect(outlinePath([0, 1, 2, 1, 2, 3, 5, 3], 0)).toBe('M0 0V1H2V3H5V0Z');
  });

  it('keeps the extremes of bins that share a pixel, with few points', () => {
    const bins = 100_000;
    const values = Float64Array.from({ length: bins }, (_, i) => (i === 54_321 ? 1000 : i % 7));
    const outline = stepOutline(uniformEdges(bins, 0, 1), values, (x) => x * 500, same);
    expect(outline.length).toBeLessThan(500 * 8.2);
    expect(Math.max(...outline.filter((_, i) => i % 2 === 1))).toBe(1000);
    expect(outline.at(-2)).toBe(500);
  });
});

describe('model', () => {
  it('finds the bin that holds a value, half-open', () => {
    const edges = Float64Array.of(0, 1, 4, 9);
    expect([-0.1, 0, 0.999, 1, 3.9, 4, 8.99, 9, Number.NaN].map((x) => binAt(edges, x))).toEqual([
      -1, 0, 0, 1, 1, 2, 2, -1, -1,
    ]);
  });

  it('gives a y range that holds all bins', () => {
    const model = binsModel(histogram);
    expect(valueRange(model, false)).toEqual([0, 3 * 1.08]);
    const [low, high] = valueRange(model, true);
    expect(low).toBe(0.5);
    expect(high).toBeGreaterThanOrEqual(3);
    expect(valueRange({ ...model, values: new Float64Array(4) }, false)).toEqual([0, 1]);
  });
});

it('makes room for contents whose errors are infinite or no numbers', () => {
  const errors = Float64Array.of(Number.POSITIVE_INFINITY, Number.NaN, 2, Number.POSITIVE_INFINITY);
  const model = { ...modelOf(Float64Array.of(0, 1, 9, 3, 40, 0)), errors };
  expect(valueRange(model, false)[1]).toBeGreaterThan(40);
  expect(valueRange({ ...model, mark: 'points' }, false)[1]).toBeGreaterThan(40);
  expect(valueRange(model, true)[1]).toBeGreaterThan(40);
});

it('keeps the first label of x within the picture', () => {
  const time = '%Y-%m-%d %H:%M:%S UTC%F1970-01-01 00:00:00';
  const axes = [{ title: 'x', bins: 4, low: 0, high: 4 * 86_400, time }];
  const svg = plotSvg({ ...histogram, axes }, { stats: false });
  const first = svg.match(/<text[^>]*>(?=1970-01-01 00:00:00 UTC<)/)?.[0];
  expect(first).toMatch(/x="2"/);
  expect(first).not.toContain('middle');
});
