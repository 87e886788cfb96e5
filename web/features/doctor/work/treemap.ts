/** A rectangle of a treemap; `index` is that of its value. */
export interface TreemapCell {
  index: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Divides a rectangle among values in proportion, in cells as square as possible (Bruls, Huizing, van Wijk:
 * Squarified Treemaps, 2000). Values that are not positive get no cell.
 */
export function treemap(values: readonly number[], frame: Frame): TreemapCell[] {
  const order = values.map((_, i) => i).filter((i) => (values[i] ?? 0) > 0);
  order.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const total = order.reduce((sum, i) => sum + (values[i] ?? 0), 0);
  const scale = (frame.width * frame.height) / total;
  const cells: TreemapCell[] = [];
  let { x, y, width, height } = frame;
  for (let start = 0; start < order.length; ) {
    const side = Math.min(width, height);
    let end = start;
    let area = 0;
    let worst = Number.POSITIVE_INFINITY;
    while (end < order.length) {
      const next = area + (values[order[end] ?? 0] ?? 0) * scale;
      const ratio = worstRatio(values, order, start, end, next, side, scale);
      if (ratio > worst) break;
      worst = ratio;
      area = next;
      end++;
    }
    const thick = side > 0 ? area / side : 0;
    let along = 0;
    for (let k = start; k < end; k++) {
      const index = order[k] ?? 0;
      const long = area > 0 ? (((values[index] ?? 0) * scale) / area) * side : 0;
      cells.push(
        width >= height
          ? { index, x, y: y + along, width: thick, height: long }
          : { index, x: x + along, y, width: long, height: thick },
      );
      along += long;
    }
    if (width >= height) {
      x += thick;
      width = Math.max(0, width - thick);
    } else {
      y += thick;
      height = Math.max(0, height - thick);
    }
    start = end;
  }
  return cells;
}

/** The worst ratio of the sides of the cells start..end in a strip of this area. */
function worstRatio(
  values: readonly number[],
  order: readonly number[],
  start: number,
  end: number,
  area: number,
  side: number,
  scale: number,
): number {
  // Sorted: the largest is the first of the strip, the smallest its last.
  const largest = (values[order[start] ?? 0] ?? 0) * scale;
  const smallest = (values[order[end] ?? 0] ?? 0) * scale;
  return Math.max((side * side * largest) / (area * area), (area * area) / (side * side * smallest));
}
