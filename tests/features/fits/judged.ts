import { readFileSync } from 'node:fs';
import type { FitOptions, ParameterSetting } from '../../../web/api/fit';
import { givenHistogram } from '../../../web/bins/given-histogram';
import type { Fitted } from '../../../web/features/fits/work/fit';

/** A fit that ROOT made: see tests/fixtures/fits/make_fits.py. */
export interface JudgedCase {
  on: string;
  function: string;
  options: string;
  range: [number, number] | [number, number][] | null;
  start: Record<string, ParameterSetting>;
  strategy?: 0 | 1 | 2;
  calls?: number;
  tolerance?: number;
  /** Whether ROOT had no data to fit. */
  empty?: boolean;
  result: {
    status: number;
    valid: boolean;
    fcn: number;
    edm: number;
    calls: number;
    chi2: number;
    ndf: number;
    probability: number;
    covariance: number;
    values: number[];
    errors: number[];
    names: string[];
    minos?: ([number, number] | null)[];
  };
}

export interface JudgedData {
  counts: number[];
  errors?: number[];
  axis: [number, number, number] | number[];
  second?: [number, number, number];
  x?: number[];
  y?: number[];
  class?: string;
  sides?: [number[], number[], number[], number[]];
  values?: number[];
}

const { data, cases } = JSON.parse(readFileSync('tests/fixtures/fits/fits.json', 'utf8')) as {
  data: Record<string, JudgedData>;
  cases: JudgedCase[];
};

export const judgedCases = cases;

const edgesOf = (axis: number[]): Float64Array =>
  axis.length !== 3
    ? Float64Array.from(axis)
    : Float64Array.from({ length: (axis[0] ?? 0) + 1 }, (_, i) =>
        i === axis[0]
          ? (axis[2] ?? 0)
          : (axis[1] ?? 0) + i * (((axis[2] ?? 0) - (axis[1] ?? 0)) / (axis[0] ?? 1)),
      );

/** The data of a case. */
export const fittedOf = (name: string): Fitted => fittedData(data[name] as JudgedData);

export function fittedData(one: JudgedData): Fitted {
  const { counts, errors, axis, second, x, y, sides, values, class: className } = one;
  if (values) return { kind: 'values', x: Float64Array.from(values) };
  if (x && y) {
    const [left, right, down, up] = (sides ?? []).map((one) => Float64Array.from(one));
    const all = left && right && down && up ? { left, right, down, up } : undefined;
    return { kind: 'graph', x: Float64Array.from(x), y: Float64Array.from(y), className, errors: all };
  }
  const edges = second ? [edgesOf(axis), edgesOf(second)] : edgesOf(axis);
  return givenHistogram({ counts, edges, errors });
}

export const optionsOf = (one: JudgedCase): FitOptions => ({
  ...{ options: one.options, parameters: one.start, range: one.range ?? undefined },
  ...{ strategy: one.strategy, maxCalls: one.calls, tolerance: one.tolerance },
});

/** The class of the data of a case in a ROOT file; undefined for values, which are a tree. */
export function classOf(name: string): string | undefined {
  const { values, class: className, second } = data[name] as JudgedData;
  if (values) return undefined;
  return className ?? (second ? 'TH2D' : /^(profile|curved)$/.test(name) ? 'TProfile' : 'TH1D');
}
