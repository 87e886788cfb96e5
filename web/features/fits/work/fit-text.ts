import type { FitOptions } from '../../../api/fit';
import { toXylemError } from '../../../base/errors';
import type { BelowFit } from './below';
import { parseFitOptions, parseParameters } from './options';

/** A fit as a link has it: "gaus; range=80:100; options=LE; parameters=Mean=91[80:100]; below=none; unbinned=1". Of several layers
 * together "gaus(0)+expo(3); shared=3,4; others=expo | expo". */
export interface FitText {
  function: string;
  /** "80:100", of two axes "80:100,0:2"; empty for all bins. */
  range: string;
  options: string;
  parameters: string;
  /** Contents of the panel below; empty for pulls below bins and points, and nothing below maps. */
  below: BelowFit | '';
  /** Whether the values themselves are fitted instead of bins. */
  unbinned: '' | '1';
  /** Names of parameters that are the same for all layers, which are fitted together; empty for the plot alone. */
  shared: string;
  /** The functions of further layers, with " | " between; empty if all have the same. */
  others: string;
  /** Parts of the text that are not understood, which are not written again. */
  unknown?: readonly string[] | undefined;
}

const KEYS = ['range', 'options', 'parameters', 'below', 'unbinned', 'shared', 'others'] as const;

/** The values of parts that have only some. */
const WORDS: { readonly [K in (typeof KEYS)[number]]?: readonly string[] } = {
  below: ['pulls', 'difference', 'none'],
  unbinned: ['1'],
};

/** Reads a fit of a link. */
export function parseFitText(text: string): FitText {
  const [first = '', ...rest] = text.split(';');
  const read = {
    ...(Object.fromEntries(KEYS.map((key) => [key, ''])) as Record<(typeof KEYS)[number], string>),
  };
  const unknown: string[] = [];
  for (const part of rest) {
    const at = part.indexOf('=');
    const key = KEYS.find((one) => one === part.slice(0, at).trim());
    const value = part.slice(at + 1).trim();
    if (key && WORDS[key]?.includes(value) !== false) read[key] = value;
    else if (part.trim() !== '') unknown.push(part.trim());
  }
  return { function: first.trim(), ...read, ...(unknown.length > 0 && { unknown }) } as FitText;
}

/** Writes a fit for a link. */
export function formatFitText(fit: FitText): string {
  const parts = KEYS.flatMap((key) => (fit[key] === '' ? [] : [`${key}=${fit[key].replaceAll(';', ',')}`]));
  return [fit.function.replaceAll(';', ' '), ...parts].join('; ');
}

/** Returns the options of a fit, or the reason why its texts are not valid. */
export function optionsOfText({ range, options, parameters, unknown = [] }: FitText): FitOptions | string {
  if (unknown.length > 0)
    return `"${unknown[0]}" is not part of a fit: write ${KEYS.map((key) => `${key}=…`).join(', ')}.`;
  try {
    parseFitOptions(options);
    const ends = range === '' ? undefined : rangesIn(range);
    if (typeof ends === 'string') return ends;
    return { range: ends, options, parameters: parseParameters(parameters) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return `${message} ${fix ?? ''}`.trim();
  }
}

/** Returns the functions of all layers and the names that they share, or the reason why the texts are not valid. */
export function togetherOfText(
  { function: first, others, shared, unbinned }: FitText,
  layers: number,
): { functions: string[]; shared: string[] } | string {
  if (unbinned !== '') return 'Layers are fitted together in bins: choose another method.';
  const more = others.split(/(?<!\|)\|(?!\|)/).flatMap((one) => one.trim() || []);
  if (more.length > 0 && more.length !== layers - 1)
    return `There are ${layers} layers and ${more.length + 1} functions: name one for each of the others, with " | " between.`;
  const names = shared.split(',').flatMap((one) => one.trim() || []);
  return { functions: [first, ...(more.length > 0 ? more : Array(layers - 1).fill(first))], shared: names };
}

/** Returns the ranges of one or two axes, or the reason why a text has none. */
export function rangesIn(text: string): [low: number, high: number][] | string {
  const all = text.split(',').map((part) => {
    const ends = part.split(':').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
    const [low = Number.NaN, high = Number.NaN] = ends;
    return ends.length === 2 && low < high && Number.isFinite(high - low)
      ? ([low, high] as const)
      : undefined;
  });
  if (all.length <= 2 && all.every((one) => one !== undefined)) return all.map(([low, high]) => [low, high]);
  return `"${text}" is not a range: write LOW:HIGH, of two axes LOW:HIGH,LOW:HIGH.`;
}
