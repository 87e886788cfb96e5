import { internal, unsupported } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import type { Column, DType, PrimitiveArray } from '../../../../core/columns';
import { sliceColumn } from '../../../../pass/columns/slice-column';
import { listOfPresent } from './branch-form';

/**
 * How a field of an RNTuple stores its values. `type` is the C++ type; empty for structures and fields that contain
 * them.
 */
export type FieldForm = { type: string } & (
  | { kind: 'value'; element: DType }
  | { kind: 'string' }
  | { kind: 'list'; of: FieldForm }
  | { kind: 'fixed'; size: number; of: FieldForm }
  | { kind: 'struct'; members: [name: string, form: FieldForm][] }
);

/** A field and its values, whose structure matches the form. */
export interface FieldValues {
  form: FieldForm;
  column: Column;
}

/** For each type, its C++ name and its column types in the format: unsplit, and with bytes split. */
const TYPES: Record<DType, [cpp: string, plain: number, split: number]> = {
  bool: ['bool', 0x00, 0x00],
  i8: ['std::int8_t', 0x03, 0x03],
  u8: ['std::uint8_t', 0x04, 0x04],
  i16: ['std::int16_t', 0x05, 0x11],
  u16: ['std::uint16_t', 0x06, 0x12],
  i32: ['std::int32_t', 0x07, 0x13],
  u32: ['std::uint32_t', 0x08, 0x14],
  i64: ['std::int64_t', 0x09, 0x15],
  u64: ['std::uint64_t', 0x0a, 0x16],
  f32: ['float', 0x0c, 0x18],
  f64: ['double', 0x0d, 0x19],
};
const INDEX: [plain: number, split: number] = [0x0f, 0x1b];
const CHAR = 0x02;

/**
 * Returns the field for a column. Arrays of structures become structures of arrays; an optional structure becomes a
 * list with at most one element. Throws UNSUPPORTED for values that no field can store, and ARGUMENT for invalid
 * names.
 */
export function fieldOf(name: string, column: Column): FieldValues {
  const { length } = column;
  switch (column.kind) {
    case 'primitive':
      return {
        form: { kind: 'value', type: TYPES[column.dtype][0], element: column.dtype },
        column,
      };
    case 'string':
      return { form: { kind: 'string', type: 'std::string' }, column };
    case 'list': {
      const items = fieldOf(name, column.child);
      return listOf('std::vector', items, {
        kind: 'list',
        length,
        offsets: column.offsets,
        child: items.column,
      });
    }
    case 'optional': {
      const present = listOfPresent(column);
      if (present.kind !== 'list') return fieldOf(name, present);
      const items = fieldOf(name, present.child);
      return listOf('std::optional', items, { ...present, child: items.column });
    }
    case 'fixed':
      return arrayOf(name, length, column.size, fieldOf(name, column.child));
    case 'struct':
      return recordOf(name, column);
    default:
      throw noField(name, 'its values are of several types');
  }
}

function listOf(wrapper: string, { form }: FieldValues, column: Column): FieldValues {
  const type = form.type === '' ? '' : `${wrapper}<${form.type}>`;
  return { form: { kind: 'list', type, of: form }, column };
}

function arrayOf(name: string, length: number, size: number, { form, column }: FieldValues): FieldValues {
  if (column.kind === 'struct' && form.kind === 'struct') {
    const members = form.members.map(([own, of], i) => {
      const child = column.children[i];
      return child && { own, ...arrayOf(`${name}.${own}`, length, size, { form: of, column: child }) };
    });
    const parts = members.filter((member) => member !== undefined);
    return {
      form: { ...form, members: parts.map(({ own, form: of }) => [own, of]) },
      column: { ...column, length, children: parts.map((part) => part.column) },
    };
  }
  if (size === 0) throw noField(name, 'its arrays have no values');
  if (form.type === '') throw noField(name, 'its arrays have lists of structures');
  const type = `std::array<${form.type},${size}>`;
  return {
    form: { kind: 'fixed', type, size, of: form },
    column: { kind: 'fixed', length, size, child: column },
  };
}

function recordOf(name: string, column: Column & { kind: 'struct' }): FieldValues {
  const { names, children } = column;
  const twice = names.find((own, i) => names.indexOf(own) !== i);
  if (twice !== undefined) throw noField(name, `its structures have two members "${twice}"`);
  const parts = children.map((child, i) => {
    const own = names[i] ?? '';
    checkFieldName(own, `${name}.${own}`);
    return { own, ...fieldOf(`${name}.${own}`, child) };
  });
  return {
    form: { kind: 'struct', type: '', members: parts.map(({ own, form }) => [own, form]) },
    column: { ...column, children: parts.map((part) => part.column) },
  };
}

/** Returns the form as text, for comparison and messages. */
export function fieldText(form: FieldForm): string {
  switch (form.kind) {
    case 'list':
      return form.type || `list of ${fieldText(form.of)}`;
    case 'struct':
      return `{ ${form.members.map(([name, of]) => `${name}: ${fieldText(of)}`).join(', ')} }`;
    default:
      return form.type;
  }
}

/**
 * Returns the column types of the field itself in the format. `split`: with split bytes, as used with compression.
 */
export function columnTypesOf(form: FieldForm, split: boolean): number[] {
  switch (form.kind) {
    case 'value':
      return [TYPES[form.element][split ? 2 : 1]];
    case 'string':
      return [INDEX[split ? 1 : 0], CHAR];
    case 'list':
      return [INDEX[split ? 1 : 0]];
    default:
      return [];
  }
}

/** Values of a column in the format. `ends` are the accumulated lengths of lists, from 0. */
export type ColumnPart = { values: PrimitiveArray } | { ends: Int32Array };

/** Returns the values of all columns of a field and its subfields, in the order of the columns. */
export function columnParts({ form, column }: FieldValues): ColumnPart[] {
  const { length } = column;
  if (form.kind === 'value' && column.kind === 'primitive')
    return [{ values: column.data.subarray(0, length) }];
  if (form.kind === 'string' && column.kind === 'string')
    return [endsOf(column.offsets, length), { values: column.bytes.subarray(0, column.offsets[length]) }];
  if (form.kind === 'list' && column.kind === 'list') {
    const child = sliceColumn(column.child, 0, column.offsets[length] ?? 0);
    return [endsOf(column.offsets, length), ...columnParts({ form: form.of, column: child })];
  }
  if (form.kind === 'fixed' && column.kind === 'fixed')
    return columnParts({ form: form.of, column: sliceColumn(column.child, 0, length * form.size) });
  if (form.kind === 'struct' && column.kind === 'struct')
    return form.members.flatMap(([, of], i) => {
      const child = column.children[i];
      return child ? columnParts({ form: of, column: sliceColumn(child, 0, length) }) : [];
    });
  throw internal(`A ${column.kind} is no ${fieldText(form)}.`);
}

function endsOf(offsets: Int32Array, length: number): ColumnPart {
  return { ends: offsets.subarray(1, length + 1) };
}

/** Whether ROOT accepts a name for a field or an RNTuple. */
export function isFieldName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return name !== '' && !/[ ./\\\u0000-\u001f\u007f]/.test(name);
}

/** Throws ARGUMENT for an invalid field name. */
export function checkFieldName(name: string, path = name): void {
  if (isFieldName(name)) return;
  throw argumentError(
    `"${name}" cannot be the name of a field.`,
    'Leave out dots, slashes, backslashes, spaces and control characters.',
    { path },
  );
}

function noField(name: string, why: string): XylemError {
  return unsupported(`No field of an RNTuple can hold "${name}": ${why}.`, 'Leave it out.', { path: name });
}
