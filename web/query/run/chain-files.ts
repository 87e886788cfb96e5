import { type ErrorRecord, toXylemError } from '../base/errors';
import type { CallOptions, EntryRange, EntrySelection, FilledHistogram } from '../file/api';
import { ChainTree, type EntryTree, membersOf } from '../file/chain';
import type { DataModel } from '../file/data-model';
import { chooseEntries, countOf, type EntryChoice, entryNumbers } from '../file/entry-choice';
import { Failures } from '../file/failures';
import type { ScanProgress, TaskRunner } from '../file/scan';
import { throttle } from '../file/throttle';
import type { QueryJob } from './build-task';
import { catalogOf } from './catalog';
import type { EntryPlace, Source } from './compile';
import type { MemberFriend } from './friend-column';
import { type FriendIndex, indexOf, partnersOf } from './friend-index';
import { type FriendHost, Friends } from './friends';
import { type Scope, Scopes } from './scopes';

/** What all ways of asking begin with. */
export interface Query {
  tree: EntryTree;
  runner: TaskRunner;
  entries: EntrySelection | undefined;
  cut: Source | undefined;
  friends: FriendHost;
  options: CallOptions;
}

/** A tree whose entries are looked at: the only one, or that of one file of a chain. */
export interface QueryMember {
  model: DataModel;
  scopes: Scopes;
  friends: readonly MemberFriend[];
  place: EntryPlace;
  /** Counted from the tree's own first. */
  entries: EntrySelection | undefined;
  /** Tells it from others; the same each time that the same is asked. */
  number: number;
}

/** The entries that a selection chooses of a tree or a chain. */
export function countChosen(tree: EntryTree, entries: EntrySelection | undefined): number {
  const choice = chooseEntries(entries, tree.info.entries);
  return countOf(choice.spans(choice.from, choice.to));
}

/** What has been read so far, what could not be, and its reports. */
export class QueryState {
  readonly note = new Failures();
  readonly #report: ReturnType<typeof throttle>;
  readonly #entries: number;
  /** Of the members before. */
  #before: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  #last = this.#before;
  /** Entries that were looked at. */
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

  /** To be told of each job before it runs. */
  begin(job: QueryJob): void {
    const sum = (a: number, b: number): number => a + b;
    this.note.expect(
      Math.max(
        1,
        job.tasks.map((task) => task.columns.map((column) => column.length).reduce(sum, 0)).reduce(sum, 0),
      ),
    );
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

  report(progress: ScanProgress, filled?: () => FilledHistogram): void {
    this.#last = { ...progress };
    this.#report(() => ({
      label: this.label,
      bytesDone: this.#before.bytesDone + progress.bytesDone,
      bytesTotal: this.#before.bytesDone + progress.bytesTotal,
      entriesDone: this.#before.entriesDone + progress.entriesDone,
      entriesTotal: this.#entries,
      ...(filled && { filled: filled() }),
    }));
  }
}

/** Where the entries of a friend are looked up, so many of the tree are worked on at a time. */
const LOOKED_UP = 2 ** 20;

/**
 * Runs something for the tree, or for each of a chain that holds chosen entries, in order, until it
 * returns false. What fails in a file after one that did not is noted, and the file left out: an
 * expression that the first one cannot be asked is wrong, one that another cannot be is not.
 */
export async function forEachMember(
  query: Query,
  expressions: readonly Source[],
  note: Failures,
  // biome-ignore lint/suspicious/noConfusingVoidType: most loops never end early and return nothing.
  run: (member: QueryMember) => Promise<boolean | void>,
): Promise<void> {
  const { tree, entries, options, cut } = query;
  const sources = cut ? [...expressions, cut] : expressions;
  let some = false;
  let number = 0;
  const total = tree.info.entries;
  for await (const member of membersOf(tree, entries, options)) {
    if ('error' in member) {
      note.expect(1);
      note.add([member]);
      continue;
    }
    const { tree: model, first } = member;
    const place = { first, entries: total };
    try {
      for await (const one of withFriends(query, { model, place, entries: member.entries }, sources)) {
        const goOn = await run({ ...one, number: number++ });
        if (goOn === false) return;
      }
      some = true;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!some || error.code === 'ABORTED') throw error;
      note.expect(1);
      note.add([{ error: error.at({ url: model.reader.source.name }).toRecord() }]);
    }
  }
  // Without entries nothing was compiled, and nothing was found to be wrong.
  if (some || !(tree instanceof ChainTree) || total === 0) return;
  for await (const member of membersOf(tree, [0, 1], options)) {
    if ('error' in member) continue;
    const { tree: model, first } = member;
    const empty = { model, place: { first, entries: total }, entries: [0, 0] as EntrySelection };
    for await (const one of withFriends(query, empty, sources)) await run({ ...one, number });
    return;
  }
}

/** A tree with the friends that are needed; in parts, where their entries are looked up. */
async function* withFriends(
  { friends: host, runner, options }: Query,
  member: Pick<QueryMember, 'model' | 'place' | 'entries'>,
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

/** Chosen entries in parts of no more than so many; at least one part. */
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
