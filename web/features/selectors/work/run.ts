import type { OutputValues, Rows } from '../../../api/rows';
import type { Gathered, GatheredState } from '../../../api/selector';
import { argumentError, type XylemError } from '../../../base/errors';
import type { Core } from '../../../core/core';
import type { UserCode } from '../../../pass/goals/goal';
import { textsOf } from './branches';
import { columnOf, listsAt, sharedOffsets } from './columns';
import { entriesOf, type Values } from './entries';
import { checkForms, ownOf } from './gathered';
import { isOf } from './kinds/kinds';
import { meantBy } from './misspelt';
import { spoolOf } from './rows/spool';
import { refuseAsync, runEntries, runPrepared } from './run-entries';
import { type Begun, beginOf, gatheredOf, type LoadedSelector, selectorError } from './selector';
import { taskOf } from './task';
import type { SelectorColumn } from './types';
import {
  changeInputs,
  factorOf,
  NOMINAL,
  type SelectorVariation,
  unusedWeight,
  watchedTask,
  weightsWith,
} from './vary';
import { keepForms, WATCHED, watchOf, watchState, watchValues } from './watch';

/** Default time limit for a part of the entries, in ms. */
export const LIMIT_MS = 60_000;

/** A selector and the part of a tree that it runs on. */
export interface SelectTask extends UserCode {
  set: Readonly<Record<string, string>>;
  /** The names of the outputs, and whether each has lists. */
  names: readonly string[];
  /** Names of branches that the file lacks, and that have no other value: the code gets undefined. */
  without?: readonly string[] | undefined;
  lists: readonly boolean[];
  sample: string;
  /** Whether a further output is the weight of each entry. */
  weighted: boolean;
  /** Whether the variations are filled, too. Default: true. */
  vary?: boolean | undefined;
  /** See ProcessRequest. */
  files?: Readonly<Record<string, string>> | undefined;
  spool?: string | undefined;
}

/** The results of a selector for the entries of a task that passed its cut. */
export interface Selected {
  passed: number;
  state: GatheredState;
}

/** A branch that a file lacks has no column. */
type Columns = Record<string, SelectorColumn | undefined>;

/** Runs a selector on rows. Throws ARGUMENT, with the entries, if its code throws. */
export function runSelector(
  core: Core,
  selector: LoadedSelector,
  { module, names, without = [], lists, file, tree, sample, weighted, vary = true, spool }: SelectTask,
  { entries, outputs }: Rows,
): Selected {
  const { own, empty } = selector;
  const read: Columns = {};
  for (const name of without) read[name] = undefined;
  const offsets = own.process ? undefined : sharedOffsets();
  for (const [i, name] of names.entries()) {
    const output = outputs[i];
    if (output) read[name] = columnOf(output, lists[i] === true, name, offsets);
  }
  const rows = spoolOf(spool);
  const begun = beginOf(selector, core, rows);
  const weigher = weighted ? outputs[names.length] : undefined;
  if (weigher && (lists[names.length] || weigher.strings)) throw weightError(sample);
  const weights = weightsOf(entries.length, weigher);
  const branches = Object.keys(own.branches);
  const task = taskOf(selector, { file, tree, sample, weights, entries });
  const watch = watchOf(selector, branches);
  Object.setPrototypeOf(task, watch.task);
  /** The index of the entry that runs; -1 if the code runs on a whole part. */
  const place = { at: -1 };
  let current = begun.state;
  /** Values of the first entry, with and without the prototype that watches them. */
  let kept: Values[] = [];
  /** Variations of the weight that the code did not read. */
  const unused = new Set<string>();
  /** Runs the code on all entries, which fills a state. */
  const fill = ({ state }: Begun, variation: string, change: SelectorVariation): void => {
    current = state;
    const columns = begun.variations.size > 0 && vary ? ownColumns(read) : read;
    task.variation = variation;
    task.weights = weights;
    let isUsed = change.weight === undefined;
    const given = isUsed
      ? task
      : watchedTask(task, () => {
          isUsed = true;
        });
    const endWatch = watchState(state, watch);
    if (own.process) {
      const values = Object.setPrototypeOf({ ...columns }, watch.values) as Record<string, SelectorColumn>;
      task.weights = weightsWith(variation, change, values, task);
      changeInputs(variation, change, values, task, branches);
      refuseAsync(own.process(values, state, given));
    } else {
      const valuesOf = entriesOf(columns);
      const run = { own, entries, weights, valuesOf, task, given, state, place, watch };
      const varyOne = (values: Values): void => {
        task.weight *= factorOf(variation, change, values, task);
        changeInputs(variation, change, values, task, branches);
      };
      const isVaried = variation !== NOMINAL;
      const first = Math.min(WATCHED, entries.length);
      if (first > 0 && kept.length === 0) {
        kept = [valuesOf(0), valuesOf(0)];
        Object.setPrototypeOf(kept[1], watch.values);
      }
      runPrepared(run, 0, first, (values) => {
        watchValues(values, watch);
        if (isVaried) varyOne(values);
      });
      if (isVaried) runPrepared(run, first, entries.length, varyOne);
      else runEntries(run, first, entries.length);
      place.at = -1;
    }
    endWatch();
    if (!isUsed) unused.add(variation);
  };
  try {
    fill(begun, NOMINAL, {});
    const others = new Map<string, Begun>();
    for (const [variation, change] of vary ? begun.variations : []) {
      const other = beginOf(selector, core, rows);
      fill(other, variation, change);
      others.set(variation, other);
    }
    const made = gatheredOf(begun, { file, tree, from: entries[0] ?? 0 }, others);
    checkForms(empty, made);
    for (const variation of unused)
      if (Object.values(made).some((one) => isOf('varied', one) && isFilled(one.of.get(variation))))
        throw unusedWeight(variation);
    for (const [name, value] of Object.entries(ownOf(made))) checkPlain(name, value);
    keepForms(watch, kept);
    return { passed: entries.length, state: made };
  } catch (thrown) {
    const { variation } = task;
    const { at } = place;
    const isWhole = at < 0;
    const part = isWhole ? rangeOf(entries) : `entry ${entries[at]}`;
    const where = variation === NOMINAL ? part : `${part}, for the variation "${variation}",`;
    const fix = isWhole
      ? undefined
      : `Its values are ${valuesText(textsOf(selector.own.branches), entriesOf(read)(at))}.`;
    const { absent } = watch;
    const misspelt =
      thrown instanceof TypeError && absent !== undefined ? noMember(absent, current) : undefined;
    const fixes = [misspelt, fix].filter((one) => one !== undefined);
    const words = fixes.length > 0 ? fixes.join(' ') : undefined;
    throw selectorError(module, `failed at ${where} of "${tree}" in ${file}`, thrown, words);
  }
}

/** Whether something was filled into a result. */
function isFilled(one: Gathered | undefined): boolean {
  if (isOf('histogram', one)) return one.fills > 0;
  if (isOf('counter', one)) return (one.count ?? 0) > 0;
  if (isOf('labels', one)) return [...one.sums.values()].some(({ count = 0 }) => count > 0);
  return isOf('grid', one) && one.parts.size > 0;
}

/** Returns columns with values of their own, so that code may change them and each variation begins with those that were read. */
function ownColumns(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      if (column === undefined) return [name, column];
      return [
        name,
        'offsets' in column
          ? listsAt(column.offsets, column.values.slice() as Float64Array, name)
          : column.slice(),
      ];
    }),
  );
}

function noMember(name: string, state: Record<string, unknown>): string {
  const members = Object.keys(state);
  return `The state has no "${name}". ${meantBy(name, members, 'Its members are')}`;
}

/** Throws TypeError if a value cannot be sent to another thread, such as a function. */
function checkPlain(name: string, value: unknown): void {
  try {
    structuredClone(value);
  } catch (thrown) {
    throw new TypeError(
      `"${name}" of the state is no plain data: ${(thrown as Error | null)?.message ?? thrown}`,
    );
  }
}

function rangeOf(entries: Float64Array): string {
  return entries.length === 0
    ? 'a part in which no entry passed'
    : `entries ${entries[0]} to ${entries.at(-1)}`;
}

/** The weight of each entry. */
function weightsOf(count: number, output: OutputValues | undefined): Float64Array {
  if (!output) return new Float64Array(count).fill(1);
  return Float64Array.from(columnOf(output, false) as Float64Array | BigInt64Array, Number);
}

export function weightError(sample = ''): XylemError {
  return argumentError(
    `The weight of the sample "${sample}" is not one number for each entry.`,
    'Take an element of it, such as weights[0].',
  );
}

/** Maximum number of characters of an entry's values in a message, and of the values of one expression. */
const MAX_TEXT = 400;
const MAX_VALUE = 60;

/** Returns the values of an entry as text for a message, with their expressions. */
function valuesText(branches: Readonly<Record<string, string>>, values: Values): string {
  const texts = Object.entries(values).map(([name, value]) => {
    const isList = typeof value === 'object';
    const text = isList ? `[${Array.from(value as ArrayLike<unknown>).join(', ')}]` : String(value);
    const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
    return branches[name] === name ? `${name} = ${short}` : `${name} (${branches[name]}) = ${short}`;
  });
  const all = texts.join(', ');
  return all.length > MAX_TEXT ? `${all.slice(0, MAX_TEXT)}…` : all;
}
