import type { SelectorColumn } from './types';

/** Columns by name. A branch that a file lacks has none. */
export type Columns = Readonly<Record<string, SelectorColumn | undefined>>;

export type Values = Record<string, unknown>;
type Reader = (entry: number) => unknown;

function readerOf(column: SelectorColumn | undefined): Reader {
  if (column === undefined) return () => undefined;
  return 'offsets' in column ? column.of : (entry) => column[entry];
}

type Four<T> = [T, T, T, T];
type Lines<T> = [...Four<T>, ...Four<T>, ...Four<T>, ...Four<T>];

let last = { key: '', empty: {} as Values };

/** Returns an object in which each name is null: the same one for all parts, so that their objects are alike for the engine. */
function emptyOf(names: readonly string[]): Values {
  const key = JSON.stringify(names);
  if (last.key !== key) {
    // An object that was read from JSON has its members inside, and so have its copies: others get a list of members beside them.
    const text = `{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`;
    last = { key, empty: JSON.parse(text) as Values };
  }
  return last.empty;
}

/** Number of values that have a line of their own in `filled`. */
const LINES = 16;

/** Returns a function that gives an object with the values of an entry. It is called for each entry. */
export function entriesOf(columns: Columns): (entry: number) => Values {
  const names = Object.keys(columns);
  const readers = names.map((name) => readerOf(columns[name]));
  const empty = emptyOf(names);
  const first = filled(names, readers);
  if (names.length <= LINES) return (entry) => first({ ...empty }, entry);
  return (entry) => {
    const values = first({ ...empty }, entry);
    for (let i = LINES; i < names.length; i++) values[names[i] as string] = readers[i]?.(entry);
    return values;
  };
}

/**
 * Returns a function that sets the first values of an object. Each has a line of its own, because engines compile a line for the one
 * name that it meets: three times as fast as a loop. Code that is made of text would be as fast, but some pages forbid it.
 */
function filled(names: string[], readers: Reader[]): (values: Values, entry: number) => Values {
  const { length } = names;
  const [n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15] = names as Lines<string>;
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] = readers as Lines<Reader>;
  return (values, entry) => {
    if (length === 0) return values;
    values[n0] = r0(entry);
    if (length === 1) return values;
    values[n1] = r1(entry);
    if (length === 2) return values;
    values[n2] = r2(entry);
    if (length === 3) return values;
    values[n3] = r3(entry);
    if (length === 4) return values;
    values[n4] = r4(entry);
    if (length === 5) return values;
    values[n5] = r5(entry);
    if (length === 6) return values;
    values[n6] = r6(entry);
    if (length === 7) return values;
    values[n7] = r7(entry);
    if (length === 8) return values;
    values[n8] = r8(entry);
    if (length === 9) return values;
    values[n9] = r9(entry);
    if (length === 10) return values;
    values[n10] = r10(entry);
    if (length === 11) return values;
    values[n11] = r11(entry);
    if (length === 12) return values;
    values[n12] = r12(entry);
    if (length === 13) return values;
    values[n13] = r13(entry);
    if (length === 14) return values;
    values[n14] = r14(entry);
    if (length === 15) return values;
    values[n15] = r15(entry);
    return values;
  };
}
