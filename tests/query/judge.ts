import type {
  DrawRequest,
  EntryNumbers,
  FileId,
  Frequencies,
  Histogram,
  Table,
  TableValue,
} from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { type Automatic, type AxisFigures, figure, type Pair, unpack } from './recorded-pairs';

const TOLERANCE = 1e-9;

/** Counts agree exactly, sums to 1e-9 of what was added up. */
function differs(ours: number, theirs: number, scale = Math.abs(theirs), tolerance = TOLERANCE): boolean {
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs))) return false;
  return !(Math.abs(ours - theirs) <= tolerance * Math.max(scale, 1e-300));
}

/** Gathers what is not the same. */
class Findings {
  readonly wrong: string[] = [];

  check(name: string, ours: number, theirs: number, scale?: number, tolerance?: number): void {
    if (differs(ours, theirs, scale, tolerance)) this.wrong.push(`${name}: ${ours}, in ROOT ${theirs}`);
  }

  cells(
    name: string,
    ours: ArrayLike<number>,
    theirs: Float64Array,
    scales?: ArrayLike<number>,
    tolerance?: number,
  ): void {
    if (ours.length !== theirs.length)
      this.wrong.push(`${name}: ${ours.length} bins, in ROOT ${theirs.length}`);
    theirs.forEach((value, i) => {
      this.check(`${name} ${i}`, ours[i] ?? Number.NaN, value, scales?.[i], tolerance);
    });
  }
}

/** Returns the differences from a histogram with given axes; an empty list if there are none. */
export function judgeHistogram(pair: Pair, got: Histogram): string[] {
  const found = new Findings();
  judgeStatistics(pair, got, found);
  for (const [k, texts] of Object.entries(pair.texts ?? {})) {
    const ours = JSON.stringify(got.axes[Number(k)]?.labels);
    if (ours !== JSON.stringify(texts)) found.wrong.push(`labels ${ours}, in ROOT ${JSON.stringify(texts)}`);
  }
  const count = got.sums.length;
  const contents = unpack(pair.cells, count);
  if (got.profile) {
    const weights = unpack(pair.weights, count);
    found.cells('weight of bin', got.weights ?? [], weights);
    const errors = unpack(pair.errors, count);
    const scales = errors.map((error, i) => Math.abs(contents[i] ?? 0) + 1e-6 * (Math.abs(error) || 0));
    found.cells('bin', got.means ?? [], contents, scales);
    // ROOT subtracts squares of means: what is left is as exact as they are.
    const square = (value: number): number => value * value;
    found.cells(
      'squared error of bin',
      (got.errors ?? []).map(square),
      errors.map(square),
      errors.map((error, i) => square(error) + square(contents[i] ?? 0)),
    );
  } else {
    const squares = unpack(pair.squares ?? pair.cells, count);
    found.cells(
      'bin',
      got.sums,
      contents,
      squares.map((square) => Math.sqrt(Math.abs(square))),
    );
    found.cells('squares of bin', got.squares, squares);
  }
  return found.wrong;
}

function judgeStatistics(pair: Pair, got: Histogram, found: Findings): void {
  found.check('fills', got.fills, pair.fills ?? 0);
  const [weight, squares] = (pair.stats ?? [0, 0]).map(figure) as [number, number];
  // Sums of both signs are as exact as what was added up.
  found.check('sum of weights', got.weight, weight, Math.sqrt(squares * (pair.fills ?? 1)) || 1);
  // Where weights of both signs cancel, a mean is nothing but rounding. That of an empty histogram is 0.
  if (squares > 0 && Math.abs(weight) < TOLERANCE * Math.sqrt(squares)) return;
  const spread = (pair.std ?? []).map(figure);
  (pair.mean ?? []).forEach((theirs, k) => {
    const mean = figure(theirs);
    found.check(`mean ${k}`, got.mean[k] ?? Number.NaN, mean, Math.abs(mean) + (spread[k] ?? 0) || 1);
  });
  spread.forEach((theirs, k) => {
    const mean = figure(pair.mean?.[k]);
    // ROOT subtracts squares.
    found.check(
      `variance ${k}`,
      (got.stdDev[k] ?? Number.NaN) ** 2,
      theirs ** 2,
      mean * mean + theirs * theirs,
    );
  });
}

/** Returns the differences from the axes that ROOT chose, and from the contents along them. */
export function judgeAutomatic(theirs: Automatic, got: Histogram): string[] {
  const found = new Findings();
  const axes = got.axes.map(({ bins, low, high }): AxisFigures => [bins, low, high]);
  theirs.axes.forEach(([bins, low, high], k) => {
    const [ours = 0, ourLow = 0, ourHigh = 0] = axes[k] ?? [];
    found.check(`bins ${k}`, ours, bins);
    found.check(`low ${k}`, ourLow, low, high - low);
    found.check(`high ${k}`, ourHigh, high, high - low);
  });
  if (found.wrong.length > 0) return found.wrong;
  theirs.along.forEach((runs, k) => {
    const bins = (axes[k]?.[0] ?? 0) + 2;
    const ours = along(got, k);
    const most = Math.max(...ours.map(Math.abs));
    // ROOT's own histograms have floats, and lose digits with each fill.
    const scales = ours.map((sum) => Math.abs(sum) + most * 1e-3);
    found.cells(`bin of axis ${k}`, ours, unpack(runs, bins), scales, 2e-5);
  });
  return found.wrong;
}

/** Returns the contents of each bin of an axis, summed over the other axes. */
function along(got: Histogram, k: number): Float64Array {
  const stride = got.axes.slice(0, k).reduce((product, { bins }) => product * (bins + 2), 1);
  const bins = (got.axes[k]?.bins ?? 0) + 2;
  const sums = new Float64Array(bins);
  got.sums.forEach((sum, cell) => {
    const bin = Math.floor(cell / stride) % bins;
    sums[bin] = (sums[bin] ?? 0) + sum;
  });
  return sums;
}

/** Returns the differences from the figures of a histogram whose axes are in the expression. */
export function judgeOwn(pair: Pair, got: Histogram): string[] {
  const found = new Findings();
  judgeStatistics(pair, got, found);
  return [...found.wrong, ...(pair.automatic ? judgeAutomatic(pair.automatic, got) : [])];
}

/** Returns the differences from the counts of the strings. */
export function judgeLabels(theirs: readonly [string, number][], fills: number, got: Frequencies): string[] {
  const found = new Findings();
  found.check('strings', got.values, fills);
  found.check('different strings', got.distinct, theirs.length);
  const counts = new Map(theirs);
  for (const { value, count } of got.top) {
    found.check(`"${value}"`, count, counts.get(value) ?? Number.NaN, undefined, 1e-6);
  }
  return found.wrong;
}

/** Draws a pair's expression, by the rules of the ROOT that recorded it. */
export async function draw(
  engine: EngineApi,
  file: FileId,
  pair: Pair,
  axes?: (AxisFigures | undefined)[],
): Promise<Histogram> {
  const { tree, expr, cut, option, entries } = pair;
  const request: DrawRequest = { tree, expr, cut, option, entries, rootVersion: '6.40' };
  const wishes = axes?.map((axis) =>
    axis ? { bins: axis[0], range: [axis[1], axis[2]] as [number, number] } : {},
  );
  const got = await engine.draw(file, { ...request, axes: wishes });
  if (got.kind !== 'histogram') throw new Error(`not a histogram but ${got.kind}`);
  return got;
}

/** Returns the differences from ROOT; an empty list if there are none. Throws the errors of xylem. */
export async function judge(engine: EngineApi, file: FileId, pair: Pair): Promise<string[]> {
  const { tree, expr, cut, entries, limit = 12 } = pair;
  const rootVersion = '6.40';
  if (pair.scan !== undefined) {
    // In TTree::Scan the limit is of entries that are looked at.
    const request = { tree, columns: pair.scan, cut, rootVersion, by: 'instance', limit: 1e6 } as const;
    return judgeScan(pair, await engine.scan(file, { ...request, entries: [0, limit] }));
  }
  if (pair.numbers) {
    const got = (await engine.draw(file, {
      tree,
      expr: '>>list',
      cut,
      entries,
      rootVersion,
    })) as EntryNumbers;
    const [ours, theirs] = [Array.from(got.numbers).join(' '), pair.numbers.join(' ')];
    return ours === theirs ? [] : [`entries ${ours}, in ROOT ${theirs}`];
  }
  if (pair.labels) {
    const got = await engine.draw(file, { tree, expr, cut, entries, rootVersion });
    if (got.kind !== 'frequencies') return [`not strings but ${got.kind}`];
    return judgeLabels(
      pair.labels.map(([name, count]) => [name, figure(count)]),
      pair.fills ?? 0,
      got,
    );
  }
  if (!pair.axes) return judgeOwn(pair, await draw(engine, file, pair));
  const axes = pair.axes.map((axis, k) => (pair.texts?.[k] ? undefined : axis));
  const wrong = judgeHistogram(pair, await draw(engine, file, pair, axes));
  if (!pair.automatic || pair.axesDeviation) return wrong;
  return [...wrong, ...judgeAutomatic(pair.automatic, await draw(engine, file, pair))];
}

/** Returns the differences from the rows of TTree::Scan. */
export function judgeScan({ rows = [], instances }: Pair, got: Table): string[] {
  const ours = Array.from(got.entries, (entry, row) => [
    String(entry),
    ...(instances ? [String(got.instances?.[row])] : []),
    ...got.values.map((values) => values[row] as TableValue | null | undefined),
  ]);
  const wrong: string[] = [];
  if (ours.length !== rows.length) wrong.push(`${ours.length} rows, in ROOT ${rows.length}`);
  rows.forEach((theirs, row) => {
    theirs.forEach((text, column) => {
      const value = ours[row]?.[column];
      if (wrong.length < 5 && !isSame(value, text)) {
        wrong.push(`row ${row}, column ${column}: ${value}, in ROOT ${text}`);
      }
    });
  });
  return wrong;
}

function isSame(value: TableValue | null | undefined, text: string): boolean {
  if (value === undefined || value === null) return text === '';
  if (typeof value === 'string') return value.trim() === text;
  // 64-bit integers are printed as doubles.
  const theirs = /nan/.test(text)
    ? Number.NaN
    : /inf/.test(text)
      ? text.startsWith('-')
        ? -Infinity
        : Infinity
      : Number(text);
  return text !== '' && !differs(Number(value), theirs, Math.abs(theirs), 1e-12);
}
