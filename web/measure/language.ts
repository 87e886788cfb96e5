import type { EntryRange } from '../api/api';
import { chooseEntries, countOf, type EntryChoice, entryNumbers } from '../model/entry-choice';
import type { SharedColumns } from '../pass/entry-pass';
import type { MemberFriend } from '../pass/friend-column';
import { catalogOf } from '../query/compile/catalog';
import { type Compiled, type CompileMode, compile, isString } from '../query/compile/compile';
import { type Scope, Scopes } from '../query/compile/scopes';
import { knownObjects } from '../query/compile/shapes';
import { type FriendIndex, indexOf, partnersOf } from '../query/friends/friend-index';
import { Friends } from '../query/friends/friends';
import type { Source } from '../query/language/source';
import type { BareMember, Query, QueryMember } from './members';

export { namedBranch } from '../query/compile/named-branch';
export { pairedListsNote } from '../query/compile/paired-lists';

// The part of the expression language that measures use. It is loaded when an expression is compiled; drawing a
// branch does not need it.

/** Entries are processed in groups of this size if the entries of a friend are looked up. */
const LOOKED_UP = 2 ** 20;

/** Yields a tree with the friends it needs; in several parts if the friends' entries are looked up. */
export async function* withFriends(
  { friends: host, runner, options }: Query,
  member: BareMember,
  sources: readonly Source[],
): AsyncGenerator<Omit<QueryMember, 'number'>, void, undefined> {
  const { model, place, entries } = member;
  const friends = await Friends.open(host, { model, place, runner, options }, sources);
  try {
    const choice = chooseEntries(entries, model.info.entries);
    const ways: { shift: number; index: FriendIndex | undefined; mapped: boolean }[] = [];
    for (const friend of friends.opened) {
      const index = await indexOf(friend, runner, options);
      const shift = friend.offer.whole ? place.first : 0;
      ways.push({ shift, index, mapped: index !== undefined || shift + choice.to > friend.entries });
    }
    const scopes = friends.opened.map(({ offer, parts, entries }, friend): Scope => {
      const first = parts[0]?.tree ?? model;
      const { mapped = false, index } = ways[friend] ?? {};
      const lacking = `the friend "${offer.name}" has ${index ? 'no partner for some entries' : `only ${entries} entries`}`;
      return { name: offer.name, model: first, catalog: catalogOf(first), friend, mapped, lacking };
    });
    const chosen = countOf(choice.spans(choice.from, choice.to));
    const hold = scopes.length === 0 ? member.hold : undefined;
    const whole = { ...member, chosen, scopes: new Scopes(model, scopes), hold };
    if (!ways.some(({ mapped }) => mapped)) {
      const given = friends.opened.map(({ parts }, i) => ({
        parts,
        shift: ways[i]?.shift ?? 0,
        rows: undefined,
      }));
      yield { ...whole, friends: given };
      return;
    }
    let left = chosen;
    for (const part of partsOf(choice)) {
      const numbers = entryNumbers(chooseEntries(part, model.info.entries));
      const looked: MemberFriend[] = [];
      for (const [i, { parts, entries: count }] of friends.opened.entries()) {
        const { shift, index, mapped } = ways[i] ?? { shift: 0, index: undefined, mapped: false };
        const found = index && (await partnersOf(model, part, numbers, index, runner, options));
        const rows = found ?? numbers.map((entry) => (entry + shift < count ? entry + shift : -1));
        looked.push({ parts, shift, rows: mapped ? rows : undefined });
      }
      left -= numbers.length;
      const last = member.last && left === 0;
      yield { ...whole, chosen: numbers.length, entries: part, friends: looked, last };
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

/**
 * Compiles expressions and a cut for a tree: see `compile`. Reads some entries if the classes of objects are known
 * only from these. Throws ARGUMENT, NOT_FOUND and UNSUPPORTED.
 */
export function compileFor(
  query: Query,
  member: QueryMember,
  sources: Source[],
  cut: Source | undefined,
  mode: CompileMode,
  shared: SharedColumns,
  given?: Compiled,
): Promise<Compiled> {
  const scopes = scopesOf(member);
  return knownObjects(query, () => compile(scopes, sources, cut, mode, member.place, shared, given));
}

/** Whether an expression is a branch of strings and nothing else. Throws as `compileFor`. */
export function holdsStrings(query: Query, member: QueryMember, source: Source): Promise<boolean> {
  const scopes = scopesOf(member);
  return knownObjects(query, () => isString(scopes, source));
}

function scopesOf(member: QueryMember): Scopes {
  member.scopes ??= new Scopes(member.model);
  return member.scopes;
}
