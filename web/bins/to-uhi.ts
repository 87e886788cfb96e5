import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';

/** The parts of a histogram that UHI has. It may have any number of axes. */
export type UhiHistogram = Pick<Histogram, 'name' | 'title' | 'axes' | 'sums' | 'squares'> &
  Partial<Pick<Histogram, 'profile'>>;

/**
 * Returns a histogram as UHI (Universal Histogram Interface, schema 1), which hist, boost-histogram and related
 * packages read: nested lists, the first axis outermost, including under- and overflow; NaN is null. Throws UNSUPPORTED
 * for profiles, whose variances UHI defines differently from ROOT, for contents beyond an axis of categories, and for infinite
 * contents and errors.
 */
export function uhiJson(histogram: UhiHistogram): string {
  const { axes, sums, squares } = histogram;
  if (histogram.profile) {
    throw unsupported(
      `"${histogram.name}" is a profile, which UHI describes otherwise than ROOT.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  if ([sums, squares].some((cells) => cells.some((cell) => Math.abs(cell) === Number.POSITIVE_INFINITY))) {
    throw unsupported(
      `"${histogram.name}" has an infinite content or error, which JSON does not have.`,
      'Take CSV.',
    );
  }
  if (hasOthers(sums, axes) || hasOthers(squares, axes)) {
    throw unsupported(
      `"${histogram.name}" has contents beyond its axis of strings, which is not written for UHI.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  const weighted = sums.some((sum, i) => sum !== squares[i]);
  const values = nested(sums, axes);
  return JSON.stringify({
    uhi_schema: 1,
    writer_info: { xylem: {} },
    metadata: { name: histogram.name, title: histogram.title },
    axes: axes.map(axisJson),
    storage: weighted
      ? { type: 'weighted', values, variances: nested(squares, axes) }
      : { type: 'double', values },
  });
}

/** Returns a JSON object of histograms by name. Throws UNSUPPORTED as `uhiJson` does. */
export function uhiJsonOfAll(histograms: readonly Histogram[]): string {
  const members = histograms.map((one) => `${JSON.stringify(one.name)}:${uhiJson(one)}`);
  return `{${members.join(',')}}`;
}

type Nested = number[] | Nested[];

function axisJson({
  title,
  bins,
  low,
  high,
  edges,
  labels,
  category = 'text',
}: Histogram['axes'][number]): object {
  const metadata = { label: title };
  if (labels && category === 'boolean') return { type: 'boolean', metadata };
  if (labels) {
    const type = category === 'whole' ? 'category_int' : 'category_str';
    return {
      type,
      categories: category === 'whole' ? labels.map(Number) : [...labels],
      flow: false,
      metadata,
    };
  }
  const bound = { underflow: true, overflow: true, circular: false, metadata };
  return edges
    ? { type: 'variable', edges: [...edges], ...bound }
    : { type: 'regular', lower: low, upper: high, bins, ...bound };
}

/** Converts cells with x varying fastest to nested lists with x outermost. Categories have no cells beyond them. */
function nested(cells: Float64Array, axes: Histogram['axes']): Nested {
  const level = (axis: number, offset: number, stride: number): Nested => {
    const { bins = 0, labels } = axes[axis] ?? {};
    const [from, count] = labels ? [1, bins] : [0, bins + 2];
    const next = stride * (bins + 2);
    const at = (i: number): number => offset + (from + i) * stride;
    if (axis === axes.length - 1) return Array.from({ length: count }, (_, i) => cells[at(i)] ?? 0);
    return Array.from({ length: count }, (_, i) => level(axis + 1, at(i), next)) as Nested[];
  };
  return level(0, 0, 1);
}

/** Whether a cell beyond an axis of categories has content. */
function hasOthers(cells: Float64Array, axes: Histogram['axes']): boolean {
  let stride = 1;
  for (const { bins, labels } of axes) {
    const size = bins + 2;
    const width = stride;
    const isOther = (cell: number): boolean => [0, bins + 1].includes(Math.floor(cell / width) % size);
    if (labels && cells.some((content, cell) => content !== 0 && isOther(cell))) return true;
    stride *= size;
  }
  return false;
}
