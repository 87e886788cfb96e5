import { expect, test } from 'vitest';
import { type BinAxis, edgesOf, innerCells } from '../../web/bins/bin-axes';
import { momentsOfSums, sumsOfBins } from '../../web/bins/statistics';
import { binCentre } from '../../web/bins/stored-axes';
import { cpuMs } from '../cpu';

const axis = (bins: number, more: Partial<BinAxis> = {}): BinAxis => ({
  ...{ title: '', bins, low: -1, high: 3 },
  ...more,
});
/** The bins of a cell along each axis, x first: 0 is the underflow, and `bins + 1` the overflow. */
function binsOfCell(axes: readonly BinAxis[], cell: number): number[] {
  let rest = cell;
  return axes.map(({ bins }) => {
    const bin = rest % (bins + 2);
    rest = Math.floor(rest / (bins + 2));
    return bin;
  });
}
const momentsOfBins = (axes: readonly BinAxis[], contents: Float64Array) =>
  momentsOfSums(sumsOfBins(axes, { contents, squares: contents }), axes.length, false);
const values = (cells: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => ((i * 7919) % 13) - 3);

// TAxis::GetBinLowEdge of ROOT 6.40.
test.each([
  [6, -2, 2, [-2, -1.3333333333333335, -0.6666666666666667, 0, 0.6666666666666665, 1.333333333333333]],
  [10, 0, 1, [0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9]],
])('edges of %d bins from %d to %d have the bits of ROOT', (bins, low, high, lowEdges) => {
  expect([...edgesOf({ bins, low, high })]).toEqual([...lowEdges, high]);
});

test.each([
  [[axis(5)]],
  [[axis(4, { edges: Float64Array.of(0, 1, 4, 5, 9) }), axis(3)]],
  [[axis(2), axis(1), axis(7)]],
])('the statistics of bins are those of their centres, without under- and overflow', (axes) => {
  const contents = values(axes.reduce((cells, { bins }) => cells * (bins + 2), 1));
  const inside = [...contents.keys()].filter((cell) =>
    binsOfCell(axes, cell).every((bin, i) => bin > 0 && bin <= (axes[i]?.bins ?? 0)),
  );
  expect([...innerCells(axes, contents)]).toEqual(inside.map((cell) => contents[cell]));
  const weight = inside.reduce((sum, cell) => sum + (contents[cell] ?? 0), 0);
  const { mean, ...found } = momentsOfBins(axes, contents);
  expect(found.weight).toBe(weight);
  const means = axes.map((one, i) => {
    const sum = inside.reduce(
      (all, cell) => all + (contents[cell] ?? 0) * binCentre(one, binsOfCell(axes, cell)[i] ?? 0),
      0,
    );
    return sum / weight;
  });
  expect(mean).toHaveLength(axes.length);
  for (const [i, value] of mean.entries()) expect(value).toBeCloseTo(means[i] ?? Number.NaN, 12);
});

test('edges are numbers on an axis whose width is none', () => {
  expect([...edgesOf({ bins: 4, low: -1e308, high: 1e308 })]).toEqual([-1e308, -5e307, 0, 5e307, 1e308]);
  expect([...edgesOf({ bins: 10, low: 0, high: 1e308 })].every(Number.isFinite)).toBe(true);
});

test('those of four million cells take no longer than forty additions for each', () => {
  const axes = [axis(2000), axis(2000)];
  const contents = new Float64Array(2002 * 2002).fill(1);
  const adding = (): number => {
    const from = cpuMs();
    let sum = 0;
    for (let round = 0; round < 10; round++)
      for (let i = 0; i < contents.length; i++) sum += contents[i] ?? 0;
    expect(sum).toBeGreaterThan(0);
    return cpuMs() - from;
  };
  const counting = (): number => {
    const from = cpuMs();
    expect(momentsOfBins(axes, contents).weight).toBe(4e6);
    return cpuMs() - from;
  };
  const ratios = [1, 2, 3].map(() => counting() / adding());
  expect(Math.min(...ratios)).toBeLessThan(4);
}, 60_000);
