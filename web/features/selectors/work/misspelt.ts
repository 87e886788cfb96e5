import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';

/** Names that Node, JSON, promises and tests look for in any object. */
const ANY = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  'nodeType',
  'tagName',
  '$$typeof',
  '@@__IMMUTABLE_ITERABLE__@@',
  '@@__IMMUTABLE_RECORD__@@',
]);

/**
 * Returns a prototype that throws ARGUMENT when a member is read that neither the object nor its prototypes have. Reading other
 * members is as fast as without it. `whose` begins the sentence, and `names` are those that were meant.
 */
export function refusing(whose: (name: string) => string, names: () => readonly string[]): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver) {
      const isOther = typeof name === 'string' && !(name in target) && !ANY.has(name);
      if (!isOther) return Reflect.get(target, name, receiver) as unknown;
      throw argumentError(whose(name), meantBy(name, names()));
    },
  });
}

/** Returns "Did you mean …?", or the names. */
export function meantBy(name: string, names: readonly string[], whose = 'They are'): string {
  return didYouMean(similar(name, names)) ?? `${whose} ${names.slice(0, 20).join(', ')}.`;
}

/** Returns an object with these members, of which a misspelt one cannot be read. */
export function withNames<T extends object>(members: T, whose: (name: string) => string): T {
  return Object.setPrototypeOf(
    members,
    refusing(whose, () => Object.keys(members)),
  ) as T;
}

/**
 * Makes it an error to use a list as a number, as in `pt > 20` and `pt + 1`: JavaScript would take a list of one value as this value.
 */
export function refuseAsNumber(list: object, name: string): void {
  Object.defineProperty(list, Symbol.toPrimitive, {
    value: (hint: string) => textOfList(list as ArrayLike<unknown>, hint, name),
  });
}

/** For Symbol.toPrimitive of a list: returns its values as text, and throws ARGUMENT if a number is wanted. */
export function textOfList(list: ArrayLike<unknown>, hint: string, name: string | undefined): string {
  if (hint === 'string') return Array.from(list).join();
  throw argumentError(
    `${name === undefined ? 'A result of filter, map or another method' : `"${name}"`} is a list of values, which was used as a number.`,
    `Take one of its values, such as ${name ?? 'list'}[0], or ask with some or every.`,
  );
}
