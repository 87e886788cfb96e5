import type { GatheredState, Sample } from '../../../api/selector';
import { argumentError, XylemError } from '../../../base/errors';
import { didYouMean, nearest } from '../../../base/suggest';
import type { Core } from '../../../core/core';
import { branchSources, isOptional } from './branches';
import { callsOf } from './calls';
import { checkForms, type OwnMerge, ownOf, variedName } from './gathered';
import { Made, type Place } from './kinds/kind';
import { isOf, jobOf } from './kinds/kinds';
import type { OwnResult } from './kinds/own';
import type { VariedResult } from './kinds/varied';
import type { RowSpool } from './rows/spool';
import { readFiles, type SelectorFiles, whyNoFile } from './selector-files';
import { toolsFor } from './tools-of-features';
import type { FeatureTools, Selector } from './types';
import { NOMINAL, type SelectorVariation, type SelectorVariations, variationsOf } from './vary';

/** A selector whose members were checked. */
export interface LoadedSelector {
  /** Address of its module. */
  module: string;
  set: Readonly<Record<string, string>>;
  own: Selector;
  files: SelectorFiles;
  /** Functions that other features give. */
  tools: FeatureTools;
  /** The empty state. The state of each part of the entries has the same members. */
  empty: GatheredState;
  /** Two states as begin makes them, which are not filled: see watchOf. */
  states: readonly [object, object];
}

const loaded = new Map<string, Promise<LoadedSelector>>();
const TYPESCRIPT =
  'Node 22.18 and later read TypeScript; "xylem types FILE TREE --selector --js" writes JavaScript.';
const FIX =
  'Its default export is { branches: { pt: "Muon_pt" }, begin(job) { … }, process(columns, state) { … } }.';

/**
 * Loads the module of a selector in this thread, once. Throws ARGUMENT if it cannot be loaded, is not a selector, or makes
 * results that cannot be added.
 */
export function loadSelector(module: string, set: Readonly<Record<string, string>>): Promise<LoadedSelector> {
  const key = JSON.stringify([module, set]);
  let found = loaded.get(key);
  if (!found) {
    found = load(module, set);
    // A failed load is tried again the next time.
    found.catch(() => loaded.delete(key));
    loaded.set(key, found);
  }
  return found;
}

/**
 * Loads a selector with the settings of a call, and with those of each sample. Throws as `loadSelector`, and ARGUMENT if a sample
 * does not fit: with names that the selector does not have, or settings by which it makes other results.
 */
export async function loadForSamples(
  module: string,
  set: Readonly<Record<string, string>>,
  samples: readonly Sample[] = [],
): Promise<LoadedSelector> {
  const all = await loadSelector(module, set);
  for (const { name, set: own, branches, weight } of samples) {
    branchSources(all.own.branches, branches);
    if (weight !== undefined && !mayWeigh(all)) throw noWeight(module, name);
    if (!own) continue;
    const { empty } = await loadSelector(module, { ...set, ...own });
    checkForms(all.empty, empty, `the settings of the sample "${name}" and the others`);
  }
  return all;
}

/**
 * Whether the code may read the weights of entries: false only if its text shows that it does not, because it has no third argument, or
 * takes other members of it. Rows of tables are not weighted.
 */
function mayWeigh({ own, empty }: LoadedSelector): boolean {
  if (Object.values(empty).every((one) => isOf('table', one) || isOf('own', one))) return true;
  const code = own.entry ?? own.process;
  const text = String(code);
  if (code === undefined || /weight|arguments|\.\.\.|\bthis\b/.test(text)) return true;
  return code.length > 2 && !/^[^(]*\([^()]*,\s*\{[^(){}]*\}\s*\)/.test(text);
}

function noWeight(module: string, sample: string): XylemError {
  return argumentError(
    `The sample "${sample}" has weights, and the selector ${nameOf(module)} does not use the weight of its entries.`,
    'Fill with it: entry(values, out, { weight }) { out.mass.fill(m, weight); }. With process, use task.weights.',
    { path: module },
  );
}

async function load(module: string, set: Readonly<Record<string, string>>): Promise<LoadedSelector> {
  let exported: unknown;
  if (!URL.canParse(module) && !module.startsWith('/')) {
    throw argumentError(
      `"${module}" is not the address of a selector.`,
      "Give new URL('./selector.mjs', import.meta.url), or pathToFileURL(path) of node:url.",
    );
  }
  try {
    exported = ((await import(/* @vite-ignore */ module)) as { default?: unknown }).default;
  } catch (thrown) {
    const isForeign = (thrown as { code?: unknown } | null)?.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    throw selectorError(module, 'cannot be loaded', thrown, isForeign ? TYPESCRIPT : undefined);
  }
  const own = checked(module, exported);
  const files = await readFiles(module, own.files).catch((thrown: unknown) => {
    throw selectorError(module, 'cannot be loaded', thrown);
  });
  const begun = { module, set, own, files, tools: await toolsFor(files, module) };
  const [empty, one] = emptyOf(begun);
  const [other, two] = emptyOf(begun);
  // Checked before any file is read: if `begin` makes different members each time, results cannot be added.
  checkForms(empty, other);
  const [plain] = Object.keys(ownOf(empty));
  if (plain !== undefined && !own.merge) {
    throw wrong(
      module,
      `"${plain}" of its state was not made by the job of begin, and it has no merge`,
      'Make histograms, counters, labels and tables with the job that begin gets, or add merge(one, other).',
    );
  }
  if (plain !== undefined) checkMerge(module, own, ownOf(empty), ownOf(other));
  return { ...begun, empty, states: [one, two] };
}

type Loading = Omit<LoadedSelector, 'empty' | 'states'>;

/** Returns the content of a state from `begin` before anything is filled, and the state. */
function emptyOf(begun: Loading): [GatheredState, object] {
  const begin = beginOf(begun, undefined);
  try {
    const empty = gatheredOf(begin, { file: '', tree: '', from: 0 });
    if (begin.variations.size > 0 && !Object.values(empty).some((one) => isOf('varied', one)))
      throw argumentError(
        'begin calls job.vary, and makes nothing with the job that it returns, so that no result is varied.',
        'Write const all = job.vary({ … }); and all.hist([60, 60, 120]).',
      );
    checkShownNames(empty, [...begin.variations.keys()]);
    return [empty, begin.state];
  } catch (thrown) {
    throw selectorError(begun.module, 'failed after begin', thrown);
  }
}

/** Throws ARGUMENT if the name of a variation of a result is that of another result. */
function checkShownNames(empty: GatheredState, variations: readonly string[]): void {
  const names = Object.keys(empty);
  const odd = names
    .filter((name) => empty[name]?.kind === 'varied')
    .flatMap((name) => variations.map((one) => variedName(name, one)))
    .find((name) => names.includes(name));
  if (odd !== undefined)
    throw argumentError(
      `"${odd}" is a result, and also the name of a variation of another one.`,
      'Rename it.',
    );
}

/**
 * Checks before any file is read that other members of the state can be merged: merges copies of two new states.
 * Throws ARGUMENT if not.
 */
function checkMerge(module: string, { merge }: Selector, one: object, other: object): void {
  const names = Object.keys(one);
  let copies: [object, object];
  try {
    copies = structuredClone([one, other]);
  } catch {
    throw wrong(
      module,
      'members of its state that begin did not make with its job are no plain data',
      'Keep numbers, texts, lists and objects of these there.',
    );
  }
  let merged: unknown;
  try {
    merged = merge?.(...copies);
  } catch (thrown) {
    throw selectorError(module, 'failed in merge, with two states that begin made', thrown);
  }
  const missing = names.find((name) => !Object.hasOwn(Object(merged) as object, name));
  if (missing !== undefined)
    throw wrong(
      module,
      `its merge returns no "${missing}"`,
      `Return all members that begin did not make with its job: ${names.join(', ')}.`,
    );
}

const MEMBERS = ['files', 'branches', 'where', 'begin', 'process', 'entry', 'merge'];

/**
 * Throws ARGUMENT for a misspelt member, because with a misspelt `where` all entries would pass. Other names are
 * allowed for helpers.
 */
function checkMembers(module: string, value: object): void {
  const missing = MEMBERS.filter((name) => !(name in value));
  for (const name of Object.keys(value)) {
    const meant = MEMBERS.includes(name) ? [] : nearest(name, missing);
    if (meant.length > 0)
      throw wrong(module, `it has no use for its member "${name}"`, didYouMean(meant) ?? FIX);
  }
}

function checked(module: string, value: unknown): Selector {
  if (typeof value !== 'object' || value === null)
    throw wrong(module, 'it has no default export of an object', FIX);
  const { files, branches, where, begin, process, entry, merge } = value as Record<string, unknown>;
  const names = Object.entries(Object(branches));
  checkMembers(module, value);
  if (typeof branches !== 'object' || names.length === 0) throw wrong(module, 'it has no branches', FIX);
  if (Object.hasOwn(Object(branches) as object, '__proto__'))
    throw wrong(module, 'no branch can be named "__proto__"', FIX);
  if (Array.isArray(branches)) {
    const given = branches.filter((one) => typeof one === 'string').slice(0, 3);
    const named = (given.length > 0 ? given : ['Muon_pt']).map((one) =>
      /^[A-Za-z_$][\w$]*$/.test(one) ? `${one}: '${one}'` : `${JSON.stringify(one)}: ${JSON.stringify(one)}`,
    );
    throw wrong(
      module,
      'its branches are a list, and need names for the code',
      `Write branches: { ${named.join(', ')} }.`,
    );
  }
  const odd = names.find(([, text]) => !isOptional(text) && (typeof text !== 'string' || text.trim() === ''));
  if (odd)
    throw wrong(
      module,
      `its branch "${odd[0]}" is neither the text of an expression nor { expr, missing }`,
      "Write pt: 'Muon_pt', or w: { expr: 'puWeight', missing: 1 } if some files lack it.",
    );
  for (const [name, path] of Object.entries(Object(files) as object)) {
    const why = whyNoFile(path);
    if (why !== undefined)
      throw wrong(
        module,
        `its file "${name}", ${JSON.stringify(path)}, ${why}`,
        "Write files: { sf: 'muon_sf.json.gz' }, with paths relative to the module.",
      );
  }
  if (where !== undefined && typeof where !== 'string') throw wrong(module, 'its "where" is not a text', FIX);
  if (typeof begin !== 'function') throw wrong(module, 'it has no begin', FIX);
  if ((typeof process === 'function') === (typeof entry === 'function'))
    throw wrong(module, 'it needs one of process and entry', FIX);
  if (merge !== undefined && typeof merge !== 'function')
    throw wrong(module, 'its merge is not a function', FIX);
  return value as Selector;
}

/** A fresh state, and what `begin` varies. */
export interface Begun {
  state: Record<string, unknown>;
  variations: Map<string, SelectorVariation>;
  /** The names of the variations of each result that is varied. */
  varied: Map<unknown, Set<string>>;
}

/** Returns a fresh state. Throws ARGUMENT if `begin` throws or does not return an object. */
export function beginOf(
  { module, set, own, files, tools }: Loading,
  core: Core | undefined,
  spool?: RowSpool,
): Begun {
  let state: unknown;
  const variations: Begun['variations'] = new Map();
  const varied: Begun['varied'] = new Map();
  const onVary = (given: SelectorVariations) => {
    const more = variationsOf(given, Object.keys(own.branches));
    for (const [name, one] of more) {
      if (variations.has(name)) throw argumentError(`There are two variations "${name}".`);
      variations.set(name, one);
    }
    return (made: unknown) => {
      varied.set(made, new Set([...(varied.get(made) ?? []), ...more.keys()]));
    };
  };
  try {
    state = own.begin(jobOf(core, { set, files, tools, spool, onVary }));
  } catch (thrown) {
    throw selectorError(module, 'failed in begin', thrown);
  }
  if (typeof state !== 'object' || state === null || state instanceof Promise)
    throw wrong(
      module,
      'its begin returns no object',
      'Return what is filled: { mass: job.hist([60, 60, 120]) }.',
    );
  if (Object.hasOwn(state, '__proto__'))
    throw wrong(module, 'no member of its state can be named "__proto__"', 'Give it another name.');
  return { state: state as Record<string, unknown>, variations, varied };
}

/** Returns the selector's merge; its errors include the line in the code. Undefined if it has none. */
export function mergeOf({ module, own }: Pick<LoadedSelector, 'module' | 'own'>): OwnMerge | undefined {
  if (!own.merge) return undefined;
  return (one, other) => {
    try {
      return own.merge?.(one, other) ?? {};
    } catch (thrown) {
      throw selectorError(module, 'failed in merge', thrown);
    }
  };
}

/**
 * Returns the content of a state as plain data. `place` is the place of its entries, and `others` are the states of variations.
 * Results within objects and lists have paths, such as "signal/mass".
 */
export function gatheredOf(
  { state, varied }: Begun,
  place: Place,
  others: ReadonlyMap<string, Begun> = new Map(),
): GatheredState {
  const gathered: GatheredState = {};
  const all = new Map([...others].map(([name, other]) => [name, membersOf(other.state)]));
  for (const [name, value] of membersOf(state)) {
    if (!(value instanceof Made)) {
      gathered[name] = { kind: 'own', value } as OwnResult;
      continue;
    }
    const taken = value.take(place);
    const names = varied.get(value);
    if (!names) {
      gathered[name] = taken;
      continue;
    }
    const of = new Map([[NOMINAL, taken]]);
    for (const variation of names) {
      const other = all.get(variation)?.get(name);
      if (other instanceof Made) of.set(variation, other.take(place));
    }
    gathered[name] = { kind: 'varied', of } as VariedResult;
  }
  return gathered;
}

/** Levels of objects in a state. */
const MAX_LEVELS = 16;

/** Returns the members of a state. Those of objects and lists that hold results have the path as their name. */
function membersOf(state: Record<string, unknown>): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (value: unknown, path: string, level: number): void => {
    if (level > 0 && (value instanceof Made || !holdsMade(value, level))) {
      if (found.has(path)) throw argumentError(`Two members of the state have the path "${path}".`);
      found.set(path, value);
      return;
    }
    for (const [name, one] of Object.entries(value as object))
      visit(one, level === 0 ? name : `${path}/${name}`, level + 1);
  };
  visit(state, '', 0);
  return found;
}

function holdsMade(value: unknown, level: number): boolean {
  if (value instanceof Made) return true;
  if (level > MAX_LEVELS || typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some((one) => holdsMade(one, level + 1));
}

function wrong(module: string, why: string, fix: string): XylemError {
  return argumentError(`The selector ${nameOf(module)} is none that can run: ${why}.`, fix, { path: module });
}

/** Returns the error of a selector whose code threw, with the line in that code and the calls that led there. */
export function selectorError(module: string, what: string, thrown: unknown, fix?: string): XylemError {
  const error = thrown instanceof XylemError ? thrown : undefined;
  // Node adds the file of xylem that imported the module.
  const text = error?.message ?? textOf(thrown).replace(/ imported from .*/, '');
  const calls = callsOf(module, thrown);
  const from = calls.length > 1 ? ` It was thrown in ${calls.join(', called by ')}.` : '';
  const fixes = [error?.fix, fix].filter((one) => one !== undefined);
  return new XylemError({
    code: error?.code ?? 'ARGUMENT',
    message: `The selector ${nameOf(module)}${lineOf(module, thrown)} ${what}: ${sentenceOf(text.slice(0, 500))}${from}`,
    where: { path: module },
    ...(fixes.length > 0 && { fix: fixes.join(' ') }),
    cause: thrown,
  });
}

/** Adds a full stop to a text, because messages of JavaScript have none. */
function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** Returns the name of a module without its folders. */
function nameOf(module: string): string {
  const name = module.slice(module.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function pathOf(module: string): string {
  try {
    return decodeURIComponent(new URL(module).pathname);
  } catch {
    return module;
  }
}

/** Returns the line and column in the module that threw, as ":12:8", or an empty text. */
function lineOf(module: string, thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  // Node names TypeScript files by their path.
  const name = [module, pathOf(module)].find((one) => stack.includes(`${one}:`));
  if (name === undefined) return '';
  return /^:\d+(:\d+)?/.exec(stack.slice(stack.indexOf(`${name}:`) + name.length))?.[0] ?? '';
}
