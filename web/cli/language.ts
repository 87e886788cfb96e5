import type { RulesOfRoot } from '../api/api';
import { UsageError } from './arguments';
import { type Options, valued } from './options';

const VERSIONS: readonly RulesOfRoot[] = ['6.40', '6.42'];

/** Options for the meaning of expressions. */
export const languageOptions = {
  'root-version': valued(
    'V',
    'the rules of ROOT 6.40 or of 6.42, the default: there sqrt of a negative number is NaN, before it was the ' +
      'square root of its amount',
    { choices: VERSIONS },
  ),
  seed: valued(
    'N',
    'the start of the random numbers of rndm, 1 without it: the same seed gives the same numbers',
  ),
} as const satisfies Options;

export function rulesOf(given: { 'root-version'?: string | undefined }): RulesOfRoot | undefined {
  return VERSIONS.find((version) => version === given['root-version']);
}

/** Returns the seed of a command line, if any. Throws UsageError for a text that is not a whole number. */
export function seedOf({ seed }: { seed?: string | undefined }): number | undefined {
  if (seed === undefined) return undefined;
  if (!/^\d{1,15}$/.test(seed)) throw new UsageError(`--seed takes a whole number, not "${seed}".`);
  return Number(seed);
}
