import { unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import { quotedText } from '../../../../base/literal';
import type { Range } from '../ops/project';
import { type ArgValue, argumentsOf, type Step } from '../steps';

/** A step, as programs write it. */
export interface Written {
  step: Step;
  args: Record<string, ArgValue>;
  /** Names of the operands, and whether they are numbers. */
  of: { name: string; isNumber: boolean }[];
  /** Returns the text of a number or of the name of a result. */
  number(name: string): string | undefined;
}

/** Text in Python. */
export const text = (value: unknown): string => quotedText(String(value));

/** A number in Python. */
export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  throw untranslated('A program has no number for infinity here.');
}

export function untranslated(why: string): XylemError {
  return unsupported(why, 'Leave out --code, or compute this part with xylem.');
}

const NUMBERS = new Set(['number', 'integral']);

/** Returns the steps with names of their operands: v1, v2, … and "result" for the last one. */
export function writtenSteps(steps: readonly Step[]): { name: string; written: Written }[] {
  const isNumber: boolean[] = [];
  const nameOf = (i: number): string => (i === steps.length - 1 ? 'result' : `v${i + 1}`);
  const valueText = (i: number): string => {
    const { op, value } = steps[i] ?? { op: '' };
    return op === 'number' ? numberText(Number(value)) : nameOf(i);
  };
  return steps.map((step, i) => {
    const of = (step.of ?? []).map((k) => ({ name: valueText(k), isNumber: isNumber[k] ?? false }));
    isNumber[i] = NUMBERS.has(step.op) || (of.length > 0 && of.every((one) => one.isNumber));
    const args = argumentsOf(step);
    const number = (name: string): string | undefined => {
      const value = args[name];
      if (value === undefined) return undefined;
      if (typeof value === 'number') return numberText(value);
      const { step: at } = value as { step: number };
      return valueText(at);
    };
    return { name: nameOf(i), written: { step, args, of, number } };
  });
}

/** Returns ranges as an argument of Python: the ranges without a name, and those of axes by their bins. */
export function rangesText(args: Record<string, ArgValue>): string {
  const unnamed = ((args.ranges as Range[] | undefined) ?? []).map(
    ({ from, to }) => `(${numberText(from)}, ${numberText(to)})`,
  );
  const bins = ['x', 'y', 'z'].flatMap((axis) => {
    const range = args[axis] as Range | undefined;
    return range ? [`${axis}=(${range.from}, ${range.to})`] : [];
  });
  return [...unnamed, ...bins].map((one) => `, ${one}`).join('');
}

/** Returns the factor of `scale` as an expression of Python; undefined if bins are only divided by their widths. */
export function factorText(one: Written): string | undefined {
  const integralOf = (name = '') => `integral(${name}${rangesText(one.args)})[0]`;
  const own = integralOf(one.of[0]?.name);
  const [area, target, lumi] = [one.number('area'), one.number('to'), one.number('lumi')];
  if (area !== undefined) return `${area} / ${own}`;
  if (target !== undefined) return `${integralOf(target)} / ${own}`;
  if (lumi !== undefined) return `${lumi} * ${one.number('xsec')} / ${one.number('events')}`;
  return one.number('factor');
}
