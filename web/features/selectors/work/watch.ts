import { EntryList } from './lists';
import { refuseAsNumber, refusing } from './misspelt';
import type { LoadedSelector } from './selector';
import { taskOf } from './task';

/**
 * Number of entries at the start of each part for which reading a misspelt name is an error. Checking all would cost
 * about 50 ns per entry, as much as a simple selector. Later entries give undefined, which no fill accepts.
 */
export const WATCHED = 64;

/** Notices when the code of a selector reads a name that does not exist. */
export interface Watch {
  /** A prototype of values: reading another name than those of `branches` throws ARGUMENT. */
  values: object;
  /** A prototype of tasks, which does the same for members of the task. */
  task: object;
  /** A prototype of states. */
  state: object;
  /** The last name that was read from a state and does not exist. */
  absent: string | undefined;
  /**
   * Objects like those that the code gets, with and without these prototypes. Engines forget the form of objects with the last one that
   * has it, and the code that was compiled for this form, too: compiling it anew for each part would take as long as running it.
   */
  forms: readonly object[];
  /** The same for values, without what they hold. */
  kept: readonly object[];
}

/** The same prototypes for all parts, because JavaScript engines compile code for each prototype. */
const watches = new WeakMap<object, Watch>();

/** Returns what watches the code of a selector with these branches. */
export function watchOf(selector: LoadedSelector, branches: readonly string[]): Watch {
  const known = watches.get(selector);
  if (known) return known;
  const none = new Float64Array(0);
  const newTask = () => taskOf(selector, { file: '', tree: '', sample: '', weights: none, entries: none });
  const [task, state] = [newTask(), selector.states[1]];
  const watch: Watch = {
    absent: undefined,
    forms: [task, newTask(), ...selector.states],
    kept: [],
    values: refusing(
      (name) => `"${name}" is not one of the names that "branches" of the selector gives.`,
      () => branches,
    ),
    task: refusing(
      (name) => `"${name}" is not a member of the task, the third argument.`,
      () => Object.keys(task),
    ),
    state: noticing((name) => {
      watch.absent = name;
    }),
  };
  Object.setPrototypeOf(watch.forms[1], watch.task);
  if (isPlain(state)) Object.setPrototypeOf(state, watch.state);
  watches.set(selector, watch);
  return watch;
}

/** Makes misspelt names and lists that are used as numbers an error. */
export function watchValues(values: Readonly<Record<string, unknown>>, watch: Watch): void {
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'object' && value !== null && !(value instanceof EntryList))
      refuseAsNumber(value, name);
  Object.setPrototypeOf(values, watch.values);
}

/** Returns a prototype for plain objects that calls `onAbsent` when a name is read that the object does not have. */
function noticing(onAbsent: (name: string) => void): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target)) onAbsent(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/**
 * Watches what is read from a state, until the function that it returns is called. An object of a class, and one that cannot be
 * changed, is not watched.
 */
export function watchState(state: object, watch: Watch): () => void {
  watch.absent = undefined;
  if (!isPlain(state)) return () => {};
  Object.setPrototypeOf(state, watch.state);
  return () => {
    Object.setPrototypeOf(state, Object.prototype);
  };
}

function isPlain(state: object): boolean {
  return Object.getPrototypeOf(state) === Object.prototype && Object.isExtensible(state);
}

/** Keeps values of a part without what they hold, until the next part is done: see Watch.kept. */
export function keepForms(watch: Watch, values: readonly Record<string, unknown>[]): void {
  for (const one of values) for (const name of Object.keys(one)) one[name] = null;
  watch.kept = values;
}
