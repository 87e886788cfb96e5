import type { Asks, Brush, Condition } from '../work/brushes';
import type { OpenedBoard } from '../work/insight';

/** A brush as the address has it: ranges on the axes of a plot. */
export interface PlotBrush {
  plot: number;
  /** Low and high end for each axis; of a plot of texts the numbers of bins. */
  ranges: readonly (readonly [low: number, high: number])[];
  inverted: boolean;
  off: boolean;
  asks: Asks;
}

/** The choices of a board, as in the address: the state of its view. */
export interface BoardParams {
  /** Expressions of the plots, as TTree::Draw takes them; empty for those of the tree. */
  plots: readonly string[];
  weight: string;
  brushes: readonly PlotBrush[];
}

/** Parses the state of the view. What is not understood is left out. */
export function parseBoardParams(text: string): BoardParams {
  const query = new URLSearchParams(text);
  const plots = query.getAll('plot').filter((plot) => plot.trim() !== '');
  return { plots, weight: query.get('weight') ?? '', brushes: query.getAll('brush').flatMap(brushFrom) };
}

/** Returns the text that `parseBoardParams` reads. */
export function formatBoardParams({ plots, weight, brushes }: BoardParams): string {
  const query = new URLSearchParams();
  for (const plot of plots) query.append('plot', plot);
  if (weight !== '') query.set('weight', weight);
  for (const brush of brushes) query.append('brush', brushText(brush));
  return query.toString();
}

/** "0:20:50": the plot, and the ends of its ranges, then words. */
function brushText({ plot, ranges, inverted, off, asks }: PlotBrush): string {
  const words = [
    ...(inverted ? ['not'] : []),
    ...(off ? ['off'] : []),
    ...(asks === 'all' ? ['all'] : asks.least > 1 ? [`least${asks.least}`] : []),
  ];
  return [plot, ...ranges.flat(), ...words].join(':');
}

function brushFrom(text: string): PlotBrush[] {
  const match = /^(\d{1,2})((?::-?[\d.e+-]+){2}|(?::-?[\d.e+-]+){4})((?::[a-z]+\d*)*)$/.exec(text);
  if (!match) return [];
  const ends = (match[2] ?? '').split(':').slice(1).map(Number);
  const words = (match[3] ?? '').split(':');
  const ranges = ends.flatMap((low, i) => (i % 2 === 0 ? [[low, ends[i + 1] ?? Number.NaN] as const] : []));
  if (!ranges.every(([low, high]) => low <= high)) return [];
  const least = Number(/\bleast(\d{1,4})\b/.exec(words.join(' '))?.[1] ?? 1);
  return [
    {
      plot: Number(match[1]),
      ranges,
      inverted: words.includes('not'),
      off: words.includes('off'),
      asks: words.includes('all') ? 'all' : { least: Math.max(1, least) },
    },
  ];
}

/** Returns the brushes of a link that fit the board: on plots that it has, with a range for each axis, and one for each plot. */
export const fittingBrushes = (brushes: readonly PlotBrush[], { plots }: OpenedBoard): PlotBrush[] =>
  brushes.filter(
    ({ plot, ranges }, i) =>
      plots[plot]?.columns.length === ranges.length &&
      brushes.findIndex((other) => other.plot === plot && other.ranges.length === ranges.length) === i,
  );

/** Returns the brushes of the engine, in the same order. */
export function brushesOf(brushes: readonly PlotBrush[], { plots, columns }: OpenedBoard): Brush[] {
  return brushes.map(({ plot, ranges, ...choices }): Brush => {
    const own = plots[plot] ?? { columns: [] };
    const conditions = ranges.map(([low, high], axis): Condition => {
      const column = own.columns[axis] ?? 0;
      const labels = columns[column]?.labels;
      return labels
        ? { column, labels: labels.slice(Math.floor(low), Math.ceil(high)) }
        : { column, low, high };
    });
    return { name: columns[own.columns[0] ?? 0]?.expr ?? '', plot, conditions, ...choices };
  });
}

/** Rounds a place on an axis to a thousandth of the axis, so that the text of the cut is short. */
export function rounded(value: number, low: number, high: number): number {
  const step = 10 ** Math.floor(Math.log10((high - low) / 500));
  const places = Math.max(0, -Math.round(Math.log10(step)));
  const near = Math.round(value / step) * step;
  return Number.isFinite(near) ? Number(places > 15 ? near.toPrecision(6) : near.toFixed(places)) : value;
}
