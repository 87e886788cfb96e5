import type { Histogram } from '../api/api';
import { argumentError, type XylemError } from '../base/errors';
import { TEXT } from '../base/shape';
import { edgeOf } from './bin-axes';

/** A histogram with any number of axes, by its cells that are not empty. ROOT has it as a THnSparse. */
export interface SparseHistogram {
  kind: 'grid';
  title: string;
  name: string;
  /** Axes as those of a `Histogram`: bins, low and high, or edges; labels. */
  axes: Histogram['axes'];
  /** Number of fills. */
  fills: number;
  /** For each cell, the numbers of its bins (0 and bins + 1 are under- and overflow), the sum of weights and of their squares. */
  cells: { at: number[]; sum: number; square: number }[];
}

export const isSparse = (given: unknown): given is SparseHistogram => Object(given).kind === 'grid';

/** Throws ARGUMENT for cells outside of the axes, for a cell that occurs twice, and for values that are not numbers. */
export function checkSparse(given: SparseHistogram): SparseHistogram {
  const { axes, cells, title, fills } = given;
  if (!Array.isArray(axes) || axes.length === 0 || !Array.isArray(cells))
    throw wrong('it has no axes or cells');
  if (!TEXT.is(title) || !Number.isFinite(fills)) throw wrong('it has no title or no number of fills');
  for (const { bins, low, high, edges } of axes) {
    if (!Number.isSafeInteger(bins) || bins < 1 || bins > MAX_BINS) throw wrong(`an axis has ${bins} bins`);
    if (!(low < high) || (edges !== undefined && edges.length !== bins + 1))
      throw wrong('an axis has other edges than its bins');
  }
  const seen = new Set<string>();
  for (const { at, sum, square } of cells) {
    if (!Array.isArray(at)) throw wrong('a cell has no numbers of bins');
    const isInside = axes.every(
      ({ bins }, i) => Number.isInteger(at[i]) && Number(at[i]) >= 0 && Number(at[i]) <= bins + 1,
    );
    if (!isInside || at.length !== axes.length) throw wrong(`the cell [${at}] is not in the axes`);
    if (!Number.isFinite(sum) || !Number.isFinite(square)) throw wrong(`the cell [${at}] has no content`);
    const key = at.join();
    if (seen.has(key)) throw wrong(`the cell [${at}] occurs twice`);
    seen.add(key);
  }
  return given;
}

const MAX_BINS = 2 ** 31 - 3;

const wrong = (why: string): XylemError =>
  argumentError(`This is not a histogram: ${why}.`, 'Give the value of a result of tree.process.');

/** Maximum number of cells in a chunk of a THnSparse, which is ROOT's own. */
const CHUNK = 16_384;

/** Sums over the cells and their coordinates as a THnSparse has them. */
export interface SparseContents {
  chunkSize: number;
  /** Number of bytes of the coordinates of a cell. */
  coordinateBytes: number;
  chunks: { coordinates: Int8Array; contents: Float64Array; squares: Float64Array }[];
  sumOfWeights: number;
  sumOfSquares: number;
  /** For each axis, of weight times x and of weight times x², with the centres of the bins; without under- and overflow. */
  sumsOfX: number[];
  sumsOfX2: number[];
}

/** Returns the cells as THnSparse stores them: the numbers of their bins in as few bits as the axes need. */
export function sparseContents({ axes, cells }: SparseHistogram): SparseContents {
  const bits = axes.map(({ bins }) => 32 - Math.clz32(bins + 2));
  const coordinateBytes = Math.ceil(bits.reduce((sum, one) => sum + one, 0) / 8);
  const chunkSize = Math.max(1, Math.min(CHUNK, cells.length));
  const chunks: SparseContents['chunks'] = [];
  for (let from = 0; from < cells.length; from += chunkSize) {
    const own = cells.slice(from, from + chunkSize);
    const coordinates = new Uint8Array(own.length * coordinateBytes);
    const [contents, squares] = [new Float64Array(chunkSize), new Float64Array(chunkSize)];
    for (const [i, { at, sum, square }] of own.entries()) {
      putBits(coordinates.subarray(i * coordinateBytes), at, bits);
      contents[i] = sum;
      squares[i] = square;
    }
    chunks.push({ coordinates: new Int8Array(coordinates.buffer), contents, squares });
  }
  const centres = axes.map((axis) => (bin: number) => (edgeOf(axis, bin - 1) + edgeOf(axis, bin)) / 2);
  const sumOf = (power: number) =>
    axes.map(({ bins }, k) =>
      cells.reduce((total, { at, sum }) => {
        const bin = at[k] ?? 0;
        return bin > 0 && bin <= bins ? total + sum * (centres[k]?.(bin) ?? 0) ** power : total;
      }, 0),
    );
  return {
    ...{ chunkSize, coordinateBytes, chunks },
    sumOfWeights: cells.reduce((total, { sum }) => total + sum, 0),
    sumOfSquares: cells.reduce((total, { square }) => total + square, 0),
    sumsOfX: sumOf(1),
    sumsOfX2: sumOf(2),
  };
}

/** Writes numbers one after another, each in its number of bits, the lowest bits first. */
function putBits(target: Uint8Array, numbers: readonly number[], bits: readonly number[]): void {
  let place = 0;
  for (const [i, count] of bits.entries()) {
    const value = numbers[i] ?? 0;
    for (let bit = 0; bit < count; bit++, place++)
      if ((value >>> bit) & 1) target[place >> 3] = (target[place >> 3] ?? 0) | (1 << (place & 7));
  }
}
