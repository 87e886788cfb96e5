import { readFileSync } from 'node:fs';
import type { ParameterSetting } from '../../../web/api/fit';
import { fittedData, type JudgedData } from './judged';

interface Numbers {
  values: number[];
  errors: number[];
  fcn: number;
}

/** A simultaneous fit that ROOT, and in some cases iminuit, made: see tests/fixtures/fits/make_together.py. */
export interface JudgedTogether {
  parts: { on: string; function: string }[];
  shared: string[];
  options: string;
  range: [number, number] | null;
  start: Record<string, ParameterSetting>;
  strategy?: 0 | 1 | 2;
  tolerance?: number;
  result: Numbers & {
    status: number;
    valid: boolean;
    points: number;
    names: string[];
    minos?: ([number, number] | null)[];
  };
  iminuit?: Numbers;
}

export const { data: judgedTogetherData, cases: judgedTogether } = JSON.parse(
  readFileSync('tests/fixtures/fits/together.json', 'utf8'),
) as {
  data: Record<string, JudgedData>;
  cases: JudgedTogether[];
};

export const togetherParts = ({ parts }: JudgedTogether) =>
  parts.map(({ on, function: text }) => ({ fitted: fittedData(judgedTogetherData[on] as JudgedData), text }));

export const togetherOptions = (one: JudgedTogether) => ({
  ...{ shared: one.shared, options: one.options, parameters: one.start, range: one.range ?? undefined },
  ...{ strategy: one.strategy, tolerance: one.tolerance },
});
