import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';

/**
 * Returns a histogram as UHI (Universal Histogram Interface, schema 1), which hist, boost-histogram and related
 * packages read: nested lists, the first axis outermost, including under- and overflow; NaN is null. Throws UNSUPPORTED
 * for profiles, whose variances UHI defines differently from ROOT, for axes of strings, and for infinite contents and
 * errors.
 */
export function uhiJson(histogram: Histogram): string {
  const { axes, sums, squares } = histogram;
  if (histogram.profile) {
    throw unsupported(
      `"${histogram.name}" is a profile, which UHI describes otherwise than ROOT.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  if (axes.some(({ labels }) => labels)) {
    throw unsupported(
      `"${histogram.name}" has an axis of strings, which is not written for UHI.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  if ([sums, squares].some((cells) => cells.some((cell) => Math.abs(cell) === Number.POSITIVE_INFINITY))) {
    throw unsupported(
      `"${histogram.name}" has an infinite content or error, which JSON does not have.`,
      'Take CSV.',
    );
  }
  const weighted = sums.some((sum, i) => sum !== squares[i]);
  const values = nested(sums, axes);
  return JSON.stringify({
    uhi_schema: 1,
    writer_info: { xylem: {} },
    metadata: { name: histogram.name, title: histogram.title },
    axes: axes.map(({ title, bins, low, high, edges }) => ({
      ...(edges
        ? { type: 'variable', edges: [...edges] }
        : { type: 'regular', lower: low, upper: high, bins }),
      underflow: true,
      overflow: true,
      circular: false,
      metadata: { label: title },
    })),
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

/** Converts cells with x varying fastest to nested lists with x outermost. */
function nested(cells: Float64Array, axes: Histogram['axes']): Nested {
  const sizes = axes.map(({ bins }) => bins + 2);
  const level = (axis: number, offset: number, stride: number): Nested => {
    const size = sizes[axis] ?? 0;
    const next = stride * size;
    if (axis === sizes.length - 1)
      return Array.from({ length: size }, (_, i) => cells[offset + i * stride] ?? 0);
    return Array.from({ length: size }, (_, i) => level(axis + 1, offset + i * stride, next)) as Nested[];
  };
  return level(0, 0, 1);
}
