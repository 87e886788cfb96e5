import type { FitInput, FitOptions, FitResult } from '../../../api/fit';
import { checkOptions, type Rules } from '../../../base/options';
import { ANY, POSITIVE, TEXT, whole } from '../../../base/shape';
import { type BinContents, givenHistogram } from '../../../bins/given-histogram';
import { type Fitted, fit } from './fit';

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
  const { result } = await fit(load, fittedOf(input), text, options);
  return result;
}

function fittedOf(input: FitInput): Fitted {
  const { kind } = Object(input) as { kind?: string };
  if (kind === 'graph' || kind === 'values') return input as Fitted;
  return givenHistogram(input as BinContents);
}
