import type { FitInput, FitOptions, FitResult, TogetherOptions, TogetherResult } from '../../../api/fit';
import { argumentError } from '../../../base/errors';
import { CALL, checkOptions, ROOT_VERSION, type Rules } from '../../../base/options';
import { ANY, POSITIVE, TEXT, whole } from '../../../base/shape';
import { type BinContents, givenHistogram } from '../../../bins/given-histogram';
import type { PageInsight } from '../../../insight/api';
import type { FitValuesOptions, TreePlace } from '../../../library/tree-handle';
import { type Fitted, fit } from './fit';
import type {} from './insight';
import { fitAll } from './together';

const FIT: Rules<FitOptions> = {
  range: ANY,
  options: TEXT,
  parameters: ANY,
  contours: ANY,
  strategy: whole(0, 2),
  tolerance: POSITIVE,
  maxCalls: whole(1),
  limitMs: whole(1),
};

/** Implements `fitHistogram`. */
export async function fitGiven(
  load: () => Promise<WebAssembly.Module>,
  input: FitInput,
  text: string,
  options: FitOptions = {},
): Promise<FitResult> {
  checkOptions('fitHistogram', options, FIT);
  checkText('fitHistogram', text);
  const { result, release } = await fit(load, fittedOf(input), text, options);
  release();
  return result;
}

const VALUES: Rules<FitValuesOptions> = {
  ...FIT,
  ...CALL,
  cut: TEXT,
  entries: ANY,
  rootVersion: ROOT_VERSION,
  seed: whole(0),
};

/** Implements `fitValues` of the handle of a tree. */
export async function fitValuesOf(
  place: TreePlace,
  expr: string,
  text: string,
  options: FitValuesOptions = {},
): Promise<FitResult> {
  place.check('fitValues', options, VALUES);
  if (typeof expr !== 'string')
    throw argumentError('fitValues takes an expression as a text.', "Write fitValues('x', 'gausn').");
  checkText('fitValues', text);
  const { signal, onProgress, cut, entries, rootVersion, seed, ...how } = options;
  const { tree, friends, file } = place;
  // Every insight has this call. The library's type leaves it out.
  const insight = place.reader.insight as PageInsight;
  const values = { tree, friends, expr, cut, entries, rootVersion, seed };
  const { result } = await insight.fitValues(file, values, text, how, { signal, onProgress });
  return result;
}

const TOGETHER: Rules<TogetherOptions> = { ...FIT, shared: ANY };

/** Implements `fitTogether`. */
export async function fitTogetherGiven(
  load: () => Promise<WebAssembly.Module>,
  inputs: readonly FitInput[],
  functions: string | readonly string[],
  options: TogetherOptions,
): Promise<TogetherResult> {
  checkOptions('fitTogether', options, TOGETHER);
  for (const one of [functions].flat()) checkText('fitTogether', one);
  const texts = typeof functions === 'string' ? inputs.map(() => functions) : functions;
  if (texts.length !== inputs.length)
    throw argumentError(
      `There are ${inputs.length} data and ${texts.length} functions.`,
      'Give one function for all, or one for each.',
    );
  const parts = inputs.map((input, i) => ({ fitted: fittedOf(input), text: texts[i] ?? '' }));
  const { result, fits } = await fitAll(load, parts, options);
  fits[0]?.release();
  return result;
}

/** Throws ARGUMENT for a function that is not a text. */
function checkText(call: string, text: unknown): void {
  if (typeof text !== 'string')
    throw argumentError(`${call} takes the function as a text.`, 'Write gaus, or [0]+[1]*x.');
}

function fittedOf(input: FitInput): Fitted {
  const { kind } = Object(input) as { kind?: string };
  if (kind === 'graph' || kind === 'values') return input as Fitted;
  return givenHistogram(input as BinContents);
}
