import { type Members, objectOf, unaddable } from '../../../../../bins/object-values';
import type { TapeValue } from '../../../../../core/tape';

/** Sequences whose objects are merged by position: TSeqCollection::Merge. */
const COLLECTIONS = ['TList', 'THashList', 'TObjArray', 'TOrdCollection', 'TSortedList', 'TSelectorList'];

export function isCollection(className: string): boolean {
  return COLLECTIONS.includes(className);
}

/** Functions for the objects of a list. */
export interface Items {
  /** Whether objects of a class are added; others are appended. Throws UNSUPPORTED if neither is possible. */
  adds(className: string): boolean;
  /** Throws UNSUPPORTED for an object that cannot be copied into the sum from another file. */
  checkClasses(item: Members): void;
  /** Adds an object to an object of the sum, which is at this place in it. */
  add(into: Members, other: Members, place: string): void;
  /** Initial lengths of the lists of the sum, by the places of the lists. */
  lengths: Map<string, number>;
}

/**
 * Adds a list to another as TSeqCollection::Merge does: objects at the same place are added; objects of other classes
 * are appended. Throws UNSUPPORTED if an object would be lost or two mixed: the second list is longer than the first
 * one was, classes or names at a place differ, or an object is in a list twice.
 */
export function addCollection(into: Members, other: Members, place: string, items: Items): void {
  const own = itemsOf(into);
  const more = itemsOf(other);
  const length = items.lengths.get(place) ?? own.length;
  items.lengths.set(place, length);
  if (more.length > length) throw unaddable(`It has ${more.length} objects, and the first one ${length}.`);
  const appended: Members[] = [];
  const seen = new Set<unknown>();
  for (const [i, item] of more.entries()) {
    const first = own[i];
    if (!isObject(item) || !isObject(first)) {
      if (item !== first) throw unaddable(`There is no object at place ${i} of one of the lists.`);
      continue;
    }
    if (seen.has(item) || seen.has(first)) throw unaddable('An object stands in the list twice.');
    seen.add(item).add(first);
    if (item._typename !== first._typename)
      throw unaddable(
        `There is a ${String(item._typename)} at place ${i}, and a ${String(first._typename)}.`,
      );
    if (!items.adds(String(item._typename))) {
      items.checkClasses(item);
      appended.push(item);
    } else if (item.fName !== first.fName)
      throw unaddable(`"${String(item.fName)}" is at place ${i}, and "${String(first.fName)}".`);
    else items.add(first, item, `${place}/${i}`);
  }
  own.push(...appended);
  if (Array.isArray(into.opt)) into.opt.push(...appended.map(() => ''));
}

/** Returns the list of histograms of a THStack. They are added by position. */
export function histogramsOf(stack: Members): Members {
  return objectOf(stack, 'fHists');
}

function itemsOf(list: Members): TapeValue[] {
  if (!Array.isArray(list.arr)) throw unaddable('Its objects are not a list.');
  return list.arr;
}

function isObject(value: TapeValue | undefined): value is Members {
  return value !== null && typeof value === 'object' && '_typename' in value;
}
