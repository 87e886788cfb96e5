import type { CallOptions, EntrySelection } from '../../api/api';
import type { OutputValues, Rows } from '../../api/rows';
import { overBudget, unsupported } from '../../base/data-errors';
import { argumentError, toXylemError, XylemError } from '../../base/errors';
import type { TapeValue } from '../../core/tape';
import type { DataModel } from '../../model/data-model';
import { PassColumns } from '../../pass/entry-pass';
import { rowsGoal } from '../../pass/goals/rows';
import type { TaskRunner } from '../../pass/types';
import { compile } from '../compile/compile';
import { Scopes } from '../compile/scopes';
import { knownObjects } from '../compile/shapes';
import type { Source } from '../language/source';
import type { OpenFriend } from './friends';

/** Whole numbers; doubles if all of them fit into doubles. */
type Numbers = Float64Array | BigInt64Array;

/** The entries of a friend, ascending by major and minor number, as in TTreeIndex. */
export interface FriendIndex {
  names: readonly [major: string, minor: string];
  major: Numbers;
  minor: Numbers;
  entries: Float64Array;
}

/** Values of the tree's own expressions that are used to look up the entries of a friend. */
interface Pairs {
  /** Entries that were read; the other lists have the numbers of each. */
  entries: Float64Array;
  major: Float64Array | BigInt64Array | BigUint64Array;
  minor: Float64Array | BigInt64Array | BigUint64Array;
}

/** Maximum number of entries in a stored index. The number in a damaged file may be anything. */
const MAX_ENTRIES = 2 ** 28;

/** Returns the index of a friend: built from the requested expressions, or the one stored with the tree. */
export async function indexOf(
  friend: OpenFriend,
  runner: TaskRunner,
  options: CallOptions,
): Promise<FriendIndex | undefined> {
  const { index: given } = friend.offer;
  if (given) return buildIndex(friend, [given[0], given[1] ?? '0'], runner, options);
  const [only, more] = friend.parts;
  return only && !more && only.first === 0 ? storedIndex(only.tree, options) : undefined;
}

/** Builds an index as TTree::BuildIndex does. */
async function buildIndex(
  friend: OpenFriend,
  names: [string, string],
  runner: TaskRunner,
  options: CallOptions,
): Promise<FriendIndex> {
  if (friend.entries > MAX_ENTRIES) {
    throw overBudget(
      `The friend "${friend.offer.name}" has ${friend.entries} entries: too many for an index.`,
    );
  }
  const found: { major: number | bigint; minor: number | bigint; entry: number }[] = [];
  for (const { tree, first } of friend.parts) {
    const pairs = await readPairs(tree, names, undefined, runner, options);
    pairs.entries.forEach((entry, i) => {
      const [major, minor] = [whole(pairs.major[i]), whole(pairs.minor[i])];
      if (major !== undefined && minor !== undefined) found.push({ major, minor, entry: first + entry });
    });
  }
  found.sort((a, b) => compare(a.major, b.major) || compare(a.minor, b.minor) || a.entry - b.entry);
  return {
    names,
    major: numbersOf(found.map(({ major }) => major)),
    minor: numbersOf(found.map(({ minor }) => minor)),
    entries: Float64Array.from(found, ({ entry }) => entry),
  };
}

/** Reads the TTreeIndex of the tree; undefined if it has none. */
async function storedIndex(tree: DataModel, options: CallOptions): Promise<FriendIndex | undefined> {
  if (!tree.home || tree.key === undefined) return undefined;
  const index = memberOf(await tree.home.object(tree.key, options), 'fTreeIndex');
  if (index === null || index === undefined) return undefined;
  const names = ['fMajorName', 'fMinorName'].map((name) => memberOf(index, name));
  const [major, old, entries] = ['fIndexValues', 'fIndexValuesMinor', 'fIndex'].map((name) => {
    const values = memberOf(index, name);
    return values instanceof BigInt64Array ? values : undefined;
  });
  const [majorName, minorName] = names;
  if (typeof majorName !== 'string' || typeof minorName !== 'string' || !major || !entries) {
    throw unsupported(
      `The index of "${tree.info.path}" is of a form that is not known.`,
      'Give the index as two expressions.',
      { path: tree.info.path },
    );
  }
  // The first version stored both numbers in one.
  const high = old ? major : major.map((value) => value >> 31n);
  const low = old ?? major.map((value) => value & 0x7fffffffn);
  return {
    names: [majorName, minorName],
    major: numbersOf(high),
    minor: numbersOf(low),
    entries: Float64Array.from(entries, Number),
  };
}

function memberOf(value: TapeValue, name: string): TapeValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    return undefined;
  }
  return (value as { [member: string]: TapeValue })[name];
}

/**
 * Returns the friend's entry for each chosen entry of a tree, -1 for none. As in TTreeIndex, entries with
 * the same number match if the tree does not have the branches that the index uses.
 */
export async function partnersOf(
  tree: DataModel,
  entries: EntrySelection,
  numbers: Float64Array,
  index: FriendIndex,
  runner: TaskRunner,
  options: CallOptions,
): Promise<Float64Array | undefined> {
  let pairs: Pairs;
  try {
    pairs = await readPairs(tree, index.names, entries, runner, options);
  } catch (thrown) {
    if (toXylemError(thrown).code === 'NOT_FOUND') return undefined;
    throw thrown;
  }
  const partners = new Float64Array(numbers.length).fill(-1);
  let at = 0;
  for (let i = 0, k = 0; i < numbers.length; i++) {
    // An entry that could not be read has no partner.
    if (numbers[i] !== pairs.entries[k]) continue;
    const [major, minor] = [whole(pairs.major[k]), whole(pairs.minor[k])];
    k += 1;
    if (major === undefined || minor === undefined) continue;
    at = find(index, major, minor, at);
    if (is(index, at, major, minor)) partners[i] = index.entries[at] ?? -1;
  }
  return partners;
}

function is({ major, minor }: FriendIndex, at: number, a: number | bigint, b: number | bigint): boolean {
  // JavaScript compares numbers and bigints by their values.
  return at < major.length && compare(major[at] ?? 0, a) === 0 && compare(minor[at] ?? 0, b) === 0;
}

/**
 * Returns the first position whose numbers are not smaller. Most entries come in the order of the index,
 * so the search starts at `hint`. The loop is not `firstIndex`, because it runs for each entry and `less` can
 * be inlined here.
 */
function find(index: FriendIndex, major: number | bigint, minor: number | bigint, hint: number): number {
  const less = (at: number): boolean =>
    (compare(index.major[at] ?? 0, major) || compare(index.minor[at] ?? 0, minor)) < 0;
  let low = 0;
  let high = index.major.length;
  for (const at of [hint, hint + 1]) {
    if (at < high && !less(at) && (at === 0 || less(at - 1))) return at;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (less(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Converts a value to a whole number as ROOT does; undefined if that is not possible. */
function whole(value: number | bigint | undefined): number | bigint | undefined {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value);
  return value !== undefined && Number.isFinite(value) ? Math.trunc(value) : undefined;
}

function numbersOf(values: ArrayLike<number | bigint>): Numbers {
  const doubles = Float64Array.from(values, Number);
  if (doubles.every((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return doubles;
  return BigInt64Array.from(Array.from(values, BigInt));
}

/** Reads the numbers of two expressions for each entry. */
async function readPairs(
  tree: DataModel,
  names: readonly [string, string],
  entries: EntrySelection | undefined,
  runner: TaskRunner,
  options: CallOptions,
): Promise<Pairs> {
  const sources = names.map((text): Source => ({ text }));
  const scopes = new Scopes(tree);
  const compiled = await knownObjects({ runner, options }, () =>
    compile(scopes, sources, undefined, 'table'),
  );
  for (const [i, { dims, kind }] of compiled.outputs.entries()) {
    if (dims === 0 && kind !== 'string') continue;
    throw notOneNumber(names[i] ?? '');
  }
  const programs = new PassColumns();
  const program = programs.use(compiled);
  const pass = await programs.plan(tree, [], runner, entries, options.signal);
  const results: Rows[] = [];
  let failure: XylemError | undefined;
  const kinds = compiled.outputs.map(({ kind }) => kind);
  const goal = rowsGoal(program, kinds, (rows, { number }) => {
    results[number] = rows;
  });
  await pass.run([goal], {
    signal: options.signal,
    onFailures: ([first]) => {
      if (first) failure ??= new XylemError({ ...first.error, cause: undefined });
    },
  });
  if (failure) throw failure;
  const parts = results.filter((result) => result !== undefined);
  const numbers = joined(parts.map((part) => part.entries)) as Float64Array;
  const [major, minor] = names.map((name, i) => {
    const values = joined(parts.map(({ outputs }) => valuesOf(outputs[i], kinds[i])));
    if (values.length !== numbers.length) throw notOneNumber(name);
    return values;
  });
  return { entries: numbers, major: major ?? new Float64Array(0), minor: minor ?? new Float64Array(0) };
}

function notOneNumber(text: string): XylemError {
  return argumentError(`"${text}" has not one number in each entry: an index cannot be made of it.`);
}

function valuesOf(output: OutputValues | undefined, kind: string | undefined): Pairs['major'] {
  return output?.values ?? (kind === 'number' ? new Float64Array(0) : new BigInt64Array(0));
}

function joined(parts: Pairs['major'][]): Pairs['major'] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const [first] = parts;
  const all: { set(values: unknown, at: number): void } & Pairs['major'] =
    first instanceof BigUint64Array
      ? new BigUint64Array(length)
      : first instanceof BigInt64Array
        ? new BigInt64Array(length)
        : new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
