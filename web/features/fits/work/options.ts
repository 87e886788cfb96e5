import type { ParameterSetting } from '../../../api/fit';
import { argumentError } from '../../../base/errors';
import type { FitChoice } from './types';

/** Words of ROOT that change what is shown or kept, but not the result. */
const WITHOUT_EFFECT = /^[QVSNR0+BCM]$/;

/** Reads letters of ROOT's fit options. Throws ARGUMENT for those that xylem does not have. */
export function parseFitOptions(text = ''): FitChoice {
  const choice: FitChoice = {
    ...{ method: 'chi2', integral: false, ones: 'none' },
    ...{ minos: false, withoutX: false, minuit: false },
  };
  let rest = text.toUpperCase().replaceAll(/[\s,]/g, '');
  const take = (word: string): boolean => {
    const has = rest.includes(word);
    if (has) rest = rest.replace(word, '');
    return has;
  };
  if (take('EX0')) choice.withoutX = true;
  for (const word of ['MULTI', 'SERIAL', 'WIDTH', 'ROB']) {
    if (rest.includes(word))
      throw argumentError(`The option ${word} of a fit is not followed.`, 'Leave it out.');
  }
  if (take('WL')) choice.method = 'weighted';
  else if (take('LL') || take('L')) choice.method = 'likelihood';
  if (take('P')) choice.method = choice.method === 'chi2' ? 'pearson' : choice.method;
  if (take('WW')) choice.ones = 'all';
  else if (take('W')) choice.ones = 'filled';
  if (take('I')) choice.integral = true;
  if (take('E')) choice.minos = true;
  if (take('F')) choice.minuit = true;
  const wrong = [...rest].find((letter) => !WITHOUT_EFFECT.test(letter));
  if (wrong !== undefined) {
    throw argumentError(
      `"${wrong}" is not an option of a fit.`,
      'L, WL, P, W, WW, I, E, F and EX0 are: see docs/features/fits.md.',
    );
  }
  return choice;
}

const NAME = /^([\p{L}_][\p{L}\p{N}_]{0,99}|\d{1,3})(?![\p{L}\p{N}_])/u;
const START = /^=\s{0,9}([^[\]|=:]{0,40})/;
const LIMITS = /^\[([^[\]:|]{0,40}):([^[\]:|]{0,40})\]/;

/** Returns a number; undefined for a text without one, NaN for another text. */
function numberIn(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : Number(trimmed);
}

/** Reads how a parameter begins; undefined for a text that does not say it. */
function settingOf(text: string): [name: string, setting: ParameterSetting] | undefined {
  let rest = text.trim();
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest) ?? undefined;
    if (found) rest = rest.slice(found[0].length).trimStart();
    return found;
  };
  const [, name] = take(NAME) ?? [];
  const start = numberIn(take(START)?.[1]);
  const [, first, second] = take(LIMITS) ?? [];
  const [low, high] = [numberIn(first), numberIn(second)];
  const fixed = take(/^\|\s{0,9}fixed$/) !== undefined;
  const isGood = name !== undefined && rest === '' && ![start, low, high].some(Number.isNaN);
  return isGood ? [name, { start, low, high, fixed }] : undefined;
}

/** Reads "Mean=91[80:100], Sigma=2.5|fixed". Throws ARGUMENT. */
export function parseParameters(text: string): Record<string, ParameterSetting> {
  const settings: [name: string, setting: ParameterSetting][] = [];
  for (const part of text.split(/[,;]/)) {
    if (part.trim() === '') continue;
    const found = settingOf(part);
    if (!found) {
      throw argumentError(
        `"${part.trim()}" does not say how a parameter begins.`,
        'Write NAME=START, NAME=START[LOW:HIGH] or NAME=START|fixed.',
      );
    }
    settings.push(found);
  }
  // As members of its own, also one that is called __proto__.
  return Object.fromEntries(settings);
}

/** The text that `parseParameters` reads. */
export function parametersText(settings: Readonly<Record<string, ParameterSetting>>): string {
  return Object.entries(settings)
    .map(([name, { start, low, high, fixed }]) => {
      const limits = low === undefined && high === undefined ? '' : `[${low ?? ''}:${high ?? ''}]`;
      return `${name}${start === undefined ? '' : `=${start}`}${limits}${fixed ? '|fixed' : ''}`;
    })
    .join(',');
}
