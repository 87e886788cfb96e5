import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../web/file/api';
import { binAt, modelOfHistogram, uniformEdges, valueRange } from '../../web/plot/model';
import { outlinePath, stepOutline } from '../../web/plot/steps';
import { escapeXml, histogramSvg } from '../../web/plot/svg';

const histogram: Histogram = {
  kind: 'histogram',
  title: 'a < b & "c"',
  bins: 4,
  low: 0,
  high: 4,
  counts: Float64Array.of(1, 3, 0, 2),
  underflow: 5,
  overflow: 7,
  nan: 2,
  values: 18,
  entries: 20,
  mean: 1.5,
  stdDev: 0.25,
  min: -1,
  max: 9,
  integer: false,
};

describe('histogramSvg', () => {
  it('escapes every text and stays one well-formed document', () => {
    const svg = histogramSvg(histogram, { xTitle: '</text><script>x</script>', yTitle: "'" });
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
    expect(svg).not.toContain('<script');
    expect(svg.match(/<text/g)).toHaveLength(svg.match(/<\/text>/g)?.length ?? -1);
    expect(svg.startsWith('<svg ')).toBe(true);
    expect(svg.trimEnd().endsWith('</svg>')).toBe(true);
  });

  it('shows the statistics, NaN included, unless told not to', () => {
    const svg = histogramSvg(histogram);
    for (const text of ['Entries', '>20<', 'Underflow', '>5<', 'Overflow', '>7<', 'NaN', '>1.5<', '>−1<']) {
      expect(svg).toContain(text);
    }
    expect(histogramSvg(histogram, { stats: false })).not.toContain('Underflow');
  });

  it('has finite coordinates for empty, logarithmic and all-negative contents', () => {
    for (const counts of [
      new Float64Array(4),
      Float64Array.of(0, 1e9, 1, 0),
      Float64Array.of(-1, -2, -3, -4),
    ]) {
      for (const logY of [false, true]) {
        const svg = histogramSvg({ ...histogram, counts }, { logY, stats: false });
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      }
    }
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
    const model = modelOfHistogram(histogram);
    expect(valueRange(model, false)).toEqual([0, 3 * 1.08]);
    const [low, high] = valueRange(model, true);
    expect(low).toBe(0.5);
    expect(high).toBeGreaterThanOrEqual(3);
    expect(valueRange({ ...model, values: new Float64Array(4) }, false)).toEqual([0, 1]);
  });
});
