import type { Column } from '../../../core/columns';
import { rowWriter } from '../../../export/canonical';
import { cellText } from '../../../export/cell-text';
import type { CardValue } from './card';

/**
 * A value of an entry, or a member of its objects: structures and lists of structures are taken apart, so that each member
 * is a leaf. Its values are the rows from `from` to `until` of a column.
 */
export interface Leaf {
  value: CardValue;
  /** Name within the collection: "pt" for Muon_pt of the collection Muon, "fCoordinates.fPt" for a member. */
  name: string;
  /** Whether it has a value for each object of a list; otherwise it has one value. */
  isList: boolean;
  /** Names the list by what is known of it before its length: the branch that counts, or the list itself. */
  list: string;
  column: Column;
  from: number;
  until: number;
}

/** Returns the leaves of a value; none if it could not be read. */
export function leavesOf(value: CardValue): Leaf[] {
  const { column } = value;
  if (column === undefined) return [];
  const rest = ownName(value);
  return single(value, rest, column, 0).map((leaf) =>
    leaf.name === '' ? { ...leaf, name: value.name } : leaf,
  );
}

/** Returns the name of a branch without that of its collection; empty if it is the collection. */
const ownName = ({ name, group }: CardValue): string =>
  group !== '' && name.startsWith(group) ? name.slice(group.length).replace(/^[._]+/, '') : name;

function single(value: CardValue, name: string, column: Column, row: number): Leaf[] {
  switch (column.kind) {
    case 'list':
      return members(value, name, column.child, column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0);
    case 'fixed':
      return members(value, name, column.child, row * column.size, (row + 1) * column.size);
    case 'struct':
      return inside(name, column, (path, child) => single(value, path, child, row));
    default:
      return [{ value, name, isList: false, list: '', column, from: row, until: row + 1 }];
  }
}

function members(value: CardValue, name: string, column: Column, from: number, until: number): Leaf[] {
  const list = /\[([A-Za-z_]\w*)\]/.exec(value.title)?.[1] ?? '';
  const take = (path: string, child: Column): Leaf[] =>
    child.kind === 'struct'
      ? inside(path, child, take)
      : [{ value, name: path, isList: true, list, column: child, from, until }];
  return take(name, column);
}

type Struct = Column & { kind: 'struct' };

/** Members of TObject, which tell nothing of the entry. */
const OF_TOBJECT = ['fUniqueID', 'fBits'];

/** Takes the members of a structure. */
const inside = (
  path: string,
  { names, children }: Struct,
  take: (path: string, child: Column) => Leaf[],
): Leaf[] =>
  children.flatMap((child, i) => {
    const name = names[i] ?? '';
    if (OF_TOBJECT.includes(name)) return [];
    return take(path === '' ? name : `${path}.${name}`, child);
  });

/** Number of characters of a value in a table. */
const MAX_TEXT = 160;

/** Returns the text of a value of a leaf, shortened as in a table. Of bits, those that are set are named. */
export function leafText({ value, name, column, from }: Leaf, index = 0): string {
  const row = from + index;
  if (column.kind === 'tape') {
    let text = '';
    rowWriter(column)(row, (piece) => {
      text += piece;
    });
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  }
  const text = cellText(column, row);
  const bits = column.kind === 'primitive' && areBits(value, name) ? setBits(column.data[row]) : undefined;
  return bits === undefined ? text : `${text} (${bits})`;
}

/** Whether the name of an integer, or its documentation, says that its bits have meanings of their own. */
const areBits = ({ documentation = '' }: CardValue, name: string): boolean =>
  /(bits?|bitmap|mask|flags)(?![a-z])/i.test(name) || /\bbit ?(s|map|mask)?\b/i.test(documentation);

/** Names the bits that are set in an integer; undefined for 0 and 1, which say it themselves, and for other numbers. */
function setBits(value: number | bigint | undefined): string | undefined {
  if (value === undefined || !(typeof value === 'bigint' || Number.isSafeInteger(value))) return undefined;
  let rest = BigInt(value);
  if (rest <= 1n) return undefined;
  const set: number[] = [];
  for (let bit = 0; rest > 0n; bit++, rest >>= 1n) if (rest & 1n) set.push(bit);
  return set.length > 12 ? undefined : set.length === 1 ? `bit ${set[0]}` : `bits ${set.join(', ')}`;
}

/** Returns the number that a leaf has for an object; undefined if it is not a number. */
export function leafNumber({ column, from }: Leaf, index = 0): number | undefined {
  if (column.kind === 'optional')
    return column.validity[from + index] === 0 ? undefined : primitiveAt(column.child, from + index);
  return primitiveAt(column, from + index);
}

const primitiveAt = (column: Column, row: number): number | undefined =>
  column.kind === 'primitive' && column.dtype !== 'bool' && column.data[row] !== undefined
    ? Number(column.data[row])
    : undefined;
