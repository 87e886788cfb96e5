import type { PlainObject } from '../../../api/api';
import { type MapModel, type PlotModel, statNumber, uniformEdges } from '../../model';
import { cellNumbers } from '../cell-numbers';
import { label, number, numbers } from '../members';

/** Maximum number of elements of a matrix that is drawn. */
const MAX_ELEMENTS = 4_000_000;

/** Returns a matrix as a map, with the first row lowest, as TMatrixT::Draw; a vector as bins. */
export function matrixModel(object: PlainObject): MapModel | PlotModel | undefined {
  const stored = numbers(object.fElements);
  const rows = number(object.fNrows);
  if (stored === undefined || !(rows >= 1)) return undefined;
  const shared = { title: label(object.fTitle) || label(object.fName) || object._typename, stats: [] };
  const firstRow = number(object.fRowLwb) || 0;
  if (object._typename.startsWith('TVector')) {
    if (stored.length !== rows) return undefined;
    const edges = uniformEdges(rows, firstRow, firstRow + rows);
    return { kind: 'bins', ...shared, xTitle: 'element', yTitle: '', edges, values: stored, mark: 'steps' };
  }
  const columns = number(object.fNcols);
  if (!(columns >= 1) || rows * columns > MAX_ELEMENTS) return undefined;
  const isHalf = object._typename.startsWith('TMatrixTSym');
  if (isHalf && rows !== columns) return undefined;
  // A symmetric one is stored by its upper triangle, row by row.
  if (stored.length !== (isHalf ? (rows * (rows + 1)) / 2 : rows * columns)) return undefined;
  const at = (i: number, j: number): number => {
    const [low, high] = i < j ? [i, j] : [j, i];
    return stored[isHalf ? low * rows - (low * (low - 1)) / 2 + (high - low) : i * columns + j] ?? Number.NaN;
  };
  const values = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) values[i * columns + j] = at(i, j);
  const firstColumn = number(object.fColLwb) || 0;
  return {
    kind: 'map',
    ...shared,
    ...{ xTitle: 'column', yTitle: 'row', zTitle: '' },
    xEdges: uniformEdges(columns, firstColumn, firstColumn + columns),
    yEdges: uniformEdges(rows, firstRow, firstRow + rows),
    values,
    numbers: rows * columns <= 400 ? cellNumbers : undefined,
    stats: [{ label: 'Elements', value: statNumber(values.length) }],
  };
}
