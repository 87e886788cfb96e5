import { short } from './drawing';

/** Path of the outline of a histogram: alternating x, y in the units of the two scales. */
export type Outline = number[];

/**
 * Returns the outline of bins as steps from the first edge to the last, without the baseline. Bins narrower than one
 * unit of `toX` (a pixel) are joined to the span from their smallest to their largest value, so the outline has at
 * most four points per pixel.
 */
export function stepOutline(
  edges: ArrayLike<number>,
  values: ArrayLike<number>,
  toX: (edge: number) => number,
  toY: (value: number) => number,
): Outline {
  const outline: Outline = [];
  const bins = values.length;
  let i = 0;
  while (i < bins) {
    const left = toX(edges[i] ?? 0);
    let right = toX(edges[i + 1] ?? 0);
    const first = toY(values[i] ?? 0);
    let low = first;
    let high = first;
    let last = first;
    i++;
    while (i < bins && toX(edges[i + 1] ?? 0) - left < 1) {
      last = toY(values[i] ?? 0);
      low = Math.min(low, last);
      high = Math.max(high, last);
      right = toX(edges[i + 1] ?? 0);
      i++;
    }
    if (low === high) outline.push(left, first, right, first);
    else outline.push(left, first, left, low, left, high, right, last);
  }
  return outline;
}

/** The same as the `d` of an SVG path, rounded to hundredths; closed along `baseline` when given. */
export function outlinePath(outline: Outline, baseline?: number): string {
  if (outline.length === 0) return '';
  const parts: string[] = [];
  let x = outline[0] ?? 0;
  let y = outline[1] ?? 0;
  parts.push(
    baseline === undefined ? `M${short(x)} ${short(y)}` : `M${short(x)} ${short(baseline)}V${short(y)}`,
  );
  for (let i = 2; i < outline.length; i += 2) {
    const nextX = outline[i] ?? 0;
    const nextY = outline[i + 1] ?? 0;
    if (nextX !== x && nextY !== y) parts.push(`V${short(nextY)}H${short(nextX)}`);
    else if (nextX !== x) parts.push(`H${short(nextX)}`);
    else if (nextY !== y) parts.push(`V${short(nextY)}`);
    x = nextX;
    y = nextY;
  }
  if (baseline !== undefined) parts.push(`V${short(baseline)}Z`);
  return parts.join('');
}
