import { XylemError } from '../base/errors';
import type { Column, PrimitiveArray } from '../core/columns';

/** Joins the rows of several columns to one, in order; a single column is returned as it is. */
export function concatColumns(parts: Column[]): Column {
  const [first, ...rest] = parts;
  if (!first) throw new XylemError({ code: 'INTERNAL', message: 'There are no columns to join.' });
  if (rest.length === 0) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  switch (first.kind) {
    case 'primitive':
      return { ...first, length, data: concatArrays(parts.map((part) => of(part, 'primitive').data)) };
    case 'fixed':
      return { ...first, length, child: concatColumns(parts.map((part) => of(part, 'fixed').child)) };
    case 'list':
      return {
        ...first,
        length,
        offsets: concatOffsets(parts.map((part) => of(part, 'list').offsets)),
        child: concatColumns(parts.map((part) => of(part, 'list').child)),
      };
    case 'string':
    case 'tape':
      return {
        ...first,
        length,
        offsets: concatOffsets(parts.map((part) => of(part, first.kind).offsets)),
        bytes: concatArrays(parts.map((part) => of(part, first.kind).bytes)),
      };
    case 'struct':
      return {
        ...first,
        length,
        children: first.children.map((_, i) =>
          concatColumns(parts.map((part) => of(part, 'struct').children[i] as Column)),
        ),
      };
    case 'optional':
      return {
        ...first,
        length,
        validity: concatArrays(parts.map((part) => of(part, 'optional').validity)),
        child: concatColumns(parts.map((part) => of(part, 'optional').child)),
      };
    case 'variant':
      return concatVariants(
        parts.map((part) => of(part, 'variant')),
        length,
      );
  }
}

/** Rows of each child follow those of the parts before. */
function concatVariants(parts: (Column & { kind: 'variant' })[], length: number): Column {
  const tags = concatArrays(parts.map((part) => part.tags));
  const offsets = concatArrays(parts.map((part) => part.offsets));
  const children = (parts[0]?.children ?? []).map((_, i) =>
    concatColumns(parts.map((part) => part.children[i] as Column)),
  );
  const before = new Int32Array(256);
  let row = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++, row++) {
      const tag = tags[row] ?? 255;
      if (tag !== 255) offsets[row] = (offsets[row] ?? 0) + (before[tag] ?? 0);
    }
    part.children.forEach((child, tag) => {
      before[tag] = (before[tag] ?? 0) + child.length;
    });
  }
  return { kind: 'variant', length, tags, offsets, children };
}

function of<K extends Column['kind']>(column: Column, kind: K): Column & { kind: K } {
  if (column.kind === kind) return column as Column & { kind: K };
  throw new XylemError({ code: 'INTERNAL', message: `A ${column.kind} stands where a ${kind} should.` });
}

function concatArrays<T extends PrimitiveArray>(arrays: T[]): T {
  const total = arrays.reduce((sum, array) => sum + array.length, 0);
  // Not `arrays[0]?.constructor`, because Bun 1.4 puts that into `new` as an optional chain, which is not
  // valid JavaScript.
  const first = arrays[0] as T;
  const Constructor = first.constructor as new (length: number) => T;
  const result = new Constructor(total);
  let at = 0;
  for (const array of arrays) {
    result.set(array as never, at);
    at += array.length;
  }
  return result;
}

function concatOffsets(parts: Int32Array[]): Int32Array {
  const rows = parts.reduce((sum, part) => sum + part.length - 1, 0);
  const result = new Int32Array(rows + 1);
  let at = 1;
  let base = 0;
  for (const part of parts) {
    for (let i = 1; i < part.length; i++) result[at++] = base + (part[i] ?? 0);
    base += part[part.length - 1] ?? 0;
  }
  if (base > 0x7fffffff)
    throw new XylemError({
      code: 'BUDGET',
      message: 'The entries hold more than 2^31 elements.',
      fix: 'Read fewer entries at once.',
    });
  return result;
}
