import { argumentError } from './errors';
import { FUNCTION, oneOf, opaque, type Shape } from './shape';
import { didYouMean, nearest } from './suggest';

/*
 * Checks the options of calls at run time, because programs may not use types. Without this, an option with a wrong
 * name or type would be ignored silently.
 */

/** A shape that accepts all values of type T, and possibly others. */
export interface Rule<T = never> extends Pick<Shape<unknown>, 'words'> {
  is(value: unknown): boolean;
  readonly takes?: (value: T) => void;
  /** The rules of the members of an object, and the rule of the items of a list. */
  readonly members?: { readonly [name: string]: Rule };
  readonly of?: Rule | undefined;
}

/**
 * A rule for each option of an interface. It does not compile if a rule refuses a value that the type of its option
 * allows.
 */
export type Rules<Options> = {
  readonly [Name in keyof Required<Options>]: Rule<NonNullable<Options[Name]>>;
};

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
    if (value === undefined || rule.is(value)) continue;
    checkWithin(`${name} of ${call}`, value, rule);
    throw argumentError(`The option ${name} of ${call} is ${shown(value)}.`, `It has to be ${rule.words}.`);
  }
}

/** Throws ARGUMENT for the member or the item that breaks the rule of an object or a list. */
function checkWithin(name: string, value: unknown, { members, of }: Rule): void {
  const isList = Array.isArray(value);
  if (members && !isList && typeof value === 'object' && value !== null) checkOptions(name, value, members);
  if (of?.members && isList)
    for (const [i, one] of value.entries()) checkWithin(`${name} (number ${i + 1})`, one, of);
}

/** Returns a short text for a value, for messages. */
export function shown(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value))
    return value.length > 4 || depth > 2
      ? 'a list'
      : `[${value.map((one) => shown(one, depth + 1)).join(', ')}]`;
  if (typeof value === 'object') return 'an object';
  return String(value).slice(0, 60);
}

/** The ROOT versions whose rules xylem can follow. */
export const ROOT_VERSION = oneOf('6.40', '6.42');

/** The options that every call has. */
export const CALL = {
  signal: opaque<AbortSignal>(
    'an AbortSignal',
    (value) => typeof Object(value).addEventListener === 'function' && 'aborted' in Object(value),
  ),
  onProgress: FUNCTION,
} as const;
