// Replaces JSROOT's base/func.mjs, which compiles formulas as programs. Here functions use the values that the page
// computed, in the form of TF1::Save, with linear interpolation.

/** A TF1, TF2 or TF3 as JSROOT has it. */
interface StoredFunction {
  fSave?: ArrayLike<number> | undefined;
  _typename?: string;
  evalPar?: (x: number, y?: number, z?: number) => number;
}

/** Values on an even grid; x varies fastest. */
interface Table {
  low: number[];
  high: number[];
  points: number[];
  values: ArrayLike<number>;
}

function tableOf({ fSave, _typename = '' }: StoredFunction): Table | undefined {
  const dimensions = Number(/^TF([123])$/.exec(_typename)?.[1] ?? 0);
  if (!fSave || dimensions === 0) return undefined;
  const count = fSave.length - (dimensions === 1 ? 2 : 3 * dimensions);
  if (count < 2) return undefined;
  const at = (i: number) => fSave[count + i] ?? Number.NaN;
  const axes = Array.from({ length: dimensions }, (_, i) => i);
  const points = dimensions === 1 ? [count] : axes.map((i) => at(2 * dimensions + i) + 1);
  if (points.reduce((product, one) => product * one, 1) !== count) return undefined;
  return { low: axes.map((i) => at(2 * i)), high: axes.map((i) => at(2 * i + 1)), points, values: fSave };
}

/** Interpolates linearly between the points of the grid. */
function valueAt({ low, high, points, values }: Table, place: readonly number[]): number {
  let corners: [index: number, weight: number][] = [[0, 1]];
  let stride = 1;
  for (const [i, count] of points.entries()) {
    const [from = 0, to = 1] = [low[i], high[i]];
    const at = (((place[i] ?? 0) - from) / (to - from)) * (count - 1);
    const first = Math.min(count - 2, Math.max(0, Math.floor(at)));
    const share = Math.min(1, Math.max(0, at - first));
    const step = stride;
    corners = corners.flatMap(([index, weight]): [number, number][] => [
      [index + first * step, weight * (1 - share)],
      ...(share > 0 ? [[index + (first + 1) * step, weight * share] as [number, number]] : []),
    ]);
    stride *= count;
  }
  return corners.reduce((sum, [index, weight]) => sum + (values[index] ?? Number.NaN) * weight, 0);
}

/** Sets `evalPar` of a function, which JSROOT calls. Returns false if there are no values for it. */
export function proivdeEvalPar(func: StoredFunction): boolean {
  const table = tableOf(func);
  if (table === undefined) return false;
  func.evalPar = (x, y = 0, z = 0) => valueAt(table, [x, y, z]);
  return true;
}

export function getTF1Value(func: StoredFunction | null | undefined, x: number): number {
  if (!func || (!func.evalPar && !proivdeEvalPar(func))) return 0;
  const value = func.evalPar?.(x) ?? 0;
  return Number.isFinite(value) ? value : 0;
}

export function _getTF1Save(func: StoredFunction, x: number): number {
  return getTF1Value(func, x);
}
