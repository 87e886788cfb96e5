import type { Gathered, GatheredState, ProcessResult } from '../../../api/selector';
import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { recordOf, type Wrong } from '../../../measure/json';
import type { Source } from './kinds/kind';
import { isKind, isOf, kindOf } from './kinds/kinds';
import { inOrder } from './kinds/varied';
import { NOMINAL } from './vary';

/** Merges members with the merge function of the selector. */
export type OwnMerge = (one: object, other: object) => object;

/** Throws ARGUMENT if two states differ in their members, so that they do not add up. */
export function checkForms(one: GatheredState, other: GatheredState, between = 'parts of the entries'): void {
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    if (formOf(one[name]) !== formOf(other[name])) {
      throw argumentError(
        `"${name}" of the selector's state differs between ${between}.`,
        'Make the same members each time that begin is called; process and entry fill them, and neither add nor replace any.',
      );
    }
}

/** Returns a text that is equal for results that can be added. */
function formOf(one: Gathered | undefined): string {
  return one ? JSON.stringify([one.kind, kindOf(one).form?.(one)]) : '';
}

/**
 * Throws UNSUPPORTED if the selector has its own merge, because results of several runs cannot be added then. `why`
 * and `fix` describe the request.
 */
export function checkAddsUp(
  state: GatheredState,
  why = 'results of several files do not add up later',
  fix = ', or process the files together, without samples, --partial, --resume and --jobs',
): void {
  const [name] = Object.keys(ownOf(state));
  if (name !== undefined)
    throw unsupported(
      `"${name}" is merged by the selector itself, so that ${why}.`,
      `Make it with the job of begin${fix}.`,
    );
}

/**
 * Adds what parts of the entries gathered. Changes and returns `sum`, or returns `more` if there is no sum yet. Throws
 * ARGUMENT if the two do not add up, and what the selector's merge throws; then it changes nothing.
 */
export function addState(
  sum: GatheredState | undefined,
  more: GatheredState,
  merge: OwnMerge | undefined,
): GatheredState {
  if (!sum) return more;
  checkForms(sum, more);
  const merged = mergedOwn(sum, more, merge);
  for (const [name, one] of Object.entries(more)) {
    const there = sum[name];
    if (there) kindOf(one).add(there, one);
  }
  return Object.assign(sum, merged);
}

/** Returns the members of a state that the selector itself merges. */
export function ownOf(state: GatheredState): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, one]) => (isOf('own', one) ? [[name, one.value]] : [])),
  );
}

function mergedOwn(sum: GatheredState, more: GatheredState, merge: OwnMerge | undefined): GatheredState {
  const names = Object.keys(ownOf(more));
  if (names.length === 0) return {};
  const merged: unknown = merge?.(ownOf(sum), ownOf(more));
  return Object.fromEntries(
    names.map((name) => {
      if (Object.hasOwn(Object(merged) as object, name))
        return [name, { kind: 'own', value: (merged as Record<string, unknown>)[name] }];
      throw argumentError(
        merge
          ? `The selector's merge returned no "${name}".`
          : `"${name}" is merged by the selector itself, and does not add up here.`,
        merge
          ? `Return all members that begin did not make with its job: ${names.join(', ')}.`
          : 'Make it with the job of begin.',
      );
    }),
  );
}

/**
 * Adds parts of one file, which come in any order. Members for the selector's own merge wait until all parts are
 * there.
 */
export class PartSum {
  #sum: GatheredState | undefined;
  /** Members that the selector itself merges, by the numbers of their parts. */
  readonly #own: GatheredState[] = [];
  passed = 0;
  #names: readonly string[] = [];

  constructor(readonly merge: OwnMerge | undefined) {}

  add({ state, passed }: { state: GatheredState; passed: number }, number: number): void {
    const own: GatheredState = {};
    const made: GatheredState = {};
    this.#names = Object.keys(state);
    for (const [name, one] of Object.entries(state)) (isOf('own', one) ? own : made)[name] = one;
    this.#sum = addState(this.#sum, made, undefined);
    if (Object.keys(own).length > 0) this.#own[number] = own;
    this.passed += passed;
  }

  /** Returns the sum, its members in the order of `begin`. Undefined without parts. */
  result(): GatheredState | undefined {
    // Parts that could not be read have no item in the list.
    const own = this.#own.reduce<GatheredState | undefined>(
      (sum, one) => addState(sum, one, this.merge),
      undefined,
    );
    const all = this.#sum && { ...this.#sum, ...own };
    return all && Object.fromEntries(this.#names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  }
}

/** Returns a copy of a state in which each weight is `scale` times as large; rows stay. */
export function scaledState(state: GatheredState, scale: number): GatheredState {
  return mapped(state, (one) => kindOf(one).scaled(one, scale));
}

/** Returns a state as JSON of a partial result. */
export function stateJson(state: GatheredState): Record<string, unknown> {
  return mapped(state, (one) => ({ kind: one.kind, ...kindOf(one).json(one) }));
}

/** Reads a state that may hold anything: see ResultKind.from. */
export function stateFrom(value: unknown, wrong: Wrong, source?: Source): GatheredState {
  const given = recordOf(value) ?? wrong('its state is missing');
  return mapped(given, (one, name) => {
    const { kind, ...json } = recordOf(one) ?? wrong(`"${name}" is missing`);
    if (!isKind(kind)) return wrong('a part of its state is of no known kind');
    return kindOf({ kind: kind as string }).from(json, wrong, source);
  });
}

/** Returns the name that a variation of a result is shown by. */
export function variedName(name: string, variation: string): string {
  return variation === NOMINAL ? name : `${name}_${variation}`;
}

/** Returns a state in which each variation of a result is a result of its own: "mass" and "mass_jesUp". */
export function shownState(state: GatheredState): GatheredState {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, one]): [string, Gathered][] =>
      isOf('varied', one)
        ? inOrder(one.of).map(([variation, part]) => [variedName(name, variation), part])
        : [[name, one]],
    ),
  );
}

/** Returns the results of a state as programs get them: histograms, numbers, numbers by label, columns of tables. */
export function processedOf({
  state,
  entries,
}: Pick<ProcessResult, 'state' | 'entries'>): Record<string, unknown> {
  return mapped(shownState(state), (one, name) => kindOf(one).value(one, name, entries));
}

function mapped<From, To>(
  all: Readonly<Record<string, From>>,
  to: (one: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one, name)]));
}
