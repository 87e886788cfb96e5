import type { Histogram } from '../../../web/api/api';
import { edgeOf } from '../../../web/bins/bin-axes';
import type { Held } from '../../../web/features/calc/work/ops/held';
import { heldOf, histogramOfHeld, statsOf } from '../../../web/features/calc/work/ops/held';
import { compiled, runSteps } from '../../../web/features/calc/work/run-steps';
import type { Value } from '../../../web/features/calc/work/steps';
import { efficienciesOf } from '../../../web/plot/stored/kinds/efficiency';

type Written = number | string;

/** A line of judge/by_root.py: what ROOT made of h and g. */
export interface ByRoot {
  file: string;
  h: string;
  g: string;
  expression: string;
  class?: string;
  edges?: number[][];
  cells?: number;
  filled?: [cell: number, content: Written, error: Written][];
  entries?: Written;
  stats?: Written[];
  means?: Written[];
  deviations?: Written[];
  number?: Written;
  error?: Written;
  /**
   * Whether h has negative contents, or contents without entries, and no squared errors: ROOT then subtracts variances, or
   * takes them as 0.
   */
  negative?: boolean;
  efficiencies?: [cell: number, value: Written, low: Written, up: Written][];
}

/** Figures that are equal but for the order of additions: see `Checked`. */
const TOLERANCE = 1e-12;
/** ROOT finds the ends of an interval by a search. */
const SEARCHED = 1e-7;

/** How many figures were compared, and how many of them have the same bits. */
export interface Checked {
  figures: number;
  exact: number;
  /** The largest relative difference. */
  worst: number;
  wrong: string[];
}

export const nothingChecked = (): Checked => ({ figures: 0, exact: 0, worst: 0, wrong: [] });

/** Computes an expression over stored histograms named h and g. */
export async function calculated(expression: string, stored: { h: Histogram; g: Histogram }): Promise<Value> {
  const names: Record<string, Held> = { h: heldOf(stored.h), g: heldOf(stored.g) };
  const steps = compiled(expression, [], (word) => Object.hasOwn(names, word));
  const values = await runSteps(steps, {
    open: async (name) => names[name] as Held,
    fill: () => Promise.reject(new Error('nothing is filled')),
  });
  return values.at(-1) as Value;
}

/** Compares a result with that of ROOT, and adds to what was checked. */
export function compare(found: Value, wanted: ByRoot, checked: Checked): void {
  const where = `${wanted.file} ${wanted.h} (${wanted.g}) ${wanted.expression}`;
  const near = (
    value: number | undefined,
    of: Written,
    what: string,
    size = 0,
    tolerance = TOLERANCE,
  ): void => {
    checked.figures++;
    const right = Number(of);
    const own = value ?? Number.NaN;
    if (Object.is(own, right) || own === right) {
      checked.exact++;
      return;
    }
    const off = Math.abs(own - right) / Math.max(Math.abs(right), size);
    if (off <= tolerance) {
      if (tolerance === TOLERANCE) checked.worst = Math.max(checked.worst, off);
    } else checked.wrong.push(`${where}: ${what} is ${own}, and ${right} in ROOT`);
  };
  if (found.kind === 'number') {
    near(found.value, wanted.number ?? 'none', 'number');
    if (!wanted.negative) near(found.error, wanted.error ?? 'none', 'error');
    return;
  }
  if (found.kind === 'efficiency') {
    const bins = efficienciesOf(found.object);
    for (const [cell, value, low, up] of wanted.efficiencies ?? []) {
      const { value: own = Number.NaN, interval } = bins[cell] ?? {};
      near(own, value, `efficiency ${cell}`);
      near(own - (interval?.[0] ?? Number.NaN), low, `low of ${cell}`, 1, SEARCHED);
      near((interval?.[1] ?? Number.NaN) - own, up, `up of ${cell}`, 1, SEARCHED);
    }
    return;
  }
  if (found.kind !== 'histogram' || wanted.filled === undefined) {
    checked.wrong.push(`${where}: the result is a ${found.kind}`);
    return;
  }
  compareHistogram(found.held, wanted, near);
}

function isInner({ axes }: Held, cell: number): boolean {
  let rest = cell;
  return axes.every(({ bins }) => {
    const bin = rest % (bins + 2);
    rest = Math.floor(rest / (bins + 2));
    return bin > 0 && bin <= bins;
  });
}

type Near = (value: number | undefined, of: Written, what: string, size?: number, tolerance?: number) => void;

function compareHistogram(held: Held, wanted: ByRoot, near: Near): void {
  const { means, errors, sums, squares, mean, stdDev, fills } = histogramOfHeld(held);
  near(held.sums.length, wanted.cells ?? 0, 'number of cells');
  for (const [i, [bins = 0, low = 0, high = 0, ...edges]] of (wanted.edges ?? []).entries()) {
    const axis = held.axes[i];
    const width = Math.abs(high - low) / bins;
    near(axis?.bins, bins, `bins of axis ${i}`);
    near(axis?.low, low, `low of axis ${i}`, width);
    near(axis?.high, high, `high of axis ${i}`, width);
    for (const [k, edge] of edges.entries())
      near(axis && edgeOf(axis, k), edge, `edge ${k} of axis ${i}`, width);
  }
  const filled = new Map(wanted.filled?.map(([cell, ...rest]) => [cell, rest]));
  const largest = Math.max(
    0,
    ...[...filled.values()].map(([content]) => Math.abs(Number(content))).filter(Number.isFinite),
  );
  // Means of values of both signs are what is left of sums that nearly cancel.
  const widest = Math.max(
    largest,
    ...[...filled.values()].map(([, error]) => Number(error)).filter(Number.isFinite),
  );
  const isCube = /^rebin\(h, \d+, \d+, \d+\)$/.test(wanted.expression);
  const isCorner = /^rebin\(h, \d+, \d+\)$/.test(wanted.expression) && (squares[0] ?? 0) !== 0;
  for (let cell = 0; cell < held.sums.length; cell++) {
    // TH3::Rebin3D puts contents of the corner below all axes into other cells, too.
    if (isCube && !isInner(held, cell)) continue;
    const [content = 0, error = 0] = filled.get(cell) ?? [];
    near((means ?? sums)[cell], content, `content of cell ${cell}`, held.profile ? widest : largest * 1e-3);
    // The spread of one value in a profile is what rounding leaves of the difference of two squares.
    // TH2::Rebin2D loses the error of the corner below both axes.
    if ((cell === 0 && isCorner) || wanted.negative) continue;
    // Whether the spread of equal values is 0 or what rounding leaves of it decides on another error.
    if (wanted.expression.includes('"i"') && Math.min(Number(error), errors?.[cell] ?? 0) < 1e-4) continue;
    const size = held.profile ? 1e5 * Math.max(1, Math.abs(Number(content))) : 0;
    near(errors ? errors[cell] : Math.sqrt(squares[cell] ?? 0), error, `error of cell ${cell}`, size);
  }
  // TProfile::ResetStats makes the entries of the means.
  if (!isCorner && !wanted.negative && !(held.profile && wanted.expression === 'recount(h)'))
    near(fills, wanted.entries ?? 'none', 'entries');
  // Sums over products of coordinates nearly cancel: their size is that of the sums of squares.
  const stats = statsOf(held);
  const [weight = 0] = stats;
  const scale = (i: number): number => {
    const firsts = [2, 4, 7];
    const axis = firsts.indexOf(i);
    return axis < 0 ? 0 : Math.sqrt(Math.abs(Number(wanted.stats?.[i + 1] ?? 0) * weight));
  };
  const most = Math.max(
    ...(wanted.stats ?? []).map((value) => Math.abs(Number(value))).filter(Number.isFinite),
    0,
  );
  // Clipping leaves what rounding leaves of zero.
  const none = wanted.expression.startsWith('snip') ? Math.max(1, largest) : 0;
  for (const [i, sum] of (wanted.stats ?? []).entries())
    if (!(wanted.negative && i === 1))
      near(
        stats[i],
        sum,
        `sum ${i} of the statistics`,
        Math.max(scale(i), i === 6 || i > 8 ? most * 1e-2 : 0, none),
      );
  if (none > 0 && Math.abs(Number(wanted.stats?.[0])) < 1e-9) return;
  for (const [i, value] of (wanted.means ?? []).entries()) {
    const spread = Number(wanted.deviations?.[i] ?? 0);
    near(mean[i], value, `mean ${i}`, Math.max(spread, Math.abs(held.axes[i]?.high ?? 0) * 1e-3));
    near(
      stdDev[i],
      wanted.deviations?.[i] ?? 'none',
      `deviation ${i}`,
      Math.max(Math.abs(Number(value)), 0) * 1e3,
      1e-9,
    );
  }
}
