import type { CallOptions, EntrySelection, Histogram, RulesOfRoot } from '../api/api';
import type { PackedSource } from '../api/engine-api';
import { unsupported } from '../base/data-errors';
import { argumentError, type ErrorRecord, toXylemError, type XylemError } from '../base/errors';
import { ROOT_VERSION } from '../base/options';
import { ChainTree, type EntryTree, type Member, membersOf } from '../model/chain';
import type { DataModel } from '../model/data-model';
import { chooseEntries, countOf } from '../model/entry-choice';
import { Failures } from '../pass/failures';
import type { MemberFriend } from '../pass/friend-column';
import { throttle } from '../pass/throttle';
import type { PassProgress, TaskRunner } from '../pass/types';
import type { EntryPlace } from '../query/compile/compile';
import type { Scopes } from '../query/compile/scopes';
import type { FriendHost } from '../query/friends/friends';
import type { Source } from '../query/language/source';

/** Input that all kinds of queries have. */
export interface Query {
  tree: EntryTree;
  runner: TaskRunner;
  entries: EntrySelection | undefined;
  friends: FriendHost;
  rootVersion: RulesOfRoot;
  /** Seed of the random numbers. */
  seed: number;
  options: CallOptions;
}

/** Returns the ROOT version of a request, or the default. Throws ARGUMENT for an unknown version. */
export function rulesOf(version: RulesOfRoot | undefined): RulesOfRoot {
  if (version === undefined || ROOT_VERSION.is(version)) return version ?? '6.42';
  throw argumentError(`xylem does not have the rules of ROOT ${version} here.`, 'Take "6.40" or "6.42".');
}

/** Returns the seed of a request, or 1. Throws ARGUMENT if it is not an integer of at least 0. */
export function seedOf(seed = 1): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw argumentError(
    `The seed ${seed} is not a whole number of at least 0.`,
    'Give a whole number, such as 1.',
  );
}

/** One tree of a query: the only one, or that of one file of a chain. */
export interface QueryMember {
  model: DataModel;
  /** Returns the branch of this tree that corresponds to a branch of the whole chain. Throws NOT_FOUND. */
  branch: Member['branch'];
  /** The names of expressions; undefined until one is compiled. */
  scopes: Scopes | undefined;
  friends: readonly MemberFriend[];
  place: EntryPlace;
  /** Chosen entries, counted from the first entry of this tree. */
  entries: EntrySelection | undefined;
  /** Number of chosen entries. */
  chosen: number;
  /** Identifies the member. It is the same number each time the same query runs. */
  number: number;
  /** Whether it is known that no other member follows. */
  last: boolean;
  /** See Member. Undefined if it has friends, which are closed before the next member. */
  hold: Member['hold'];
}

/** A member whose friends have not been opened. */
export type BareMember = Pick<QueryMember, 'model' | 'branch' | 'place' | 'entries' | 'last' | 'hold'>;

/** Returns the number of entries that a selection chooses in a tree or a chain. */
export function countChosen(tree: EntryTree, entries: EntrySelection | undefined): number {
  const choice = chooseEntries(entries, tree.info.entries);
  return countOf(choice.spans(choice.from, choice.to));
}

/** Returns the failures of a chain's files that could not be opened. */
export function chainNote({ info: { partial } }: EntryTree): Failures {
  const note = new Failures();
  if (partial) {
    note.expect(partial.failed);
    note.addErrors(partial.errors);
  }
  return note;
}

/** A query that takes less time, in ms, reports no histogram so far: to make it may take as long as the query. */
const PARTIAL_AFTER_MS = 100;

/** Reports the progress of a query over all its trees. */
export class QueryProgress {
  readonly #started = performance.now();
  readonly #report: ReturnType<typeof throttle>;
  readonly #entries: number;
  /** Progress of the earlier runs. */
  #bytes = 0;
  #rows = 0;
  #last: PassProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };

  constructor({ tree, entries, options }: Pick<Query, 'tree' | 'entries' | 'options'>) {
    this.#entries = countChosen(tree, entries);
    this.#report = throttle(options.onProgress);
  }

  /** Starts a run over a tree. `again`: over the same entries as the previous run. */
  begin(again = false): void {
    this.#bytes += this.#last.bytesDone;
    if (!again) this.#rows += this.#last.entriesDone;
    this.#last = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  }

  report(progress: PassProgress, label: string, partial?: () => Histogram | undefined): void {
    this.#last = { ...progress };
    this.#report(() => {
      const drawn = performance.now() - this.#started < PARTIAL_AFTER_MS ? undefined : partial?.();
      return {
        label,
        bytesDone: this.#bytes + progress.bytesDone,
        bytesTotal: this.#bytes + progress.bytesTotal,
        entriesDone: this.#rows + progress.entriesDone,
        entriesTotal: this.#entries,
        ...(drawn && { partial: drawn }),
      };
    });
  }
}

/**
 * Calls `run` for the tree, or for each tree of a chain with chosen entries, in order, until it returns false.
 * `sources` are all expressions, from which the required friends are found. An error in the first file is thrown,
 * because then the expression is wrong. An error in a later file is recorded and the file is skipped, because then the
 * file is unusual.
 */
export async function forEachMember(
  query: Query,
  sources: readonly Source[],
  notes: readonly Failures[],
  // biome-ignore lint/suspicious/noConfusingVoidType: most loops never end early and return nothing.
  run: (member: QueryMember) => Promise<boolean | void>,
): Promise<void> {
  const { tree, entries, options, rootVersion, seed } = query;
  // The path of a branch may not be a valid expression.
  const written = sources.filter(({ branch }) => branch === undefined);
  let some = namesBranch(tree, sources);
  let number = 0;
  const total = tree.info.entries;
  const fail = (error: ErrorRecord): void => {
    for (const note of notes) {
      note.expect(1);
      note.addErrors([error]);
    }
  };
  for await (const member of membersOf(tree, entries, options)) {
    if ('error' in member) {
      fail(member.error);
      continue;
    }
    const { tree: model, first, branch, last, hold } = member;
    const place = { first, entries: total, rootVersion, seed };
    try {
      const here = { model, branch, place, entries: member.entries, last, hold };
      for await (const one of withNames(query, here, written))
        if ((await run({ ...one, number: number++ })) === false) return;
      some = true;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!some || error.code === 'ABORTED') throw error;
      fail(error.at({ url: model.reader.source.name }).toRecord());
    }
  }
  // Without chosen entries nothing was compiled, so errors in the query have not been found.
  if (some || !(tree instanceof ChainTree) || total === 0) return;
  for await (const member of membersOf(tree, [0, 1], options)) {
    if ('error' in member) continue;
    const { tree: model, branch, first } = member;
    const place = { first, entries: total, rootVersion, seed };
    const empty = { model, branch, place, entries: [0, 0] as EntrySelection, last: true, hold: undefined };
    for await (const one of withNames(query, empty, written)) await run({ ...one, number });
    return;
  }
}

/** Returns the path of a tree of the query. A chain may have trees with different names. */
export function pathIn(tree: EntryTree, { info }: DataModel, asked: string): string {
  return tree instanceof ChainTree ? info.path : asked;
}

/**
 * Whether the sources name branches of a chain. If a file does not have such a branch, the file is unusual and the
 * request is not wrong.
 */
export function namesBranch(tree: EntryTree, sources: readonly Source[]): boolean {
  return tree instanceof ChainTree && sources.some(({ branch }) => branch !== undefined);
}

/** Returns the cut as an expression; undefined for an empty cut, which selects everything. */
export function cutSource(
  cut: string | undefined,
  names?: Readonly<Record<string, string>>,
): Source | undefined {
  return cut === undefined || cut.trim() === '' ? undefined : { text: cut, ...(names && { names }) };
}

/** Returns expressions by their names, without those that a tree lacks. */
export function namesOf(
  names: readonly string[],
  texts: readonly (string | undefined)[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name, i) => {
      const text = texts[i];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Returns an input of a selector as a source. Lengths of collections are numbers in both formats. */
export function selectorSource(input: PackedSource): Source {
  if (typeof input === 'string') return { text: input, plainLengths: true };
  const { text, otherwise, branch } = input;
  return {
    ...{ text, plainLengths: true },
    ...(otherwise !== undefined && { otherwise }),
    ...(branch !== undefined && { branch }),
  };
}

/** Returns the error for results that cannot be added over files. */
export function placeError(): XylemError {
  return unsupported(
    'Entry$, Entries$ and random numbers depend on the files before, so that such results do not add up.',
    'LocalEntry$ counts the entries of each file.',
  );
}

/** Yields a tree with the friends that expressions need. The language is loaded only if there are expressions. */
async function* withNames(
  query: Query,
  member: BareMember,
  sources: readonly Source[],
): AsyncGenerator<Omit<QueryMember, 'number'>, void, undefined> {
  if (sources.length > 0) {
    const { withFriends } = await import('./language');
    yield* withFriends(query, member, sources);
    return;
  }
  const choice = chooseEntries(member.entries, member.model.info.entries);
  const chosen = countOf(choice.spans(choice.from, choice.to));
  yield { ...member, chosen, scopes: undefined, friends: [] };
}
