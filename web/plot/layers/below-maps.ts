import { sameEdges } from '../../bins/bin-axes';
import type { MapModel } from '../model';
import { type BelowKind, dividedOrLess } from './below';

/** Maximum of the colour scale of ratios, because ratios of nearly empty cells may be huge. */
const MAX_RATIO = 3;

/** A map with its name among layers. */
interface NamedMap {
  model: MapModel;
  label: string;
}

/**
 * Returns the map of the ratio or difference of the second map to the first, which replaces both; or the reason why
 * there is none. Cells in which the first is empty have no ratio.
 */
export function mapOfBoth([first, second, third]: readonly NamedMap[], kind: BelowKind): MapModel | string {
  if (first === undefined || second === undefined) return 'There is no second map.';
  if (third !== undefined) return 'A ratio or difference of maps is of two: hide the others.';
  const [one, other] = [first.model, second.model];
  const sides = ['xEdges', 'yEdges'] as const;
  const differing = sides.find((side) => !sameEdges(one[side], other[side]));
  if (differing !== undefined)
    return `The bins along ${differing[0]} differ between ${first.label} and ${second.label}.`;
  const isRatio = kind === 'ratio';
  const { values } = dividedOrLess(kind, { values: other.values }, { values: one.values });
  const title = isRatio ? `Ratio of ${second.label} to ${first.label}` : `${second.label} − ${first.label}`;
  return {
    ...one,
    ...{ title, label: title, values, zTitle: isRatio ? 'Ratio' : 'Difference' },
    ...{
      limits: isRatio ? { high: MAX_RATIO } : evenly(values),
      zeros: true,
      overlays: undefined,
      curves: undefined,
      functions: undefined,
      stats: [],
    },
  };
}

/** Returns a colour scale with 0 in the middle. */
function evenly(values: Float64Array): { low: number; high: number } | undefined {
  const most = values.reduce((high, value) => Math.max(high, Math.abs(value) || 0), 0);
  return most > 0 && Number.isFinite(most) ? { low: -most, high: most } : undefined;
}
