import type { Column } from '../../core/columns';

/** Returns the rows [from, to) of a column. Values are not copied; offsets are, because they start at 0. */
export function sliceColumn(column: Column, from: number, to: number): Column {
  if (from === 0 && to === column.length) return column;
  const length = to - from;
  switch (column.kind) {
    case 'primitive':
      return { ...column, length, data: column.data.subarray(from, to) };
    case 'fixed':
      return { ...column, length, child: sliceColumn(column.child, from * column.size, to * column.size) };
    case 'list': {
      const { offsets, first, end } = sliceOffsets(column.offsets, from, to);
      return { ...column, length, offsets, child: sliceColumn(column.child, first, end) };
    }
    case 'string':
    case 'tape': {
      const { offsets, first, end } = sliceOffsets(column.offsets, from, to);
      return { ...column, length, offsets, bytes: column.bytes.subarray(first, end) };
    }
    case 'struct':
      return { ...column, length, children: column.children.map((child) => sliceColumn(child, from, to)) };
    case 'optional':
      return {
        ...column,
        length,
        validity: column.validity.subarray(from, to),
        child: sliceColumn(column.child, from, to),
      };
    case 'variant':
      return sliceVariant(column, from, to);
  }
}

function sliceOffsets(
  all: Int32Array,
  from: number,
  to: number,
): { offsets: Int32Array; first: number; end: number } {
  const first = all[from] ?? 0;
  const offsets = all.slice(from, to + 1);
  if (first !== 0) for (let i = 0; i < offsets.length; i++) offsets[i] = (offsets[i] ?? 0) - first;
  return { offsets, first, end: all[to] ?? 0 };
}

/** Slices a variant. Each child has only the rows of its type, in order. */
function sliceVariant(column: Column & { kind: 'variant' }, from: number, to: number): Column {
  const tags = column.tags.subarray(from, to);
  const offsets = column.offsets.slice(from, to);
  const firsts = new Int32Array(256).fill(-1);
  const counts = new Int32Array(256);
  for (let i = 0; i < tags.length; i++) {
    const tag = tags[i] ?? 255;
    if (firsts[tag] === -1) firsts[tag] = offsets[i] ?? 0;
    counts[tag] = (counts[tag] ?? 0) + 1;
    if (tag !== 255) offsets[i] = (offsets[i] ?? 0) - (firsts[tag] ?? 0);
  }
  const children = column.children.map((child, tag) => {
    const first = Math.max(0, firsts[tag] ?? 0);
    return sliceColumn(child, first, first + (counts[tag] ?? 0));
  });
  return { kind: 'variant', length: to - from, tags, offsets, children };
}
