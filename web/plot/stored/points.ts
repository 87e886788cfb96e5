import { binAt, type GraphModel, type Series } from '../model';

/** A column of the numbers of points, or of their texts. */
export interface PointColumn {
  name: string;
  values: ArrayLike<number> | readonly string[];
}

/** The points of one graph in numbers: their places, and the lengths of their error bars to each side. */
export interface PointTable {
  title: string;
  columns: PointColumn[];
}

/**
 * Returns the points of a graph and of graphs over it. Layers without points, such as the steps of a stack, have
 * none.
 */
export function pointTables(model: GraphModel): PointTable[] {
  const own: Series = { ...model, title: model.label ?? model.title, stats: undefined };
  const series = [own, ...(model.overlays ?? [])].filter(({ shapes, dots }) => !shapes && dots !== false);
  return series.map(({ title, x, y, errors, more = [] }) => ({
    title,
    columns: [
      ...namesOf(model, x),
      { name: 'x', values: x },
      { name: 'y', values: y },
      ...(errors ? (['left', 'right', 'down', 'up'] as const) : []).flatMap((name) =>
        errors ? [{ name, values: errors[name] }] : [],
      ),
      ...more.flatMap(({ down, up }, i) => [
        { name: `down${i + 2}`, values: down },
        { name: `up${i + 2}`, values: up },
      ]),
    ],
  }));
}

/** Returns the names of the bins that contain the points. */
function namesOf({ xNames }: GraphModel, x: Float64Array): PointColumn[] {
  if (xNames === undefined) return [];
  return [{ name: 'x_label', values: Array.from(x, (at) => xNames.labels[binAt(xNames.edges, at)] ?? '') }];
}
