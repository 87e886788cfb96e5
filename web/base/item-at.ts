import { internal } from './data-errors';

/** Returns an item of a list. Throws INTERNAL if there is none, because 0 in its place would be written as a number of a file. */
export function itemAt<T>(list: ArrayLike<T>, index: number, what: string): T {
  const item = list[index];
  if (item === undefined) throw internal(`The ${what} of number ${index} is missing.`);
  return item;
}
