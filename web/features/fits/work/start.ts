import type { FitData } from './fit-core';
import type { StartRule } from './formula/shapes';

/** Start values and limits. */
export interface Start {
  value: number;
  low?: number;
  high?: number;
  /** Whether the limits are not those of ROOT. */
  own?: boolean;
}

/** sqrt(2 pi) with the digits that ROOT uses for start values. */
const SQRT_2PI = 2.506628;

interface Moments {
  mean: number;
  rms: number;
  constant: number;
}

/** ROOT::Fit::InitGaus along one coordinate. */
function moments(x: ArrayLike<number>, y: ArrayLike<number>): Moments | undefined {
  const n = x.length;
  let [sum, sumX, sumX2, most] = [0, 0, 0, 0];
  const span = (x[n - 1] ?? 0) - (x[0] ?? 0);
  let width = span > 0 ? span : 1;
  let before = 0;
  for (let i = 0; i < n; i++) {
    const [at, value] = [x[i] ?? 0, y[i] ?? 0];
    sumX += value * at;
    sumX2 += value * at * at;
    sum += value;
    if (value > most) most = value;
    if (i > 0 && at - before < width) width = at - before;
    before = at;
  }
  if (!(sum > 0)) return undefined;
  const mean = sumX / sum;
  const variance = sumX2 / sum - mean * mean;
  const rms = variance > 0 ? Math.sqrt(variance) : (width * n) / 4;
  return { mean, rms, constant: 0.5 * (most + (width * sum) / (SQRT_2PI * rms)) };
}

/** ROOT::Fit::InitExpo. */
function exponential(x: ArrayLike<number>, y: ArrayLike<number>): Start[] {
  let [low, high] = [x[0] ?? 0, x[0] ?? 0];
  let [atLow, atHigh] = [y[0] ?? 0, y[0] ?? 0];
  for (let i = 1; i < x.length; i++) {
    const at = x[i] ?? 0;
    if (at < low) [low, atLow] = [at, y[i] ?? 0];
    else if (at > high) [high, atHigh] = [at, y[i] ?? 0];
  }
  if (atLow <= 0 && atHigh > 0) atLow = atHigh;
  else if (atHigh <= 0 && atLow > 0) atHigh = atLow;
  else if (atLow <= 0 && atHigh <= 0) [atLow, atHigh] = [1, 1];
  const slope = Math.log(atHigh / atLow) / (high - low);
  const steady = Number.isFinite(slope) ? slope : 0;
  return [{ value: Math.log(atLow) - steady * low }, { value: steady }];
}

/** Returns start values for a shape; undefined if the data have none. */
export function startValues(
  rule: StartRule,
  { x, half = [], y }: FitData,
  integral: boolean,
  parameters: number,
): Start[] | undefined {
  const contents = y ?? new Float64Array(x[0]?.length ?? 0).fill(1);
  // ROOT has the lower edges of bins here if it integrates over them.
  const places = x.map((list, k) => (integral ? list.map((at, i) => at - (half[k]?.[i] ?? 0)) : list));
  const [first = new Float64Array(0), second = new Float64Array(0)] = places;
  if (rule === 'expo') return first.length === 0 ? undefined : exponential(first, contents);
  if (rule === 'gaus2') return starts2(first, second, contents, parameters);
  const found = moments(first, contents);
  if (!found) return undefined;
  const { mean, rms, constant } = found;
  const width: Start = { value: rms, low: 0, high: 10 * rms };
  if (rule === 'gaus') return [{ value: constant }, { value: mean }, width];
  const area = constant * rms * SQRT_2PI;
  if (rule === 'breitwigner') return [{ value: area }, { value: mean }, width];
  const narrow = { value: rms / 2, low: 0, high: 10 * rms };
  if (rule === 'voigt') return [{ value: area }, { value: mean }, narrow, narrow];
  const tail: Start[] = [
    { value: 1.5, low: 0.01, high: 10, own: true },
    { value: 3, low: 1.0001, high: 200, own: true },
  ];
  return [{ value: constant }, { value: mean }, width, ...tail, ...(parameters > 5 ? tail : [])];
}

/** ROOT::Fit::Init2DGaus. */
function starts2(x: Float64Array, y: Float64Array, z: Float64Array, parameters: number): Start[] | undefined {
  const [first, second] = [moments(x, z), moments(y, z)];
  if (!first || !second) return undefined;
  const axis = ({ mean, rms }: Moments): Start[] => [{ value: mean }, { value: rms, low: 0, high: 10 * rms }];
  const constant: Start = { value: 2 * first.constant * second.constant };
  const all = [constant, ...axis(first), ...axis(second)];
  return parameters > 5 ? [...all, { value: 0, low: -1, high: 1, own: true }] : all;
}
