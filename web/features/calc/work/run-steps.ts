import { argumentError, toXylemError, XylemError } from '../../../base/errors';
import { expressionError } from '../../../query/language/errors';
import { Given } from './given';
import { type Compiled, compileCalc, type Names } from './language/compile';
import { operationOf } from './operations';
import type { Held } from './ops/held';
import { argumentsOf, type Step, type Value } from './steps';

/** Largest number of steps: more are an attack, or a mistake of a program. */
const MAX_STEPS = 1000;

/** Reads what steps name. */
export interface Sources {
  /** Returns a stored histogram, by FILE:PATH or as the host names it. */
  open(name: string): Promise<Held>;
  /** Fills a histogram from a tree. */
  fill(request: {
    file: string;
    tree?: string | undefined;
    expr: string;
    cut?: string | undefined;
  }): Promise<Held>;
}

/**
 * Returns the steps of an expression, with earlier expressions under names: [["a", "file.root:h"]]. `titleOf` names these in errors by
 * their index.
 */
export function compiled(
  expression: string,
  lets: readonly (readonly [name: string, expression: string])[] = [],
  isName?: Names['isName'],
  titleOf: (index: number) => string | undefined = () => undefined,
): Compiled {
  const into: Compiled = { steps: [], places: [] };
  const aliases = new Map<string, number>();
  const names: Names = { aliases, ...(isName && { isName }) };
  for (const [i, [name, text]] of lets.entries()) {
    const of = titleOf(i);
    const from = into.places.length;
    try {
      aliases.set(name, compileCalc(text, into, names));
    } catch (thrown) {
      throw titled(toXylemError(thrown), of);
    }
    for (const place of into.places.slice(from)) place.of = of;
  }
  const last = compileCalc(expression, into, names);
  return last === into.steps.length - 1 ? into : withLast(into, last);
}

/** Puts a step that is not the last one to the end. No step needs those after it. */
function withLast(into: Compiled, last: number): Compiled {
  return { steps: into.steps.slice(0, last + 1), places: into.places.slice(0, last + 1) };
}

/** Runs steps, and returns the result of each. Throws the error of a step with its place in the expression. */
export async function runSteps({ steps, places }: Compiled, sources: Sources): Promise<Value[]> {
  if (steps.length > MAX_STEPS)
    throw argumentError(`There are ${steps.length} steps; at most ${MAX_STEPS} are run.`);
  const values: Value[] = [];
  for (const [i, step] of steps.entries())
    try {
      values.push(await runStep(step, values, sources));
    } catch (thrown) {
      throw placed(thrown, places[i]);
    }
  return values;
}

async function runStep(step: Step, values: readonly Value[], sources: Sources): Promise<Value> {
  const args = argumentsOf(step);
  const resultOf = (index: number): Value => {
    const value = values[index];
    if (value === undefined) throw argumentError(`There is no step ${index} before this one.`);
    return value;
  };
  const text = (name: string): string => {
    const value = args[name];
    if (typeof value === 'string') return value;
    throw argumentError(`"${name}" of ${step.op} has to be a text.`);
  };
  if (step.op === 'number') {
    if (typeof args.value === 'number') return { kind: 'number', value: args.value, error: 0 };
    throw argumentError('A number is missing.');
  }
  if (step.op === 'open') return { kind: 'histogram', held: await sources.open(text('name')) };
  if (step.op === 'fill') {
    const optional = (name: string) => (args[name] === undefined ? undefined : text(name));
    const request = { file: text('file'), tree: optional('tree'), expr: text('expr'), cut: optional('cut') };
    return { kind: 'histogram', held: await sources.fill(request) };
  }
  const operation = operationOf(step.op);
  if (operation === undefined) throw argumentError(`There is no operation "${step.op}".`);
  const operands = (step.of ?? []).map(resultOf);
  if (operands.length !== operation.operands.length)
    throw argumentError(`${step.op} takes ${operation.operands.length} operands, not ${operands.length}.`);
  return operation.run(operands, new Given(step.op, args, resultOf));
}

/** Returns an error that begins with the name of what it is about. */
function titled(error: XylemError, of: string | undefined): XylemError {
  if (of === undefined) return error;
  return new XylemError({ ...error.toRecord(), message: `${of}: ${error.message}`, cause: error.cause });
}

/** Returns an error with the place of its step in the expression, if it has none. */
function placed(thrown: unknown, place: Compiled['places'][number] | undefined): XylemError {
  const error = titled(toXylemError(thrown), place?.of);
  if (place === undefined || error.where?.expression !== undefined || error.code === 'INTERNAL') return error;
  const { text, at, end } = place;
  const made = expressionError(text, { at, end }, error.message, error.fix, error.code);
  return error.where?.url === undefined && error.where?.path === undefined
    ? made
    : error.at({ ...made.where, ...error.where });
}
