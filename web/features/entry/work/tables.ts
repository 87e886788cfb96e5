import { formatBytes, formatCount } from '../../../base/format';
import { cellText } from '../../../export/cell-text';
import { type Column, column, type Fact, type Report, type Table } from '../../../report/report';
import type { CardValue, EntryCard } from './card';
import { type Leaf, leafNumber, leafText, leavesOf } from './leaves';
import { memberOf } from './objects';

/** How much of a card a report shows. */
export interface CardForm {
  /** Number of members in one table: a terminal has no room for more. Default: all. */
  columns?: number;
  /** Number of rows in a terminal. */
  rows?: number;
  /** Whether tables are folded. */
  folded?: boolean;
  /** Shows only branches whose path, unit or documentation has these words. */
  find?: string;
}

/** A list with more values than these is a table, not a text in a row. */
const INLINE = 12;
/** Title of the branches that stand alone. */
const OTHERS = 'Other values';

/** A collection of a card: the branches that belong together, in the order of the tree. */
interface Group {
  name: string;
  values: CardValue[];
}

/** Returns the collections of a card. Branches that stand alone are one group. */
export function groupsOf(values: readonly CardValue[]): Group[] {
  const sizes = new Map<string, number>();
  for (const { group } of values) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const groups = new Map<string, Group>();
  for (const value of values) {
    const isAlone = sizes.get(value.group) === 1 && !isObjects(value);
    const name = isAlone ? OTHERS : value.group;
    const group = groups.get(name) ?? { name, values: [] };
    groups.set(name, group);
    group.values.push(isAlone ? { ...value, group: '' } : value);
  }
  // Single values come first: the numbers of the run and of the event are among them.
  const others = groups.get(OTHERS);
  groups.delete(OTHERS);
  return [...(others ? [others] : []), ...groups.values()];
}

const isObjects = ({ column: own }: CardValue): boolean =>
  own?.kind === 'struct' || ((own?.kind === 'list' || own?.kind === 'fixed') && own.child.kind === 'struct');

/** Returns the values whose path, unit or documentation has all the words of a text. */
export function foundValues(values: readonly CardValue[], find = ''): readonly CardValue[] {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return values;
  return values.filter(({ path, unit = '', documentation = '' }) => {
    const text = `${path} ${unit} ${documentation}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the report of a card: facts, and tables of its collections. */
export function cardReport(card: EntryCard, form: CardForm = {}): Report {
  const { file, tree, entry, entries, inFile, reading } = card;
  const values = foundValues(card.values, form.find);
  const facts: Fact[] = [
    { label: 'File', value: file },
    { label: 'Entries', value: entries, unit: 'count' },
    { label: 'Entry in this file', value: inFile, unit: 'count' },
    { label: 'Branches', value: values.length, unit: 'count' },
    { label: 'Read', value: readText(reading) },
  ];
  return {
    title: `Entry ${formatCount(entry)} of ${tree}`,
    facts,
    tables: [
      ...groupsOf(values.filter(({ error }) => error === undefined)).flatMap((group) =>
        tablesOf(group, form),
      ),
      ...unreadable(values, form),
    ],
  };
}

export const readText = ({ requests, bytes }: EntryCard['reading']): string =>
  `${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}, ${formatBytes(bytes)}`;

/** Returns the tables of a collection: its single values, then its lists, with one row for each object. */
function tablesOf(
  { name, values }: Group,
  { columns: most = Infinity, rows, folded = false }: CardForm,
): Table<never>[] {
  const leaves = values.flatMap(leavesOf);
  const singles: Leaf[] = [];
  const lists = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    if (!leaf.isList) singles.push(leaf);
    else {
      const key = listKey(leaf, name === OTHERS);
      lists.set(key, [...(lists.get(key) ?? []), leaf]);
    }
  }
  const tables: Table<never>[] = [];
  const objects = [...lists.values()].filter((list) => {
    const [first] = list;
    const count = first ? first.until - first.from : 0;
    if (list.length > 1 || count > INLINE) return true;
    singles.push(...list);
    return false;
  });
  const shared = { rest: '--json has all', folded, ...(rows !== undefined && { limit: rows }) };
  if (singles.length > 0) {
    const table: Table<Leaf> = {
      ...shared,
      ...{ id: `${name} values`, title: titled(name, countText(singles.length, 'value')) },
      ...{ columns: VALUE_COLUMNS, rows: inOrder(singles, leaves) },
    };
    tables.push(table as Table<never>);
  }
  for (const list of objects) {
    const count = (list[0]?.until ?? 0) - (list[0]?.from ?? 0);
    const prefix = commonPrefix(list.map((leaf) => leaf.name));
    for (let at = 0; at < list.length; at += most) {
      const part = list.slice(at, at + most);
      const which = at > 0 ? `, members from ${part[0]?.name.slice(prefix.length)}` : '';
      const table: Table<number> = {
        ...shared,
        id: `${name} ${list[0]?.list} ${count} ${at}`,
        title: titled(
          `${name}${prefix === '' ? '' : ` ${prefix.replace(/[._]$/, '')}`}`,
          `${countText(count, 'object')}${which}`,
        ),
        columns: [NUMBER, ...part.map((leaf) => memberColumn(leaf, prefix))],
        rows: Array.from({ length: count }, (_, i) => i),
      };
      tables.push(table as Table<never>);
    }
  }
  return tables;
}

/**
 * Names the list that a leaf is a member of. Lists with other counters are other lists, also where an entry happens to have as
 * many of both. Branches that stand alone are one list if the same branch counts them, or if their names are those of members
 * (pt, eta, phi).
 */
function listKey({ list, name, from, until, value }: Leaf, isAlone: boolean): string {
  const own = isAlone && list === '' && memberOf(name) === undefined ? value.path : list;
  return `${own} ${until - from}`;
}

const titled = (name: string, count: string): string => `${name} (${count})`;
const countText = (count: number, word: string): string =>
  `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;

/** Returns leaves in the order of the tree. */
const inOrder = (some: readonly Leaf[], all: readonly Leaf[]): Leaf[] => {
  const chosen = new Set(some);
  return all.filter((leaf) => chosen.has(leaf));
};

/** Returns what several names begin with, up to a dot. */
function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let length = first.lastIndexOf('.') + 1;
  while (length > 0 && !others.every((name) => name.startsWith(first.slice(0, length))))
    length = first.slice(0, length - 1).lastIndexOf('.') + 1;
  return first.slice(0, length);
}

/** The number of an object. It is not a figure, so it is aligned as a name. */
const NUMBER = column<number>('index', 'No.', 'text', (row) => row);

function memberColumn(leaf: Leaf, prefix: string): Column<number> {
  const { name, value } = leaf;
  const { path, unit, documentation, typeName } = value;
  const own = name.slice(prefix.length);
  const head = unit === undefined ? own : `${own} (${unit})`;
  const isNumber = leaf.column.kind === 'primitive' && leaf.column.dtype !== 'bool';
  return {
    ...column<number>(`${path} ${name}`, head, isNumber ? 'number' : 'text', (row) =>
      isNumber ? leafNumber(leaf, row) : leafText(leaf, row),
    ),
    about: [path, typeName, documentation].filter(Boolean).join(': '),
    text: (row) => leafText(leaf, row),
  };
}

const VALUE_COLUMNS: readonly Column<Leaf>[] = [
  column('name', 'Branch', 'text', ({ name }) => name),
  column('value', 'Value', 'text', valueText),
  column('unit', 'Unit', 'text', ({ value }) => value.unit),
  column('type', 'Type', 'text', ({ value }) => value.typeName),
  column('about', 'Description', 'text', ({ value }) => value.documentation, { rest: true }),
];

/** Returns the text of a single value, or of a list in one row. */
function valueText(leaf: Leaf): string {
  if (!leaf.isList) return leafText(leaf);
  const { column: own, from, until } = leaf;
  const offsets = Int32Array.of(from, until);
  return cellText({ kind: 'list', length: 1, offsets, child: own }, 0);
}

function unreadable(values: readonly CardValue[], { rows }: CardForm): Table<never>[] {
  const lost = values.filter(({ error }) => error !== undefined);
  if (lost.length === 0) return [];
  const table: Table<CardValue> = {
    id: 'unreadable',
    title: `Branches that could not be read (${formatCount(lost.length)})`,
    columns: [
      column('name', 'Branch', 'text', ({ path }) => path),
      column('code', 'Error', 'text', ({ error }) => error?.code),
      column('reason', 'Reason', 'text', ({ error }) => error?.message),
    ],
    rows: lost,
    ...(rows !== undefined && { limit: rows }),
  };
  return [table as Table<never>];
}
