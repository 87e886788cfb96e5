import { unsupported } from '../../../base/data-errors';
import type { BoardColumn } from './columns';

/*
 * Columns of one collection (Jet_pt, Jet_eta) have lists of the same lengths. An element of one belongs to the element of the same
 * place in the others, so that a brush on one selects elements of all of them.
 */

/** Lists of equal lengths: where the elements of each entry begin, and to which entry each element belongs. */
export interface Collection {
  starts: Uint32Array;
  owners: Uint32Array;
}

/**
 * Returns the collection of each column; undefined for columns with one value for each entry. `before` has those of the first
 * columns, which stay the same.
 */
export function collectionsOf(
  columns: readonly BoardColumn[],
  before: readonly (Collection | undefined)[] = [],
): (Collection | undefined)[] {
  const known = before.filter((one) => one !== undefined);
  return columns.map(({ starts }, i) => {
    if (i < before.length) return before[i];
    if (!starts) return undefined;
    const same = known.find((one) => isSame(one.starts, starts));
    if (same) return same;
    const collection = { starts, owners: ownersOf(starts) };
    known.push(collection);
    return collection;
  });
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1) ?? 0);
  for (let entry = 0; entry + 1 < starts.length; entry++)
    owners.fill(entry, starts[entry], starts[entry + 1]);
  return owners;
}

/**
 * Returns the collection over whose elements columns run together; undefined if each has one value for an entry. Throws
 * UNSUPPORTED for lists of different lengths.
 */
export function sharedCollection(
  columns: readonly number[],
  collections: readonly (Collection | undefined)[],
  exprs: readonly string[],
): Collection | undefined {
  const lists = columns.filter((column) => collections[column] !== undefined);
  const [first] = lists;
  const other = lists.find((column) => first !== undefined && collections[column] !== collections[first]);
  if (first === undefined) return undefined;
  if (other === undefined) return collections[first];
  throw unsupported(
    `"${exprs[first]}" and "${exprs[other]}" have lists of different lengths.`,
    'Draw each of them alone, or one element of each.',
  );
}
