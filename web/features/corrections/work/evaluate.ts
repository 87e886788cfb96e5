import type { CorrectionInput, CorrectionInputs, CorrectionVariable } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';
import type { Frame, Node } from './frame';

/** A correction that was compiled: its inputs are put into the frame, and then the node gives its value. */
export interface Compiled {
  name: string;
  inputs: readonly CorrectionVariable[];
  frame: Frame;
  node: Node;
}

type Given = readonly (CorrectionInput | CorrectionInputs)[];

/** Evaluates a correction for single values, or for lists. Throws ARGUMENT. */
export function evaluate(compiled: Compiled, given: Given): number | Float64Array {
  const { inputs } = compiled;
  const { length } = inputs;
  if (given.length !== length) throw wrongCount(compiled, given.length);
  for (let i = 0; i < length; i++) {
    const value = given[i];
    // Lists are rare among single values, so that they are looked for only where a value is an object.
    if (typeof value === 'object' && value !== null) return evaluateLists(compiled, given);
    put(compiled, i, value);
  }
  return compiled.node();
}

function evaluateLists(compiled: Compiled, given: Given): Float64Array {
  const lists = new Map<number, ArrayLike<unknown>>();
  let count = -1;
  for (const [i, value] of given.entries()) {
    if (typeof value !== 'object' || value === null) {
      put(compiled, i, value);
      continue;
    }
    const list = listOf(compiled, i, value);
    if (count >= 0 && list.length !== count)
      throw argumentError(
        `The list of the input "${nameOf(compiled, i)}" of "${compiled.name}" has ${list.length} values, and another one has ${count}.`,
        'Give lists of the same length, and single values for what is the same for all.',
      );
    count = list.length;
    lists.set(i, list);
  }
  const result = new Float64Array(count);
  const { node, frame } = compiled;
  const varied = [...lists];
  const areReal = varied.map(
    ([i, list]) =>
      compiled.inputs[i]?.type === 'real' && (list instanceof Float64Array || list instanceof Float32Array),
  );
  for (let row = 0; row < count; row++) {
    try {
      for (let n = 0; n < varied.length; n++) {
        const [i, list] = varied[n] as [number, ArrayLike<unknown>];
        if (areReal[n]) frame.numbers[i] = list[row] as number;
        else put(compiled, i, list[row]);
      }
      result[row] = node();
    } catch (thrown) {
      throw inRow(thrown, row);
    }
  }
  return result;
}

function inRow(thrown: unknown, row: number): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  const { fix, where } = thrown as { fix?: string; where?: object };
  return argumentError(`Element ${row}: ${thrown.message}`, fix, where);
}

function listOf(compiled: Compiled, i: number, value: object): ArrayLike<unknown> {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView)))
    return value as ArrayLike<unknown>;
  const hasValues = 'values' in value && 'offsets' in value;
  throw argumentError(
    `The input "${nameOf(compiled, i)}" of "${compiled.name}" is an object; a value or a list was expected.`,
    hasValues ? 'Give the "values" of a column of lists.' : undefined,
  );
}

/** Puts an input into the frame. Throws ARGUMENT if it has another type. */
export function put(compiled: Compiled, i: number, value: unknown): void {
  const { frame } = compiled;
  const type = compiled.inputs[i]?.type;
  if (type === 'real') {
    if (typeof value === 'number') {
      frame.numbers[i] = value;
      return;
    }
    if (typeof value === 'bigint' && BigInt(Number(value)) === value) {
      frame.numbers[i] = Number(value);
      return;
    }
  } else if (type === 'string') {
    if (typeof value === 'string') {
      frame.texts[i] = value;
      return;
    }
  } else if (putWhole(frame, i, value)) return;
  throw argumentError(
    `The input "${nameOf(compiled, i)}" of "${compiled.name}" is ${shown(value)}; ${WANTED[type ?? 'real']} was expected.`,
    value === undefined ? 'A misspelt name is undefined.' : undefined,
  );
}

const WANTED = { real: 'a number', int: 'a whole number', string: 'a text' } as const;

/** Puts a whole number of 64 bits into the frame. Returns whether it is one. */
function putWhole({ numbers, large }: Frame, i: number, value: unknown): boolean {
  large[i] = undefined;
  if (Number.isSafeInteger(value) || typeof value === 'boolean') {
    numbers[i] = Number(value);
    return true;
  }
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) return false;
  numbers[i] = Number(value);
  if (!Number.isSafeInteger(numbers[i])) large[i] = value;
  return true;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  return typeof value === 'object' ? 'an object' : String(value).slice(0, 60);
}

function nameOf({ inputs }: Compiled, i: number): string {
  return inputs[i]?.name ?? '';
}

function wrongCount({ name, inputs }: Compiled, count: number) {
  const names = inputs.map((one) => `${one.name} (${one.type})`).join(', ');
  return argumentError(
    `"${name}" takes ${inputs.length} input${inputs.length === 1 ? '' : 's'}, and got ${count}.`,
    `They are ${names || 'none'}.`,
  );
}
