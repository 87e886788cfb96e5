import type { ModelInput, ModelVariable } from '../../../api/models';
import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';

type Data = Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array;

/** The types of inputs, and arrays of their values. */
const TYPES: Readonly<Record<string, (values: ArrayLike<number | bigint>) => Data>> = {
  float32: (values) => Float32Array.from(values, Number),
  float64: (values) => Float64Array.from(values, Number),
  int32: (values) => Int32Array.from(values, Number),
  int64: (values) => BigInt64Array.from(values as ArrayLike<bigint>, (one: number | bigint) => BigInt(one)),
  bool: (values) => Uint8Array.from(values, (one) => (Number(one) === 0 ? 0 : 1)),
};

/** Returns the values and the shape for an input. Throws ARGUMENT if they do not fit, UNSUPPORTED for texts. */
export function tensorOf(
  what: string,
  { name, type, shape: wanted }: ModelVariable,
  given: ModelInput,
): { data: Data; shape: number[] } {
  const made = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!made)
    throw unsupported(`${what} has the input "${name}" of the type "${type}", which is not supported.`);
  const wrong = (why: string) =>
    argumentError(
      `${what}: the input "${name}" ${why}.`,
      'Give { data, shape }, or a list of columns of the same length: { x: [pt, eta, phi] }.',
    );
  const { data, shape } = Array.isArray(given)
    ? rowsOf(given, wrong)
    : (Object(given) as Partial<{ data: ArrayLike<number>; shape: number[] }>);
  if (!isList(data) || !Array.isArray(shape)) throw wrong('is neither a tensor nor a list of columns');
  const count = shape.reduce((product, one) => product * one, 1);
  if (!shape.every((one) => Number.isSafeInteger(one) && one >= 0) || count !== data.length)
    throw wrong(`has ${data.length} values for the shape [${shape.join(', ')}]`);
  const fits =
    wanted.length === 0 ||
    (wanted.length === shape.length && wanted.every((one, i) => one < 0 || one === shape[i]));
  if (!fits)
    throw wrong(
      `has the shape [${shape.join(', ')}], and the model takes [${wanted.map((one) => (one < 0 ? 'any' : one)).join(', ')}]`,
    );
  const odd = Array.prototype.findIndex.call(
    data,
    (one: unknown) => typeof one !== 'number' && typeof one !== 'bigint',
  );
  if (odd >= 0) throw wrong(`has ${String(data[odd])} as its value ${odd}`);
  try {
    return { data: made(data), shape: [...shape] };
  } catch (thrown) {
    throw wrong(
      `has a value that is not ${type}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}

function isList(data: unknown): data is ArrayLike<number> {
  return Array.isArray(data) || (ArrayBuffer.isView(data) && !(data instanceof DataView));
}

/** Returns columns as rows that follow each other. */
function rowsOf(
  columns: readonly unknown[],
  wrong: (why: string) => Error,
): { data: number[]; shape: number[] } {
  if (!columns.every(isList) || columns.length === 0) throw wrong('is not a list of columns');
  const rows = columns[0]?.length ?? 0;
  const other = columns.find((one) => one.length !== rows);
  if (other) throw wrong(`has columns of ${rows} and of ${other.length} values`);
  const data = new Array<number>(rows * columns.length);
  for (const [k, column] of columns.entries())
    for (let i = 0; i < rows; i++) data[i * columns.length + k] = column[i] as number;
  return { data, shape: [rows, columns.length] };
}
