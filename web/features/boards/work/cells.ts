import type { BoardAxis } from './board';
import type { BoardColumn, Values } from './columns';
import type { Collection } from './shapes';

/** The cell of each element of a plot, or of each entry. */
export type Cells = Uint16Array | Uint32Array;

/** Returns the cells of the values of columns, x first, and the number of all cells with under- and overflow. */
export function cellsOf(
  columns: readonly BoardColumn[],
  axes: readonly BoardAxis[],
  collection: Collection | undefined,
  entries: number,
): { cells: Cells; size: number } {
  const size = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  const length = collection ? collection.owners.length : entries;
  const cells = size <= 65_536 ? new Uint16Array(length) : new Uint32Array(length);
  let stride = 1;
  for (const [i, { bins, low, high }] of axes.entries()) {
    const { values = new Float64Array(), starts } = columns[i] ?? {};
    const owners = collection && !starts ? collection.owners : undefined;
    const width = high - low;
    for (let at = 0; at < length; at++) {
      const value = values[owners ? (owners[at] as number) : at] as number;
      // As TAxis::FindFixBin: a NaN is an overflow.
      const bin =
        value < low ? 0 : !(value < high) ? bins + 1 : 1 + Math.trunc((bins * (value - low)) / width);
      cells[at] = (cells[at] as number) + stride * bin;
    }
    stride *= bins + 2;
  }
  return { cells, size };
}

/** Returns for each value how many numbers of an ascending list are not above it; of a NaN one more than there are. */
export function codesOf(values: Values, grid: Float64Array): Uint16Array {
  const codes = new Uint16Array(values.length);
  const count = grid.length;
  const first = grid[0] as number;
  const last = grid[count - 1] as number;
  // Most numbers of the list have the same distance, so that the place is guessed first.
  const scale = last > first ? (count - 1) / (last - first) : 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value < first) continue;
    if (!(value < last)) {
      codes[at] = value >= last ? count : count + 1;
      continue;
    }
    let code = Math.min(count - 1, 1 + Math.trunc((value - first) * scale));
    while (code > 1 && (grid[code - 1] as number) > value) code--;
    while (code < count && (grid[code] as number) <= value) code++;
    codes[at] = code;
  }
  return codes;
}
