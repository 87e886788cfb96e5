import type { PlainObject, PlainValue } from '../../api/api';
import { formatNumber } from '../../base/format';
import { isObject } from '../contents/items';

/** Contents of an object that is not a plot: a program, a value, a table of numbers, the result of a fit. */
export type ObjectValue =
  | { kind: 'code'; text: string; note?: string | undefined }
  | { kind: 'value'; name: string; value: string }
  | { kind: 'table'; columns: readonly string[]; rows: readonly Row[]; note?: string | undefined }
  | {
      kind: 'fit';
      facts: [name: string, value: string][];
      parameters: ObjectValue | undefined;
      note?: string;
    };

export interface Row {
  name: string;
  cells: readonly (number | string)[];
}

/** Maximum rows and columns of a matrix that are shown. Larger ones are shown by their members. */
const MAX_ROWS = 1000;
const MAX_COLUMNS = 100;

/** Returns the value of an object of these classes; undefined for other classes and for invalid members. */
export function shownValue(object: PlainObject): ObjectValue | undefined {
  const { _typename: type } = object;
  if (type === 'TMacro') return macroOf(object);
  if (type === 'TObjString' || type === 'TNamed' || type === 'string') return textOf(object);
  if (/^TParameter</.test(type)) return parameterOf(object);
  if (/^TMatrixT(Sym)?</.test(type)) return matrixOf(object);
  if (/^TVectorT</.test(type)) return vectorOf(object);
  return type === 'RooFitResult' ? fitOf(object) : undefined;
}

function textValue(value: PlainValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the numbers of an array in any form; undefined for anything else. */
function numbersOf(value: PlainValue | undefined): number[] | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined;
  const numbers = Array.from(value as ArrayLike<PlainValue>, Number);
  return numbers.some(Number.isNaN) && !isNumeric(value) ? undefined : numbers;
}

function isNumeric(value: object): boolean {
  return ArrayBuffer.isView(value) || (Array.isArray(value) && value.every((one) => typeof one === 'number'));
}

function macroOf({ fLines, fParams }: PlainObject): ObjectValue | undefined {
  const lines = isObject(fLines) && Array.isArray(fLines.arr) ? fLines.arr : undefined;
  if (lines === undefined) return undefined;
  const text = lines.map((line) => (isObject(line) ? (textValue(line.fString) ?? '') : '')).join('\n');
  const parameters = textValue(fParams);
  const note = parameters ? `Parameters: ${parameters}` : undefined;
  return { kind: 'code', text, note };
}

function textOf({ _typename: type, fString, fName, fTitle }: PlainObject): ObjectValue | undefined {
  const text = textValue(type === 'TNamed' ? fTitle : fString);
  return text === undefined ? undefined : { kind: 'value', name: textValue(fName) ?? '', value: text };
}

function parameterOf({ fName, fVal }: PlainObject): ObjectValue | undefined {
  if (!['number', 'bigint', 'boolean'].includes(typeof fVal)) return undefined;
  return { kind: 'value', name: textValue(fName) ?? '', value: String(fVal) };
}

function matrixOf(object: PlainObject): ObjectValue | undefined {
  const { _typename: type, fNrows, fNcols, fRowLwb, fColLwb, fElements } = object;
  const stored = numbersOf(fElements);
  const [rows, columns, firstRow, firstColumn] = [fNrows, fNcols, fRowLwb, fColLwb].map(Number);
  if (stored === undefined || !isSize(rows) || !isSize(columns)) return undefined;
  const isHalf = type.startsWith('TMatrixTSym');
  // A symmetric matrix is stored by its upper triangle, row by row.
  const wanted = isHalf ? (rows * (rows + 1)) / 2 : rows * columns;
  if (stored.length !== wanted || (isHalf && rows !== columns)) return undefined;
  const at = (i: number, j: number): number => {
    if (!isHalf) return stored[i * columns + j] ?? Number.NaN;
    const [low, high] = i < j ? [i, j] : [j, i];
    return stored[low * rows - (low * (low - 1)) / 2 + (high - low)] ?? Number.NaN;
  };
  const shownRows = Math.min(rows, MAX_ROWS);
  const shownColumns = Math.min(columns, MAX_COLUMNS);
  const left = shownRows < rows || shownColumns < columns;
  return {
    kind: 'table',
    columns: Array.from({ length: shownColumns }, (_, j) => String(j + (firstColumn ?? 0))),
    rows: Array.from({ length: shownRows }, (_, i) => ({
      name: String(i + (firstRow ?? 0)),
      cells: Array.from({ length: shownColumns }, (_, j) => at(i, j)),
    })),
    note: `${rows} × ${columns}${isHalf ? ', symmetric' : ''}${left ? '; the first of them' : ''}`,
  };
}

function vectorOf({ fNrows, fRowLwb, fElements }: PlainObject): ObjectValue | undefined {
  const stored = numbersOf(fElements);
  if (stored === undefined || stored.length !== Number(fNrows)) return undefined;
  const rows = stored
    .slice(0, MAX_ROWS)
    .map((value, i) => ({ name: String(i + Number(fRowLwb ?? 0)), cells: [value] }));
  const left = rows.length < stored.length ? '; the first of them' : '';
  return { kind: 'table', columns: ['Value'], rows, note: `${stored.length} elements${left}` };
}

function isSize(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 && value < 1e6;
}

/** RooFit's descriptions of the quality of the covariance matrix. */
const QUALITIES: Record<string, string> = {
  '-1': 'unknown, matrix given from outside',
  '0': 'not calculated',
  '1': 'approximation, not accurate',
  '2': 'full matrix, forced positive-definite',
  '3': 'full, accurate matrix',
};

function fitOf(object: PlainObject): ObjectValue | undefined {
  const { _status, _covQual, _minNLL, _edm, _numBadNLL, _statusHistory } = object;
  if (typeof _status !== 'number' || typeof _minNLL !== 'number') return undefined;
  const history = Array.isArray(_statusHistory)
    ? _statusHistory.flatMap((one) => (isObject(one) ? [`${String(one.first)} ${String(one.second)}`] : []))
    : [];
  const facts: [string, string][] = [
    ['Status', `${_status}${_status === 0 ? ' (converged)' : ''}`],
    ['Steps', history.join(', ')],
    ['Covariance', QUALITIES[String(_covQual)] ?? String(_covQual)],
    ['Minimum of −log L', formatNumber(Number(_minNLL), 9)],
    ['Estimated distance to minimum', formatNumber(Number(_edm), 3)],
    ['Invalid evaluations', String(_numBadNLL)],
  ];
  const { parameters, unread } = parametersOf(object);
  return {
    kind: 'fit',
    facts,
    parameters,
    ...(unread > 0 && {
      note: `${unread} parameters were written by code of RooFit's own, which the file does not describe; their names and values cannot be read.`,
    }),
  };
}

/**
 * Returns the floating parameters after the fit with their errors and global correlations, as far as they can be
 * read.
 */
function parametersOf({ _finalPars, _initPars, _GC }: PlainObject): {
  parameters: ObjectValue | undefined;
  unread: number;
} {
  const listOf = (value: PlainValue | undefined) =>
    isObject(value) && Array.isArray(value._list) ? value._list : [];
  const correlations = isObject(_GC) ? (numbersOf(_GC.fElements) ?? []) : [];
  const first = listOf(_initPars);
  const all = listOf(_finalPars);
  const rows = all.flatMap((one, i): Row[] => {
    if (!isObject(one) || typeof one._value !== 'number') return [];
    const before = first[i];
    const start = isObject(before) && typeof before._value === 'number' ? before._value : '';
    const error = typeof one._error === 'number' && one._error >= 0 ? one._error : '';
    return [
      { name: textValue(one.fName) ?? String(i), cells: [one._value, error, start, correlations[i] ?? ''] },
    ];
  });
  const columns = ['Value', 'Error', 'At the start', 'Global correlation'];
  const byPlace = correlations.map((value, i) => ({ name: `Parameter ${i + 1}`, cells: [value] }));
  if (rows.length > 0)
    return { parameters: { kind: 'table', columns, rows }, unread: all.length - rows.length };
  const onlyCorrelations =
    byPlace.length === 0
      ? undefined
      : ({ kind: 'table', columns: ['Global correlation'], rows: byPlace } as const);
  return { parameters: onlyCorrelations, unread: all.length };
}
