import { printableJson } from '../../../base/text';
import type { Column } from '../../../core/columns';
import { type EncodeTask, type TextForm, VALUE_TYPES } from '../../../core/encoder';
import { type SpareInputs, TaskInput } from '../../../core/task-input';
import { structForm } from '../../../export/canonical';
import { jsonTexts, type Texts, textsOf, validUtf8 } from './text-columns';

/** Kinds of columns, numbered as in wasm/src/export/export.h. */
export const NODE_KINDS = [
  'numbers',
  'texts',
  'json',
  'lists',
  'arrays',
  'optionals',
  'structs',
  'variants',
] as const;

/** A column of a table of text: see xe_node. */
interface Node {
  kind: (typeof NODE_KINDS)[number];
  type?: number;
  rows: number;
  /** Its array, or the number of members of each array. */
  at: ArrayBufferView | number;
  more?: ArrayBufferView;
  children?: Column[];
}

/** A task that writes columns as text. Each row has `labels` before its values, and one after the last. */
export function textTask(
  columns: readonly Column[],
  rows: number,
  labels: readonly string[],
  separator: TextForm['separator'],
  spares: SpareInputs,
): EncodeTask {
  const table = structNode(rows, columns, labels);
  const nodes: Node[] = [table];
  const input = new TaskInput();
  const words: number[] = [];
  // The list grows while it is walked through: children follow those of the nodes before.
  for (const { kind, type = 0, rows: own, at, more, children = [] } of nodes) {
    const place = typeof at === 'number' ? at : input.put(at);
    const morePlace = more ? input.put(more) : 0;
    words.push(NODE_KINDS.indexOf(kind), type, own, place, morePlace, more?.byteLength ?? 0);
    words.push(nodes.length, children.length);
    for (const child of children) nodes.push(nodeOf(child, separator === ''));
  }
  const form: TextForm = {
    kind: 'text',
    separator,
    nodes: input.put(Uint32Array.from(words)),
    count: nodes.length,
  };
  return { form, input: input.take(spares) };
}

/** Texts of objects are made here: they have no shape. `lines`: they become lines of JSON. */
function nodeOf(column: Column, lines: boolean): Node {
  const { length: rows } = column;
  switch (column.kind) {
    case 'primitive': {
      const type = VALUE_TYPES.indexOf(column.dtype);
      return { kind: 'numbers', type, rows, at: column.data.subarray(0, rows) };
    }
    case 'string':
      return textNode('texts', rows, validUtf8(column));
    case 'tape':
      return textNode('json', rows, jsonTexts(column, lines ? printableJson : undefined));
    case 'list':
      return { kind: 'lists', rows, at: column.offsets.subarray(0, rows + 1), children: [column.child] };
    case 'fixed':
      return { kind: 'arrays', rows, at: column.size, children: [column.child] };
    case 'optional':
      return { kind: 'optionals', rows, at: column.validity.subarray(0, rows), children: [column.child] };
    case 'variant': {
      const { tags, offsets, children } = column;
      return {
        kind: 'variants',
        rows,
        at: tags.subarray(0, rows),
        more: offsets.subarray(0, rows),
        children,
      };
    }
    case 'struct': {
      const { members, labels } = structForm(column);
      return structNode(rows, members, lines ? labels.map(printableJson) : labels);
    }
  }
}

function structNode(rows: number, columns: readonly Column[], labels: readonly string[]): Node {
  return { ...textNode('structs', rows, textsOf(labels)), children: [...columns] };
}

function textNode(kind: Node['kind'], rows: number, { offsets, bytes }: Texts): Node {
  return { kind, rows, at: offsets, more: bytes };
}
