import type { CallOptions } from '../../api/api';
import { toXylemError, XylemError } from '../../base/errors';
import { own } from '../../base/search';
import { ChainTree, type EntryTree } from '../../model/chain';
import type { DataModel } from '../../model/data-model';
import type { FriendPart } from '../../pass/friend-column';
import type { TaskRunner } from '../../pass/types';
import { parseSource, withAliases } from '../compile/aliases';
import type { EntryPlace } from '../compile/compile';
import { Scopes } from '../compile/scopes';
import { knownObjects } from '../compile/shapes';
import { expressionError } from '../language/errors';
import { SPECIALS } from '../language/functions';
import { eachPath, type PathExpr } from '../language/names';
import type { Expr } from '../language/parser';
import type { Source } from '../language/source';

/** A friend that can be opened. */
export interface FriendOffer {
  /** The alias in expressions. The name of the friend's tree works too. */
  name: string;
  treeName: string;
  /** The location of the friend, for messages. */
  place: string;
  /** Whether the friend belongs to the whole chain instead of each of its trees. */
  whole: boolean;
  open(options: CallOptions): Promise<EntryTree>;
  /**
   * Expressions whose values match the entries. Without them the friend's own index is used, or the entry
   * number.
   */
  index?: readonly [major: string, minor?: string] | undefined;
}

/** Provides friends: those that a tree names itself, and those that the caller gives. */
export interface FriendHost {
  own(tree: DataModel): FriendOffer[];
  given: readonly FriendOffer[];
}

export interface OpenFriend {
  offer: FriendOffer;
  /** The files of the friend; for a chain, only those that the query needs. */
  parts: FriendPart[];
  entries: number;
}

/** A name in an expression that the tree itself does not have. */
interface Missing {
  source: Source;
  path: PathExpr;
  name: string;
}

/** The tree whose friends are opened, its position in a chain, and the runner that reads trees. */
export interface FriendsOf {
  model: DataModel;
  place: EntryPlace;
  runner: TaskRunner;
  options: CallOptions;
}

/** The opened friends that expressions need. The caller closes them with `release`. */
export class Friends {
  readonly #opened: OpenFriend[] = [];
  readonly #releases: (() => Promise<void>)[] = [];

  private constructor(readonly within: FriendsOf) {}

  /**
   * Opens the friends that have the names missing in the tree. If a friend cannot be opened, its error is thrown only
   * if no other friend can have the name.
   */
  static async open(host: FriendHost, within: FriendsOf, sources: readonly Source[]): Promise<Friends> {
    const { model } = within;
    const friends = new Friends(within);
    const offers = [...host.own(model), ...host.given];
    if (offers.length === 0) return friends;
    try {
      const scopes = new Scopes(model);
      for (const missing of await knownObjects(within, () => missingNames(scopes, sources))) {
        await friends.#find(missing, offers);
      }
      return friends;
    } catch (thrown) {
      await friends.release();
      throw thrown;
    }
  }

  get opened(): readonly OpenFriend[] {
    return this.#opened;
  }

  async release(): Promise<void> {
    for (const release of this.#releases.splice(0)) await release();
  }

  async #find({ source, path, name }: Missing, offers: FriendOffer[]): Promise<void> {
    const { model, options } = this.within;
    const called = offers.filter((offer) => isCalled(offer, name));
    let failure: XylemError | undefined;
    for (const offer of called.length > 0 ? called : offers) {
      try {
        const friend = await this.#openOne(offer, options);
        const [part] = friend.parts;
        if (called.length > 0) return;
        if (part && (await knownObjects(this.within, () => isNamed(part.tree, name)))) return;
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        const which = `the friend "${offer.name}" (${offer.place})`;
        const { path: tree } = model.info;
        failure ??= expressionError(
          source.text,
          path,
          called.length > 0
            ? `"${name}" is of ${which} of "${tree}", which cannot be opened: ${error.message}`
            : `There is no branch "${name}" in the tree "${tree}", and ${which}, which may have it, cannot be opened: ${error.message}`,
          error.fix,
          error.code,
        );
      }
    }
    if (failure) throw failure;
  }

  async #openOne(offer: FriendOffer, options: CallOptions): Promise<OpenFriend> {
    const there = this.#opened.find((one) => one.offer === offer);
    if (there) return there;
    const tree = await offer.open(options);
    const parts =
      tree instanceof ChainTree ? await this.#openParts(tree, offer, options) : [{ tree, first: 0 }];
    const friend = { offer, parts, entries: tree.info.entries };
    this.#opened.push(friend);
    return friend;
  }

  /** Opens the files of a chain that may have entries for those of the tree. */
  async #openParts(tree: ChainTree, offer: FriendOffer, options: CallOptions): Promise<FriendPart[]> {
    const { place, model } = this.within;
    const from = offer.whole ? place.first : 0;
    const to = from + model.info.entries;
    const near = tree.counted.filter(({ first, entries }) => first < to && first + entries > from);
    const wanted = offer.index ? tree.counted : near.length > 0 ? near : tree.counted.slice(-1);
    const parts: FriendPart[] = [];
    for (const { index, first } of wanted) {
      const file = await tree.chain.acquire(index, options);
      this.#releases.push(() => tree.chain.release(index));
      parts.push({ tree: await file.tree(tree.chain.parts[index]?.tree ?? tree.path, options), first });
    }
    return parts;
  }
}

/** Whether a tree has a branch or an alias with a name. */
function isNamed(tree: DataModel, name: string): boolean {
  const words = name.split('.');
  const { aliases } = tree.info;
  const alias = own(aliases, name) ?? own(aliases, words[0] ?? '');
  return alias !== undefined || new Scopes(tree).resolve(words) !== undefined;
}

function isCalled({ name, treeName }: FriendOffer, path: string): boolean {
  return [name, treeName].some((one) => path === one || path.startsWith(`${one}.`));
}

/** Returns the names that are not branches, special values or aliases of the tree itself. */
function missingNames(scopes: Scopes, sources: readonly Source[]): Missing[] {
  const missing: Missing[] = [];
  for (const source of sources) {
    eachPath(parsedSource(source, scopes), (path) => {
      const words = path.segments.map((segment) => segment.name);
      if (words.length === 1 && SPECIALS.includes(words[0] ?? '')) return;
      if (!scopes.resolve(words)) missing.push({ source, path, name: words.join('.') });
    });
  }
  return missing;
}

/** Parses a source. If its aliases are wrong, they are not replaced; the compiler reports the error. */
function parsedSource(source: Source, scopes: Scopes): Expr {
  const parsed = parseSource(source, scopes);
  try {
    return withAliases(parsed, source, scopes);
  } catch (thrown) {
    if (!(thrown instanceof XylemError)) throw thrown;
    return parsed;
  }
}
