import type { FitOptions } from '../../../api/fit';
import { toXylemError } from '../../../base/errors';
import { parseFitOptions, parseParameters } from './options';

/** A fit as a link has it: "gaus; range=80:100; options=LE; parameters=Mean=91[80:100]". */
export interface FitText {
  function: string;
  /** "80:100"; empty for all bins. */
  range: string;
  options: string;
  parameters: string;
}

const KEYS = ['range', 'options', 'parameters'] as const;

/** Reads a fit of a link. Parts that are not known are left out. */
export function parseFitText(text: string): FitText {
  const [first = '', ...rest] = text.split(';');
  const read: FitText = { function: first.trim(), range: '', options: '', parameters: '' };
  for (const part of rest) {
    const at = part.indexOf('=');
    const key = KEYS.find((one) => one === part.slice(0, at).trim());
    if (key) read[key] = part.slice(at + 1).trim();
  }
  return read;
}

/** Writes a fit for a link. */
export function formatFitText(fit: FitText): string {
  const parts = KEYS.flatMap((key) => (fit[key] === '' ? [] : [`${key}=${fit[key].replaceAll(';', ',')}`]));
  return [fit.function.replaceAll(';', ' '), ...parts].join('; ');
}

/** Returns the options of a fit, or the reason why its texts are not valid. */
export function optionsOfText({ range, options, parameters }: FitText): FitOptions | string {
  try {
    parseFitOptions(options);
    const ends = range === '' ? undefined : rangeIn(range);
    if (typeof ends === 'string') return ends;
    return { range: ends, options, parameters: parseParameters(parameters) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return `${message} ${fix ?? ''}`.trim();
  }
}

function rangeIn(text: string): [low: number, high: number] | string {
  const [low = Number.NaN, high = Number.NaN, ...more] = text
    .split(':')
    .map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  if (more.length === 0 && low < high && Number.isFinite(high - low)) return [low, high];
  return `"${text}" is not a range: write LOW:HIGH.`;
}
