import type { BranchInfo, CallOptions, EntryRange, EntrySelection, Histogram, RulesOfRoot } from '../api/api';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import { ChainTree, type EntryTree, type Member, membersOf } from '../model/chain';
import type { DataModel } from '../model/data-model';
import { chooseEntries, countOf, type EntryChoice, entryNumbers } from '../model/entry-choice';
import { Failures } from '../pass/failures';
import type { MemberFriend } from '../pass/friend-column';
import { throttle } from '../pass/throttle';
import type { DecodeProgress, TaskRunner } from '../pass/types';
import { catalogOf } from '../query/compile/catalog';
import type { EntryPlace } from '../query/compile/compile';
import { type Scope, Scopes } from '../query/compile/scopes';
import { UnknownObjects } from '../query/compile/shapes';
import { type FriendIndex, indexOf, partnersOf } from '../query/friends/friend-index';
import { type FriendHost, Friends } from '../query/friends/friends';
import type { Source } from '../query/language/source';

/** The common input of all kinds of queries. */
export interface Query {
  tree: EntryTree;
  runner: TaskRunner;
  /** The branch to draw, if the request names one instead of an expression. */
  branch?: BranchInfo | undefined;
  entries: EntrySelection | undefined;
  cut: Source | undefined;
  friends: FriendHost;
  rootVersion: RulesOfRoot;
  /** Start of the random numbers. */
  seed: number;
  options: CallOptions;
}

/** Returns the rules of a ROOT version that a request names. Throws ARGUMENT for an unknown version. */
export function rulesOf(version: RulesOfRoot | undefined): RulesOfRoot {
  if (version === undefined || version === '6.40' || version === '6.42') return version ?? '6.42';
  throw new XylemError({
    code: 'ARGUMENT',
    message: `xylem does not have the rules of ROOT ${version} here.`,
    fix: 'Take "6.40" or "6.42".',
  });
}

/** Returns the seed that a request names, or 1. Throws ARGUMENT for what is not a whole number of at least 0. */
export function seedOf(seed = 1): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `The seed ${seed} is not a whole number of at least 0.`,
    fix: 'Give a whole number, such as 1.',
  });
}

/** One tree of a query: the only one, or that of one file of a chain. */
export interface QueryMember {
  model: DataModel;
  /** Returns the branch of this tree that corresponds to a branch of the whole chain. Throws NOT_FOUND. */
  branch: Member['branch'];
  scopes: Scopes;
  friends: readonly MemberFriend[];
  place: EntryPlace;
  /** Chosen entries, counted from the first entry of this tree. */
  entries: EntrySelection | undefined;
  /** Identifies the member. It is the same number each time the same query runs. */
  number: number;
}

/** Returns the number of entries that a selection chooses in a tree or a chain. */
export function countChosen(tree: EntryTree, entries: EntrySelection | undefined): number {
  const choice = chooseEntries(entries, tree.info.entries);
  return countOf(choice.spans(choice.from, choice.to));
}

/** Collects the progress, the failures and the reports of a query. */
export class QueryState {
  readonly note = new Failures();
  readonly #report: ReturnType<typeof throttle>;
  readonly #entries: number;
  /** Progress of the earlier members. */
  #before: DecodeProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  #last = this.#before;
  /** Number of entries that were evaluated. */
  rows = 0;

  constructor(
    readonly tree: EntryTree,
    entries: EntrySelection | undefined,
    options: CallOptions,
    readonly label: string,
  ) {
    this.#entries = countChosen(tree, entries);
    this.#report = throttle(options.onProgress);
    const { partial } = tree.info;
    if (!partial) return;
    this.note.expect(partial.failed);
    this.note.add(partial.errors.map((error) => ({ error })));
  }

  /** Starts a job. The caller passes its number of units before the job runs. */
  begin(units: number): void {
    this.note.expect(Math.max(1, units));
    this.#before = {
      ...this.#before,
      bytesDone: this.#before.bytesDone + this.#last.bytesDone,
      entriesDone: this.#before.entriesDone + this.#last.entriesDone,
    };
    this.#last = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  }

  readonly onFailures = (errors: ErrorRecord[]): void => {
    this.note.add(errors.map((error) => ({ error })));
  };

  report(progress: DecodeProgress, partial?: () => Histogram): void {
    this.#last = { ...progress };
    this.#report(() => ({
      label: this.label,
      bytesDone: this.#before.bytesDone + progress.bytesDone,
      bytesTotal: this.#before.bytesDone + progress.bytesTotal,
      entriesDone: this.#before.entriesDone + progress.entriesDone,
      entriesTotal: this.#entries,
      ...(partial && { partial: partial() }),
    }));
  }
}

/** If the entries of a friend are looked up, this number of the tree's entries is processed at a time. */
const LOOKED_UP = 2 ** 20;

/**
 * Calls `run` for the tree, or for each tree of a chain that holds chosen entries, in order, until it
 * returns false. An error in the first file is thrown, because the expression is wrong. An error in a
 * later file is recorded and the file is skipped, because the file is unusual.
 */
export async function forEachMember(
  query: Query,
  expressions: readonly Source[],
  note: Failures,
  // biome-ignore lint/suspicious/noConfusingVoidType: most loops never end early and return nothing.
  run: (member: QueryMember) => Promise<boolean | void>,
): Promise<void> {
  const { tree, entries, options, cut, rootVersion, seed } = query;
  // The path of a branch may not be a valid expression.
  const written = query.branch ? [] : expressions;
  const sources = cut ? [...written, cut] : written;
  // The branch exists in the chain, so a file without it is not a mistake in the request.
  let some = query.branch !== undefined && tree instanceof ChainTree;
  let number = 0;
  const total = tree.info.entries;
  for await (const member of membersOf(tree, entries, options)) {
    if ('error' in member) {
      note.expect(1);
      note.add([member]);
      continue;
    }
    const { tree: model, first } = member;
    const place = { first, entries: total, rootVersion, seed };
    try {
      const { branch } = member;
      const here = { model, branch, place, entries: member.entries };
      const goOn = await untilKnown(query, async () => {
        for await (const one of withFriends(query, here, sources)) {
          const more = await run({ ...one, number: number++ });
          if (more === false) return false;
        }
        return true;
      });
      if (!goOn) return;
      some = true;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!some || error.code === 'ABORTED') throw error;
      note.expect(1);
      note.add([{ error: error.at({ url: model.reader.source.name }).toRecord() }]);
    }
  }
  // Without chosen entries nothing was compiled, so mistakes in the query were not found.
  if (some || !(tree instanceof ChainTree) || total === 0) return;
  for await (const member of membersOf(tree, [0, 1], options)) {
    if ('error' in member) continue;
    const { tree: model, branch, first } = member;
    const empty = {
      model,
      branch,
      place: { first, entries: total, rootVersion, seed },
      entries: [0, 0] as EntrySelection,
    };
    await untilKnown(query, async () => {
      for await (const one of withFriends(query, empty, sources)) await run({ ...one, number });
    });
    return;
  }
}

/**
 * Compiles and runs. Repeats after reading the classes of objects that the expressions name, if they were
 * unknown.
 */
async function untilKnown<T>({ runner, options }: Query, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (thrown) {
      if (!(thrown instanceof UnknownObjects)) throw thrown;
      await thrown.shapes.sample(thrown.branch, thrown.place, runner, options);
    }
  }
}

/** Yields a tree with the friends it needs; in several parts if the friends' entries are looked up. */
async function* withFriends(
  { friends: host, runner, options }: Query,
  member: Pick<QueryMember, 'model' | 'branch' | 'place' | 'entries'>,
  sources: readonly Source[],
): AsyncGenerator<Omit<QueryMember, 'number'>, void, undefined> {
  const { model, place, entries } = member;
  const friends = await Friends.open(host, model, place, sources, options);
  try {
    const choice = chooseEntries(entries, model.info.entries);
    const ways: { shift: number; index: FriendIndex | undefined; mapped: boolean }[] = [];
    for (const friend of friends.opened) {
      const index = await indexOf(friend, runner, options);
      const shift = friend.offer.whole ? place.first : 0;
      ways.push({ shift, index, mapped: index !== undefined || shift + choice.to > friend.entries });
    }
    const scopes = friends.opened.map(({ offer, parts }, friend): Scope => {
      const first = parts[0]?.tree ?? model;
      const mapped = ways[friend]?.mapped ?? false;
      return { name: offer.name, model: first, catalog: catalogOf(first), friend, mapped };
    });
    const whole = { ...member, scopes: new Scopes(model, scopes) };
    if (!ways.some(({ mapped }) => mapped)) {
      const given = friends.opened.map(({ parts }, i) => ({
        parts,
        shift: ways[i]?.shift ?? 0,
        rows: undefined,
      }));
      yield { ...whole, friends: given };
      return;
    }
    for (const part of partsOf(choice)) {
      const numbers = entryNumbers(chooseEntries(part, model.info.entries));
      const looked: MemberFriend[] = [];
      for (const [i, { parts, entries: count }] of friends.opened.entries()) {
        const { shift, index, mapped } = ways[i] ?? { shift: 0, index: undefined, mapped: false };
        const found = index && (await partnersOf(model, part, numbers, index, runner, options));
        const rows = found ?? numbers.map((entry) => (entry + shift < count ? entry + shift : -1));
        looked.push({ parts, shift, rows: mapped ? rows : undefined });
      }
      yield { ...whole, entries: part, friends: looked };
    }
  } finally {
    await friends.release();
  }
}

/** Divides chosen entries into parts of at most LOOKED_UP entries. Yields at least one part. */
function* partsOf(choice: EntryChoice): Generator<EntryRange[], void, undefined> {
  let part: EntryRange[] = [];
  let left = LOOKED_UP;
  const spans = choice.spans(choice.from, choice.to);
  for (let i = 0; i < spans.length; i += 2) {
    let [from = 0, to = 0] = spans.subarray(i, i + 2);
    for (; from < to; ) {
      const end = Math.min(to, from + left);
      part.push([from, end]);
      left -= end - from;
      from = end;
      if (left > 0) continue;
      yield part;
      part = [];
      left = LOOKED_UP;
    }
  }
  if (part.length > 0 || spans.length === 0) yield part;
}
