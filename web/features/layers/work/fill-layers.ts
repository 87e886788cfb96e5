import type {
  AxisRequest,
  DrawAllRequest,
  DrawnTogether,
  DrawOutcome,
  FileId,
  Histogram,
} from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { toXylemError } from '../../../base/errors';
import { automaticLimits } from '../../../bins/auto-axis';
import { tightAxis } from '../../../bins/tight-axis';

export interface FilledLayer extends Omit<DrawnTogether, 'axes' | 'bins' | 'range' | 'exact'> {
  file: FileId;
  tree: string;
}

type DrawAll = (file: FileId, request: DrawAllRequest) => Promise<DrawOutcome[]>;

/** A histogram, or the reason why there is none. */
export type FilledOutcome = Histogram | { kind: 'error'; error: unknown };

/**
 * Fills layers with the same bins. Layers of one tree are filled in one pass. If no range is given, it is found from
 * the values of all; several trees are then filled again, unless all have the same range.
 */
export async function fillLayers(
  layers: readonly FilledLayer[],
  axes: readonly AxisRequest[],
  drawAll: DrawAll,
): Promise<FilledOutcome[]> {
  const filled = await fill(layers, axes, drawAll);
  const found = filled.flatMap((one) => (one.kind === 'histogram' ? [one] : []));
  const common = commonAxes(found, axes);
  return common === undefined ? filled : await fill(layers, common, drawAll);
}

async function fill(
  layers: readonly FilledLayer[],
  axes: readonly AxisRequest[],
  drawAll: DrawAll,
): Promise<FilledOutcome[]> {
  const places = new Map<string, number[]>();
  for (const [i, { file, tree }] of layers.entries()) {
    const place = JSON.stringify([file, tree]);
    places.set(place, [...(places.get(place) ?? []), i]);
  }
  const results = new Array<FilledOutcome>(layers.length);
  for (const members of places.values()) {
    const draws = members.map((i) => {
      const { file: _file, tree: _tree, ...what } = layers[i] as FilledLayer;
      return { ...what, axes: [...axes] };
    });
    const { file, tree } = layers[members[0] ?? 0] as FilledLayer;
    const outcomes = await drawAll(file, { tree, draws, sameAxes: true }).catch((error: unknown) => {
      if (toXylemError(error).code === 'ABORTED') throw error;
      return members.map(() => ({ kind: 'error' as const, error }));
    });
    for (const [k, i] of members.entries()) results[i] = withAxes(axes.length, outcomes[k]);
  }
  return results;
}

/** Layers have the same number of axes. */
function withAxes(
  wanted: number,
  outcome: DrawOutcome | { kind: 'error'; error: unknown } | undefined,
): FilledOutcome {
  if (outcome?.kind === 'error') return outcome;
  const found = outcome?.kind === 'histogram' ? outcome.axes.length : 0;
  if (outcome?.kind === 'histogram' && found === wanted) return outcome;
  const what = found === 0 ? 'is no histogram' : found === 1 ? 'has one axis' : `has ${found} axes`;
  const others = wanted === 1 ? 'one axis' : `${wanted} axes`;
  const message = `This ${what}: the layers here are histograms of ${others}.`;
  return { kind: 'error', error: unsupported(message) };
}

/** Returns common axes, if the histograms have different axes whose ends were found. */
function commonAxes(
  found: readonly Histogram[],
  asked: readonly AxisRequest[],
): readonly AxisRequest[] | undefined {
  const common = asked.map((axis, k) => commonAxis(found, axis, k));
  return common.some(Boolean) ? asked.map((axis, k) => common[k] ?? axis) : undefined;
}

function commonAxis(
  found: readonly Histogram[],
  { bins, range, rule }: AxisRequest,
  k: number,
): AxisRequest | undefined {
  const axes = found.map((one) => one.axes[k]).filter((axis) => axis !== undefined);
  const same = new Set(axes.map(({ bins, low, high }) => `${bins} ${low} ${high}`));
  if (range !== undefined || same.size < 2) return undefined;
  const filled = found.filter(({ min }) => Number.isFinite(min[k]));
  const min = Math.min(...filled.map((one) => one.min[k] ?? 0));
  const max = Math.max(...filled.map((one) => one.max[k] ?? 0));
  const integer = filled.every((one) => one.integer[k]);
  const wanted = bins ?? axes[0]?.bins ?? 100;
  const {
    bins: count,
    low,
    high,
  } = rule === 'tight'
    ? tightAxis(
        {
          ...{ values: filled.length, min, max, integers: integer },
          ...{ nans: 0, infinities: 0, sum: 0, deviation: 0, carry: 0 },
        },
        wanted,
      )
    : automaticLimits(wanted, min, max, integer);
  return { bins: count, range: [low, high] };
}
