import type { TreeLayout } from '../../../api/api';
import { formatCount } from '../../../base/format';
import { drawingSvg, PALETTE } from '../../../plot/drawing/drawing';
import type { PlotModel } from '../../../plot/model';
import { plotPicture } from '../../../plot/svg';

/** A histogram with logarithmic bins: `edges` has one number more than `counts`. */
export interface Distribution {
  edges: number[];
  counts: number[];
  values: number;
}

/** How large baskets are, and how many a branch has; of an RNTuple pages, and how many a column has. */
export interface Distributions {
  /** Stored bytes; those in the record of a tree are not counted. */
  sizes: Distribution;
  numbers: Distribution;
}

/** Bins between two powers of two. */
const BINS = 4;

export function distributionsOf({ offset, storedBytes, basketStart, pageColumn }: TreeLayout): Distributions {
  const counts = new Map<number, number>();
  for (let branch = 0; branch + 1 < basketStart.length; branch++) {
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) {
      const owner = pageColumn?.[i] ?? branch;
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
  }
  return {
    sizes: distribution(
      storedBytes.filter((size, i) => size > 0 && (offset[i] ?? 0) > 0),
      BINS,
    ),
    numbers: distribution(Float64Array.from(counts.values()), BINS / 2),
  };
}

/** Counts positive numbers in bins of which `perOctave` lie between two powers of two. */
export function distribution(values: Float64Array, perOctave: number): Distribution {
  if (values.length === 0) return { edges: [], counts: [], values: 0 };
  const binOf = (value: number) => Math.floor(perOctave * Math.log2(value) + 1e-9);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, binOf(value));
    most = Math.max(most, binOf(value));
  }
  const counts = Array.from({ length: most - least + 1 }, () => 0);
  for (const value of values) counts[binOf(value) - least] = (counts[binOf(value) - least] ?? 0) + 1;
  const edges = Array.from({ length: counts.length + 1 }, (_, i) => 2 ** ((least + i) / perOctave));
  return { edges, counts, values: values.length };
}

/** Returns plots of the distributions that have values. */
export function distributionPlots({ sizes, numbers }: Distributions, kind: 'TTree' | 'RNTuple'): PlotModel[] {
  const [unit, units, owner, owners] =
    kind === 'TTree' ? ['basket', 'Baskets', 'branch', 'Branches'] : ['page', 'Pages', 'column', 'Columns'];
  const plot = ({ edges, counts, values }: Distribution, title: string, xTitle: string, yTitle: string) => ({
    ...{ kind: 'bins' as const, mark: 'steps' as const, title, xTitle, yTitle },
    ...{ edges: Float64Array.from(edges), values: Float64Array.from(counts) },
    stats: [{ label: yTitle, value: formatCount(values) }],
  });
  return [
    plot(sizes, `Sizes of ${unit}s`, `Stored bytes of a ${unit}`, units),
    plot(numbers, `Numbers of ${unit}s`, `${units} of a ${owner}`, owners),
  ].filter(({ values }) => values.length > 0);
}

const SIZE = { width: 720, height: 360 };

/** Returns the plots one below the other as SVG. */
export function distributionsSvg(plots: readonly PlotModel[], title: string): string {
  const height = SIZE.height * plots.length;
  const parts = plots.map((plot, i) =>
    drawingSvg(
      plotPicture(plot, { ...SIZE, title: `${title}: ${plot.title.toLowerCase()}`, log: { x: true } }),
      { id: `p${i}-`, x: 0, y: i * SIZE.height },
    ),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${height}" viewBox="0 0 ${SIZE.width} ${height}">`,
    `<rect width="${SIZE.width}" height="${height}" fill="${PALETTE.paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
