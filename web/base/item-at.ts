import { internal } from './data-errors';

/**
 * Returns an item of a list. Throws INTERNAL if it does not exist, because a default of 0 would be written into a file.
 */
export function itemAt<T>(list: ArrayLike<T>, index: number, what: string): T {
  const item = list[index];
  if (item === undefined) throw internal(`The ${what} of number ${index} is missing.`);
  return item;
}
