import { unsupported } from '../../../../base/data-errors';
import type { Column, DType } from '../../../../core/columns';
import { concatColumns } from '../../../../pass/columns/concat';
import { sliceColumn } from '../../../../pass/columns/slice-column';

/** How a branch stores its entries. */
export interface BranchForm {
  element: DType | 'string';
  /** Fixed dimensions of an array element. */
  dimensions: number[];
  /** Levels of lists in an entry. 1 without `vector` is an array whose length is in another branch. */
  levels: number;
  /** Whether each entry is a std::vector. */
  vector: boolean;
}

export interface BranchValues {
  name: string;
  form: BranchForm;
  column: Column;
  /** For an array of variable length: the column whose list lengths are counted. */
  lists?: string | undefined;
}

/**
 * Returns the branches that store a column. Structures are divided, with dots in the names; lists of structures
 * become lists of each member. An optional value becomes a list with at most one value. Throws UNSUPPORTED for values
 * of several types.
 */
export function branchesOf(name: string, column: Column): BranchValues[] {
  return divided(name, column).map(({ name: own, column: values, lists }) => {
    const { kinds, element } = shapeOf(values);
    const fixed = kinds.slice(kinds[0] === 'list' ? 1 : 0);
    const isLeaf = element !== 'string' && fixed.every((size) => typeof size === 'number' && size > 0);
    if (kinds.length === 0 || isLeaf) {
      const levels = kinds.length - fixed.length;
      const form = { element, dimensions: fixed as number[], levels, vector: false };
      return { name: own, form, column: values, ...(levels > 0 && { lists }) };
    }
    const form = { element, dimensions: [], levels: kinds.length, vector: true };
    return { name: own, form, column: allLists(values) };
  });
}

interface Part {
  name: string;
  column: Column;
  lists?: string | undefined;
}

function divided(name: string, column: Column): Part[] {
  const { length } = column;
  switch (column.kind) {
    case 'primitive':
    case 'string':
      return [{ name, column }];
    case 'struct':
      return column.children.flatMap((child, i) => divided(`${name}.${column.names[i]}`, child));
    case 'fixed': {
      const { size } = column;
      return divided(name, column.child).map((part) => ({
        ...part,
        column: { kind: 'fixed', length, size, child: part.column },
      }));
    }
    case 'list': {
      const { offsets } = column;
      return divided(name, column.child).map((part) => ({
        ...part,
        column: { kind: 'list', length, offsets, child: part.column },
        lists: name,
      }));
    }
    case 'optional':
      return divided(name, listOfPresent(column));
    default:
      throw unsupported(
        `No branch can hold "${name}": its values are of several types.`,
        'Leave it out; "xylem skim" copies such branches as they are stored.',
        { path: name },
      );
  }
}

/** Returns lists with at most one value. */
export function listOfPresent({ length, validity, child }: Column & { kind: 'optional' }): Column {
  const offsets = new Int32Array(length + 1);
  const runs: Column[] = [];
  for (let row = 0, from = 0; row < length; row++) {
    const present = validity[row] !== 0;
    offsets[row + 1] = (offsets[row] ?? 0) + (present ? 1 : 0);
    if (!present) from = row + 1;
    else if (row + 1 === length || validity[row + 1] === 0) runs.push(sliceColumn(child, from, row + 1));
  }
  const present = runs.length > 0 ? concatColumns(runs) : sliceColumn(child, 0, 0);
  return { kind: 'list', length, offsets, child: present };
}

/** Returns the lists and fixed sizes of a column from the outside to the inside, and their element. */
function shapeOf(column: Column): { kinds: ('list' | number)[]; element: DType | 'string' } {
  const kinds: ('list' | number)[] = [];
  let inner = column;
  while (inner.kind === 'list' || inner.kind === 'fixed') {
    kinds.push(inner.kind === 'list' ? 'list' : inner.size);
    inner = inner.child;
  }
  if (inner.kind === 'primitive') return { kinds, element: inner.dtype };
  return { kinds, element: 'string' };
}

/** Replaces arrays of fixed size by lists. */
function allLists(column: Column): Column {
  if (column.kind === 'list') return { ...column, child: allLists(column.child) };
  if (column.kind !== 'fixed') return column;
  const { length, size } = column;
  const offsets = Int32Array.from({ length: length + 1 }, (_, row) => row * size);
  return { kind: 'list', length, offsets, child: allLists(column.child) };
}

/** Returns the form as text, for comparison and messages. */
export function formText({ element, dimensions, levels, vector }: BranchForm): string {
  return `${vector ? 'vector ' : ''}${element}${'[]'.repeat(levels)}${dimensions.map((n) => `[${n}]`).join('')}`;
}

/** Returns rows in the format of xw_column_add. */
export function rowsInput(column: Column, { element }: BranchForm): Uint8Array {
  const parts: ArrayBufferView[] = [Uint32Array.of(column.length)];
  let inner = column;
  while (inner.kind === 'list' || inner.kind === 'fixed') {
    if (inner.kind === 'list') parts.push(inner.offsets.subarray(0, inner.length + 1));
    inner = inner.child;
  }
  if (inner.kind === 'string') {
    parts.push(inner.offsets.subarray(0, inner.length + 1));
    parts.push(inner.bytes.subarray(0, inner.offsets[inner.length] ?? 0));
  } else if (inner.kind === 'primitive' && inner.dtype === element) {
    parts.push(inner.data.subarray(0, inner.length));
  }
  const input = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    input.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return input;
}

/** Returns the approximate size of the rows in bytes. */
export function bytesOf(column: Column): number {
  switch (column.kind) {
    case 'primitive':
      return column.length * column.data.BYTES_PER_ELEMENT;
    case 'string':
      return 4 * column.length + (column.offsets[column.length] ?? 0);
    case 'list':
      return 4 * column.length + bytesOf(column.child);
    case 'fixed':
      return bytesOf(column.child);
    case 'struct':
      return column.children.reduce((sum, child) => sum + bytesOf(child), 0);
    default:
      return 0;
  }
}
