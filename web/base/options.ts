import { argumentError } from './errors';
import { didYouMean, nearest } from './suggest';

/*
 * Checks options of programs, which may have no types. An option that is misspelt or of another type would otherwise be
 * ignored without a word.
 */

/** A rule for the value of an option. */
export interface Rule {
  is(value: unknown): boolean;
  /** Continues "It has to be". */
  words: string;
}

/** A rule for each option of an interface. */
export type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

/** Throws ARGUMENT for an option that `call` does not have, and for a value that breaks its rule. */
export function checkOptions(call: string, options: unknown, rules: { readonly [name: string]: Rule }): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw argumentError(
      `The options of ${call} are ${shown(options)}.`,
      'Give an object, or leave them out.',
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const names = Object.keys(rules);
      const like = didYouMean(nearest(name, names));
      throw argumentError(
        `${call} has no option "${name.slice(0, 60)}".`,
        like ?? `It has ${names.join(', ')}.`,
      );
    }
    if (value !== undefined && !rule.is(value))
      throw argumentError(`The option ${name} of ${call} is ${shown(value)}.`, `It has to be ${rule.words}.`);
  }
}

/** A value in a few characters. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length > 4 ? 'a list' : `[${value.map(shown).join(', ')}]`;
  if (typeof value === 'object') return 'an object';
  return String(value).slice(0, 60);
}

const rule = (words: string, is: Rule['is']): Rule => ({ words, is });

/** For what is checked elsewhere, with a message of its own. */
export const ANY = rule('anything', () => true);
export const TEXT = rule('a text', (value) => typeof value === 'string');
export const NUMBER = rule('a number', (value) => typeof value === 'number' && !Number.isNaN(value));
export const FLAG = rule('true or false', (value) => typeof value === 'boolean');
export const FUNCTION = rule('a function', (value) => typeof value === 'function');
export const OBJECT = rule('an object', (value) => typeof value === 'object' && value !== null);
export const ADDRESS = rule('an address', (value) => typeof value === 'string' || value instanceof URL);
export const TEXTS = rule(
  'a list of texts',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
export const TEXT_BY_NAME = rule(
  'an object whose values are texts',
  (value) => OBJECT.is(value) && Object.values(value as object).every((one) => typeof one === 'string'),
);

export const oneOf = (...choices: readonly unknown[]): Rule =>
  rule(choices.map(shown).join(' or '), (value) => choices.includes(value));

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): Rule =>
  rule(
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  );

export const listOf = ({ is, words }: Rule, maxLength = Number.POSITIVE_INFINITY): Rule =>
  rule(
    `a list${Number.isFinite(maxLength) ? ` of at most ${maxLength}` : ''}, each ${words}`,
    (value) => Array.isArray(value) && value.length <= maxLength && value.every((one) => is(one)),
  );

export const either = (...rules: readonly Rule[]): Rule =>
  rule(rules.map(({ words }) => words).join(', or '), (value) => rules.some(({ is }) => is(value)));

/** The options that every call has. */
export const CALL = {
  signal: rule(
    'an AbortSignal',
    (value) => typeof Object(value).addEventListener === 'function' && 'aborted' in Object(value),
  ),
  onProgress: FUNCTION,
} as const;
