import { overBudget } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import type { Column, PrimitiveArray } from '../../core/columns';
import { sliceColumn } from './slice-column';

/** Returns the rows of several columns as one column, in order. A single column is returned unchanged. */
export function concatColumns(parts: readonly Column[]): Column {
  const [first, ...rest] = parts;
  if (!first) throw new XylemError({ code: 'INTERNAL', message: 'There are no columns to join.' });
  if (rest.length === 0) return first;
  const joiner = new ColumnJoiner(first);
  for (const part of parts) joiner.expect(part);
  for (const part of parts) joiner.add(part);
  return joiner.take();
}

/** Returns a copy of a column that does not keep a larger one in memory, of which it may be a view. */
export function copyColumn(column: Column): Column {
  return concatColumns([column, sliceColumn(column, 0, 0)]);
}

/**
 * Joins columns one by one, so that each can be freed after it was added. If the expected size is given before the
 * first one is added, each array is allocated only once.
 */
export class ColumnJoiner {
  readonly #kind: Column['kind'];
  readonly #build: Build;
  readonly #arrays: GrowingArray[];
  readonly #children: ColumnJoiner[];
  #length = 0;

  /** `like` is a column of the same type as those to be added. */
  constructor(like: Column) {
    this.#kind = like.kind;
    this.#build = buildLike(like);
    this.#arrays = arraysOf(like).map((array) => new GrowingArray(array));
    if (hasOffsets(like)) this.#arrays[0]?.expect(1);
    this.#children = childrenOf(like).map((child) => new ColumnJoiner(child));
  }

  /** Announces the rows of a column, or `times` as many similar ones. */
  expect(column: Column, times = 1): void {
    this.#check(column);
    const inner = column.kind === 'list' && times > 1 ? times * MARGIN : times;
    const [first, second] = arraysOf(column);
    if (first) this.#arrays[0]?.expect((hasOffsets(column) ? column.length : first.length) * times);
    if (second) this.#arrays[1]?.expect(second.length * times);
    for (const [i, child] of childrenOf(column).entries()) this.#children[i]?.expect(child, inner);
  }

  /** Adds the rows of a column. Throws BUDGET if lists or texts have more than 2^31 members. */
  add(column: Column): void {
    this.#check(column);
    if (column.kind === 'variant') this.#addVariant(column);
    else {
      const [first, second] = arraysOf(column);
      if (hasOffsets(column)) this.#addOffsets(column.offsets);
      else if (first) this.#arrays[0]?.add(first);
      if (second) this.#arrays[1]?.add(second);
    }
    for (const [i, child] of childrenOf(column).entries()) this.#children[i]?.add(child);
    this.#length += column.length;
  }

  /** Returns the joined column. Nothing can be added afterwards. */
  take(): Column {
    return this.#build(
      this.#length,
      this.#arrays.map((array) => array.take()),
      this.#children.map((child) => child.take()),
    );
  }

  #check({ kind }: Column): void {
    if (kind === this.#kind) return;
    throw new XylemError({ code: 'INTERNAL', message: `A ${kind} stands where a ${this.#kind} should.` });
  }

  /** Appends offsets that continue from the last one. The leading 0 is stored once. */
  #addOffsets(offsets: Int32Array): void {
    const array = this.#arrays[0] as GrowingArray;
    if (array.length === 0) array.add(Int32Array.of(0));
    const base = Number(array.at(array.length - 1));
    if (base + (offsets[offsets.length - 1] ?? 0) > 0x7fffffff) {
      throw overBudget('The entries hold more than 2^31 elements.', 'Read fewer entries at once.');
    }
    const own = array.add(offsets.subarray(1)) as Int32Array;
    if (base > 0) for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) + base;
  }

  /** Adds a variant. The rows of each child follow those added before. */
  #addVariant({ tags, offsets }: Column & { kind: 'variant' }): void {
    this.#arrays[0]?.add(tags);
    const own = this.#arrays[1]?.add(offsets) as Int32Array;
    for (const [i, tag] of tags.entries()) {
      const child = this.#children[tag];
      if (child) own[i] = (own[i] ?? 0) + child.#length;
    }
  }
}

/** Margin for expected sizes. Lists in one part of a tree are rarely this much longer than in another. */
const MARGIN = 1.05;
/** Factor by which a full array grows beyond the needed size. */
const GROWTH = 1.25;

/** Whether the first array of a column has one more member than the column has rows. */
function hasOffsets(column: Column): column is Column & { kind: 'list' | 'string' | 'tape' } {
  return column.kind === 'list' || column.kind === 'string' || column.kind === 'tape';
}

/** Builds a column from its arrays and children. */
type Build = (length: number, arrays: PrimitiveArray[], children: Column[]) => Column;

/** Returns a function that builds columns of the type of `like`. It does not keep the arrays of `like`. */
function buildLike(like: Column): Build {
  switch (like.kind) {
    case 'primitive': {
      const { data: _data, ...type } = like;
      return (length, [data]) => ({ ...type, length, data: data as PrimitiveArray });
    }
    case 'fixed': {
      const { kind, size } = like;
      return (length, _, [child]) => ({ kind, length, size, child: child as Column });
    }
    case 'list': {
      const { offsets: _offsets, child: _child, ...type } = like;
      return (length, [offsets], [child]) => ({
        ...type,
        length,
        offsets: offsets as Int32Array,
        child: child as Column,
      });
    }
    case 'string':
    case 'tape': {
      const { kind } = like;
      return (length, [offsets, bytes]) => ({
        kind,
        length,
        offsets: offsets as Int32Array,
        bytes: bytes as Uint8Array,
      });
    }
    case 'struct': {
      const { kind, typeName, names } = like;
      return (length, _, children) => ({ kind, length, typeName, names, children });
    }
    case 'optional':
      return (length, [validity], [child]) => ({
        kind: 'optional',
        length,
        validity: validity as Uint8Array,
        child: child as Column,
      });
    case 'variant':
      return (length, [tags, offsets], children) => ({
        kind: 'variant',
        length,
        tags: tags as Uint8Array,
        offsets: offsets as Int32Array,
        children,
      });
  }
}

/** Returns the column's own arrays, as far as its rows need them. */
function arraysOf(column: Column): PrimitiveArray[] {
  switch (column.kind) {
    case 'primitive':
      return [column.data];
    case 'list':
      return [column.offsets];
    case 'string':
    case 'tape':
      return [column.offsets, column.bytes];
    case 'optional':
      return [column.validity];
    case 'variant':
      return [column.tags, column.offsets];
    case 'fixed':
    case 'struct':
      return [];
  }
}

function childrenOf(column: Column): Column[] {
  if ('children' in column) return column.children;
  return 'child' in column ? [column.child] : [];
}

/** An array to which values are added. */
class GrowingArray {
  readonly #make: new (
    length: number,
  ) => PrimitiveArray;
  #values: PrimitiveArray | undefined;
  #expected = 0;
  length = 0;

  constructor(like: PrimitiveArray) {
    this.#make = like.constructor as new (length: number) => PrimitiveArray;
  }

  expect(length: number): void {
    this.#expected += Math.round(length);
  }

  at(index: number): number | bigint {
    return this.#values?.[index] ?? 0;
  }

  /** Appends values, and returns the view of them in this array. */
  add(values: PrimitiveArray): PrimitiveArray {
    const end = this.length + values.length;
    if (!this.#values || end > this.#values.length) {
      const grown = new this.#make(Math.max(this.#expected, this.#values ? Math.ceil(GROWTH * end) : end));
      if (this.#values) grown.set(this.#values.subarray(0, this.length) as never);
      this.#values = grown;
    }
    this.#values.set(values as never, this.length);
    const own = this.#values.subarray(this.length, end);
    this.length = end;
    return own;
  }

  /** Returns the values; a copy if much of the memory is unused. */
  take(): PrimitiveArray {
    const values = this.#values ?? new this.#make(0);
    if (values.length === this.length) return values;
    const isNear = values.length - this.length < this.length / 8;
    return isNear ? values.subarray(0, this.length) : values.slice(0, this.length);
  }
}
