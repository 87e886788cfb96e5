import type { CallOptions } from '../../../api/api';
import { printableJson } from '../../../base/text';
import type { Column } from '../../../core/columns';
import type { EncodeTask, TextForm } from '../../../core/encoder';
import type { SpareInputs } from '../../../core/task-input';
import { labelsOf } from '../../../export/canonical';
import type { Table } from '../../../export/table';
import { sliceColumn } from '../../../pass/columns/slice-column';
import { type Encode, encodeInOrder } from './encode-in-order';
import { textsOf } from './text-columns';
import { textTask } from './text-nodes';

/** About as many bytes of columns are one task: their text has several times as many. */
const TASK_BYTES = 1024 * 1024;

/**
 * Comma- or tab-separated values with a line of names. Texts are quoted where they must be (RFC
 * 4180); lists and objects are one cell of JSON; NaN and the infinities are nan, inf and -inf.
 */
export async function* separatedValues(
  table: Table,
  separator: ',' | '\t',
  encode: Encode,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array> {
  const labels = labelsOf(new Array<string>(table.names.length).fill(''), '', '\n', separator);
  const names = table.names.map((name): Column => ({ kind: 'string', length: 1, ...textsOf([name]) }));
  const spares: SpareInputs = [];
  const tasks = async function* (): AsyncGenerator<EncodeTask> {
    yield textTask(names, 1, labels, separator, spares);
    yield* tasksOf(table, labels, separator, spares);
  };
  for await (const { bytes } of encodeInOrder(tasks(), spares, encode, options)) yield bytes;
}

/**
 * JSON Lines: one object for each entry, in the canonical form of `xylem values --json` (integers
 * exact, "nan", "inf" and "-inf" as strings).
 */
export async function* jsonLines(
  table: Table,
  encode: Encode,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array> {
  const keys = table.names.map((name) => `${printableJson(JSON.stringify(name))}:`);
  const spares: SpareInputs = [];
  const tasks = tasksOf(table, labelsOf(keys, '{', '}\n'), '', spares);
  for await (const { bytes } of encodeInOrder(tasks, spares, encode, options)) yield bytes;
}

/** Tasks that write the rows of a table, some of them each. */
async function* tasksOf(
  table: Table,
  labels: readonly string[],
  separator: TextForm['separator'],
  spares: SpareInputs,
): AsyncGenerator<EncodeTask> {
  for await (const { rows, columns } of table.parts()) {
    const bytes = columns.reduce((sum, column) => sum + bytesOf(column), 0);
    const share = Math.max(1, Math.floor((rows * TASK_BYTES) / Math.max(1, bytes)));
    for (let from = 0; from < rows; from += share) {
      const to = Math.min(rows, from + share);
      const own = columns.map((column) => sliceColumn(column, from, to));
      yield textTask(own, to - from, labels, separator, spares);
    }
  }
}

function bytesOf(column: Column): number {
  switch (column.kind) {
    case 'primitive':
      return column.data.byteLength;
    case 'string':
    case 'tape':
      return column.offsets.byteLength + column.bytes.length;
    case 'list':
      return column.offsets.byteLength + bytesOf(column.child);
    case 'fixed':
      return bytesOf(column.child);
    case 'optional':
      return column.length + bytesOf(column.child);
    case 'struct':
    case 'variant':
      return column.children.reduce((sum, child) => sum + bytesOf(child), column.length);
  }
}
