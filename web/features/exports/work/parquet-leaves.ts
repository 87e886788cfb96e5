import { XylemError } from '../../../base/errors';
import type { Column, PrimitiveArray } from '../../../core/columns';
import { padded } from '../../../core/dtypes';
import { type Compression, type EncodeTask, VALUE_TYPES } from '../../../core/encoder';
import { type SpareInputs, TaskInput } from '../../../core/task-input';
import { jsonTexts, validUtf8 } from './text-columns';

/** A column of values, and the lists, fixed lists and missing values between a row and its values. */
export interface Leaf {
  rows: number;
  type: (typeof VALUE_TYPES)[number];
  steps: Step[];
  values: number;
  /** The values; of texts their offsets. */
  data: PrimitiveArray;
  /** The bytes of texts. */
  bytes: Uint8Array;
}

type Step =
  | { kind: 'list'; offsets: Int32Array }
  | { kind: 'fixed'; size: number }
  | { kind: 'optional'; validity: Uint8Array };

/** Numbered as in wasm/src/export/export.h. */
export const STEP_KINDS = ['list', 'fixed', 'optional'] as const;
const NO_BYTES = new Uint8Array(0);

/** The columns of values in a column, in the order of a Parquet file's schema. */
export function leavesOf(column: Column): Leaf[] {
  return leavesBelow(column, column.length, []);
}

function leavesBelow(column: Column, rows: number, steps: Step[]): Leaf[] {
  const { length } = column;
  const leaf = (type: Leaf['type'], data: PrimitiveArray, bytes: Uint8Array): Leaf[] => [
    { rows, type, steps, values: length, data, bytes },
  ];
  switch (column.kind) {
    case 'primitive':
      return leaf(column.dtype, column.data.subarray(0, length), NO_BYTES);
    case 'string':
    case 'tape': {
      const { offsets, bytes } = column.kind === 'string' ? validUtf8(column) : jsonTexts(column);
      return leaf('text', offsets.subarray(0, length + 1), bytes);
    }
    case 'list':
      return leavesBelow(column.child, rows, [
        ...steps,
        { kind: 'list', offsets: column.offsets.subarray(0, length + 1) },
      ]);
    case 'fixed':
      return leavesBelow(column.child, rows, [...steps, { kind: 'fixed', size: column.size }]);
    case 'optional':
      return leavesBelow(column.child, rows, [
        ...steps,
        { kind: 'optional', validity: column.validity.subarray(0, length) },
      ]);
    case 'struct':
      return column.children.flatMap((child) => leavesBelow(child, rows, steps));
    case 'variant':
      throw new XylemError({ code: 'INTERNAL', message: 'A variant has no form in Parquet.' });
  }
}

export function leafBytes({ data, bytes, steps }: Leaf): number {
  let sum = padded(DESCRIPTION_BYTES + 8 * steps.length) + padded(data.byteLength) + padded(bytes.length);
  for (const step of steps) {
    if (step.kind === 'list') sum += padded(step.offsets.byteLength);
    else if (step.kind === 'optional') sum += padded(step.validity.length);
  }
  return sum;
}

/** Bytes of an xe_column. */
const DESCRIPTION_BYTES = 28;

export function taskOf(leaves: readonly Leaf[], compression: Compression, spares: SpareInputs): EncodeTask {
  const input = new TaskInput();
  const columns = Uint32Array.from(leaves, ({ rows, type, steps, values, data, bytes }) =>
    input.put(
      Uint32Array.of(
        VALUE_TYPES.indexOf(type),
        rows,
        values,
        input.put(data),
        input.put(bytes),
        bytes.length,
        steps.length,
        ...steps.flatMap((step) => [STEP_KINDS.indexOf(step.kind), placeOf(step, input)]),
      ),
    ),
  );
  return { form: { kind: 'parquet', compression, columns }, input: input.take(spares) };
}

function placeOf(step: Step, input: TaskInput): number {
  if (step.kind === 'fixed') return step.size;
  return input.put(step.kind === 'list' ? step.offsets : step.validity);
}
