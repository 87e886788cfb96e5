import { argumentError } from '../../../base/errors';
import { textOfList } from './misspelt';

// Code calls methods of lists for each entry. Those of Float64Array are not compiled together with the functions that they get, and
// make each result with a buffer of its own. The methods here give the same, and are up to three times as fast.

/** Number of doubles that are allocated together for lists that methods return. */
const TOGETHER = 16 * 1024;

let free = new Float64Array(0);
let used = 0;

/** Returns the index in `free` of the first of `count` doubles that no list has. */
function take(count: number): number {
  if (used + count > free.length) {
    free = new Float64Array(Math.max(TOGETHER, count));
    used = 0;
  }
  used += count;
  return used - count;
}

/** The names of columns, by the buffers that have their values. */
const names = new WeakMap<ArrayBufferLike, string>();

type Visit<T> = (value: number, index: number, list: never) => T;

/** Whether a method can call a function itself. If not, that of Float64Array throws, or sets `this` of the function. */
function isPlain(visit: unknown, self: unknown): boolean {
  return self === undefined && typeof visit === 'function';
}

/** The values of one entry: a view of those of all entries. */
export class EntryList extends Float64Array<ArrayBuffer> {
  /** The constructor that classes have by default is slower, because it passes on a list of its arguments. */
  constructor(buffer: ArrayBuffer, offset: number, length: number) {
    super(buffer, offset, length);
  }

  /** A method of the class: with one of its own a list would be of another kind for engines, and slower. */
  [Symbol.toPrimitive](hint: string): string {
    return textOfList(this, hint, names.get(this.buffer));
  }

  override forEach(visit: Visit<void>, self?: unknown): void {
    if (!isPlain(visit, self)) super.forEach(visit as never, self);
    else for (let i = 0, { length } = this; i < length; i++) visit(this[i] as number, i, this as never);
  }

  override some(visit: Visit<unknown>, self?: unknown): boolean {
    if (!isPlain(visit, self)) return super.some(visit as never, self);
    const { length } = this;
    for (let i = 0; i < length; i++) if (visit(this[i] as number, i, this as never)) return true;
    return false;
  }

  override every(visit: Visit<unknown>, self?: unknown): boolean {
    if (!isPlain(visit, self)) return super.every(visit as never, self);
    const { length } = this;
    for (let i = 0; i < length; i++) if (!visit(this[i] as number, i, this as never)) return false;
    return true;
  }

  override findIndex(visit: Visit<boolean>, self?: unknown): number {
    if (!isPlain(visit, self)) return super.findIndex(visit as never, self);
    const { length } = this;
    for (let i = 0; i < length; i++) if (visit(this[i] as number, i, this as never)) return i;
    return -1;
  }

  override find(visit: Visit<boolean>, self?: unknown): number | undefined {
    if (!isPlain(visit, self)) return super.find(visit as never, self);
    const { length } = this;
    for (let i = 0; i < length; i++) {
      const value = this[i] as number;
      if (visit(value, i, this as never)) return value;
    }
    return undefined;
  }

  override filter(visit: Visit<unknown>, self?: unknown): EntryList {
    if (!isPlain(visit, self)) return super.filter(visit as never, self) as EntryList;
    const { length } = this;
    const from = take(length);
    const to = free;
    let count = 0;
    for (let i = 0; i < length; i++) {
      const value = this[i] as number;
      if (!visit(value, i, this as never)) continue;
      to[from + count] = value;
      count += 1;
    }
    // The function may have made a list itself.
    if (to === free && used === from + length) used = from + count;
    return new EntryList(to.buffer, 8 * from, count);
  }

  override map(visit: Visit<number>, self?: unknown): EntryList {
    if (!isPlain(visit, self)) return super.map(visit as never, self) as EntryList;
    const { length } = this;
    const from = take(length);
    const to = free;
    for (let i = 0; i < length; i++) {
      const value: unknown = visit(this[i] as number, i, this as never);
      if (typeof value === 'object' && value !== null) throw objectError();
      to[from + i] = value as number;
    }
    return new EntryList(to.buffer, 8 * from, length);
  }

  override reduce(visit: never, ...initial: readonly unknown[]): never {
    const { length } = this;
    if (typeof visit !== 'function' || initial.length !== 1)
      return (super.reduce as (...given: readonly unknown[]) => never).call(this, visit, ...initial);
    const add = visit as (sum: unknown, value: number, index: number, list: this) => unknown;
    let sum = initial[0];
    for (let i = 0; i < length; i++) sum = add(sum, this[i] as number, i, this);
    return sum as never;
  }
}

function objectError() {
  return argumentError(
    'map of a list of numbers gives a list of numbers, but the function returned an object.',
    'Write Array.from(pt, (one, i) => p4(one, eta[i], phi[i], mass[i])).',
  );
}

/**
 * Returns a function that gives the values of an entry: those from `offsets[entry]` to `offsets[entry + 1]`. Entries without values
 * get the same empty list. `name` is that of the column.
 */
export function listsIn(
  values: Float64Array,
  offsets: Int32Array,
  name?: string,
): (entry: number) => Float64Array {
  const { byteOffset } = values;
  const buffer = values.buffer as ArrayBuffer;
  if (name !== undefined) names.set(buffer, name);
  const none = new EntryList(buffer, byteOffset, 0);
  return (entry) => {
    const from = offsets[entry] as number;
    const to = offsets[entry + 1] as number;
    return from === to ? none : new EntryList(buffer, byteOffset + 8 * from, to - from);
  };
}
