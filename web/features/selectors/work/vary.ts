import { argumentError, type XylemError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';
import type { SelectorColumn, SelectorTask } from './types';

/** The name of what is not varied. */
export const NOMINAL = 'nominal';

/** Values of an entry for `entry`, columns for `process`. */
type Inputs = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: the values have the types of the branches
type Change = (inputs: any, task: SelectorTask) => Inputs;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Factor = (inputs: any, task: SelectorTask) => number | ArrayLike<number>;

/** How a variation changes what the code gets. */
export interface SelectorVariation {
  /** A function that returns the changed values, by name; or, for each changed name, the name of the branch that takes its place. */
  inputs?: Change | Readonly<Record<string, string>> | undefined;
  /** A factor of the weight, or the name of the branch that has it. With `process` a factor for each entry. */
  weight?: Factor | string | undefined;
}

/** Variations by name. A function, and an object of names of branches, are short for `{ inputs }`. */
export type SelectorVariations = Readonly<
  Record<string, SelectorVariation | Change | { readonly [branch: string]: string }>
>;

const MAX_VARIATIONS = 1000;

/** Returns the variations that `job.vary` got. Throws ARGUMENT. */
export function variationsOf(
  given: SelectorVariations,
  branches: readonly string[],
): Map<string, SelectorVariation> {
  const all = Object.entries(Object(given) as SelectorVariations);
  if (all.length === 0) throw mistake('vary needs variations by name.');
  if (all.length > MAX_VARIATIONS) throw mistake(`vary takes ${MAX_VARIATIONS} variations at most.`);
  return new Map(
    all.map(([name, one]) => {
      if (!/^[A-Za-z]\w*$/.test(name) || name === NOMINAL)
        throw mistake(`"${name}" cannot be the name of a variation: it is of letters, digits and "_".`);
      return [name, checked(name, one, branches)];
    }),
  );
}

function checked(
  name: string,
  given: SelectorVariations[string],
  branches: readonly string[],
): SelectorVariation {
  if (typeof given === 'function') return { inputs: given };
  if (typeof given !== 'object' || given === null)
    throw mistake(`The variation "${name}" is neither a function nor an object.`);
  const isWhole = 'inputs' in given || ('weight' in given && !branches.includes('weight'));
  const { inputs, weight, ...more } = (isWhole ? given : { inputs: given }) as SelectorVariation;
  const odd = Object.keys(more)[0];
  if (odd !== undefined) throw mistake(`The variation "${name}" has "${odd}", which is not known.`);
  if (typeof weight === 'string') checkName(name, weight, branches);
  else if (weight !== undefined && typeof weight !== 'function')
    throw mistake(`The weight of the variation "${name}" is neither a function nor the name of a branch.`);
  if (typeof inputs === 'object' && inputs !== null)
    for (const [to, from] of Object.entries(inputs)) {
      checkName(name, to, branches);
      checkName(name, from, branches);
    }
  else if (inputs !== undefined && typeof inputs !== 'function')
    throw mistake(`The inputs of the variation "${name}" are neither a function nor names of branches.`);
  return { inputs, weight };
}

/** Throws ARGUMENT for a name that the selector does not have. */
export function checkName(variation: string, name: unknown, branches: readonly string[]): void {
  if (typeof name === 'string' && branches.includes(name)) return;
  throw argumentError(
    `The variation "${variation}" names "${String(name)}", which is not one of the branches of the selector.`,
    didYouMean(similar(String(name), branches)) ?? `They are ${branches.slice(0, 20).join(', ')}.`,
  );
}

function mistake(message: string): XylemError {
  return argumentError(
    message,
    "Write job.vary({ jesUp: ({ pt }) => ({ pt: pt.map((one) => 1.02 * one) }), puUp: { weight: 'puUp' } }).",
  );
}

/** Changes the values of an entry, or the columns of a part. */
export function changeInputs(
  variation: string,
  { inputs }: SelectorVariation,
  values: Record<string, unknown>,
  task: SelectorTask,
  branches: readonly string[],
): void {
  if (inputs === undefined) return;
  if (typeof inputs === 'function') {
    const changed: unknown = inputs(values, task);
    if (typeof changed !== 'object' || changed === null)
      throw mistake(`The variation "${variation}" returns no object of changed values.`);
    for (const [name, value] of Object.entries(changed)) {
      checkName(variation, name, branches);
      checkLength(variation, name, values[name], value);
      values[name] = value;
    }
    return;
  }
  const before = { ...values };
  for (const [to, from] of Object.entries(inputs)) values[to] = before[from];
}

/** Throws ARGUMENT if a changed list has another length, because its values would no longer be those of the same objects. */
function checkLength(variation: string, name: string, before: unknown, after: unknown): void {
  const lengthOf = (value: unknown): number | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    return 'values' in value && 'offsets' in value
      ? (value.values as ArrayLike<unknown>).length
      : (value as ArrayLike<unknown>).length;
  };
  const [had, has] = [lengthOf(before), lengthOf(after)];
  if (before === undefined || had === has) return;
  const text = (one: number | undefined): string =>
    one === undefined ? 'no list' : `${one} value${one === 1 ? '' : 's'}`;
  throw argumentError(
    `The variation "${variation}" gives ${text(has)} for "${name}", and there ${had === 1 ? 'is' : 'are'} ${text(had)} without it.`,
    'Change each value with map, and select objects in the code, which runs for each variation.',
  );
}

/** Returns the factor of the weight of an entry. Throws ARGUMENT if it is not a number. */
export function factorOf(
  variation: string,
  { weight }: SelectorVariation,
  values: Readonly<Record<string, unknown>>,
  task: SelectorTask,
): number {
  if (weight === undefined) return 1;
  return checkedFactor(variation, typeof weight === 'string' ? values[weight] : weight(values, task));
}

/** Returns the weights of a part, with the factors of a variation. Throws ARGUMENT if they are not one number for each entry. */
export function weightsWith(
  variation: string,
  { weight }: SelectorVariation,
  columns: Readonly<Record<string, SelectorColumn | undefined>>,
  task: SelectorTask,
): Float64Array {
  if (weight === undefined) return task.weights;
  const factors: unknown = typeof weight === 'string' ? columns[weight] : weight(columns, task);
  const list = factors as ArrayLike<unknown> | undefined;
  if (list?.length !== task.weights.length) throw noFactor(variation);
  return task.weights.map((one, i) => one * checkedFactor(variation, list[i]));
}

function checkedFactor(variation: string, factor: unknown): number {
  if (typeof factor === 'number' && Number.isFinite(factor)) return factor;
  throw noFactor(variation);
}

function noFactor(variation: string): XylemError {
  return argumentError(
    `The weight of the variation "${variation}" is not one finite number for each entry.`,
    'Return a factor for entry, and a list with a factor for each entry for process.',
  );
}

/** Returns a task that calls `onUse` when the code reads its weight. Other members are those of `task`, also if they change. */
export function watchedTask(task: SelectorTask, onUse: () => void): SelectorTask {
  const reads = (name: 'weight' | 'weights') => ({
    get() {
      onUse();
      return task[name];
    },
  });
  return Object.create(task, { weight: reads('weight'), weights: reads('weights') }) as SelectorTask;
}

/** Returns the error for a weight that is varied and not used: the results would be those that are not varied. */
export function unusedWeight(variation: string): XylemError {
  return argumentError(
    `The variation "${variation}" changes the weight of the task, which the code does not use.`,
    'Fill with it: entry(values, out, { weight }) { out.mass.fill(m, weight); }.',
  );
}
