import { toXylemError, type XylemError } from '../base/errors';
import type { CallOptions } from '../file/api';
import { ChainTree, type EntryTree } from '../file/chain';
import type { DataModel } from '../file/data-model';
import { type Catalog, catalogOf } from './catalog';
import type { EntryPlace, Source } from './compile';
import { expressionError } from './errors';
import type { FriendPart } from './friend-column';
import { SPECIALS } from './functions';
import { eachPath, type PathExpr } from './names';
import { type Expr, parseExpression } from './parser';
import { Scopes } from './scopes';

/** A friend that may be opened. */
export interface FriendOffer {
  /** How expressions call it; the name of its tree will do, too. */
  name: string;
  treeName: string;
  /** Where it is, for people. */
  place: string;
  /** It goes with all trees of a chain together, not with each of them. */
  whole: boolean;
  open(options: CallOptions): Promise<EntryTree>;
  /** By which values entries belong together; else by its own index, or by number. */
  index?: readonly [major: string, minor?: string] | undefined;
}

/** Where friends come from: those that a tree names itself, and those that the caller gives. */
export interface FriendHost {
  own(tree: DataModel): FriendOffer[];
  given: readonly FriendOffer[];
}

/** A friend whose tree is open. */
export interface OpenFriend {
  offer: FriendOffer;
  /** Its files, or those of a chain that matter here. */
  parts: FriendPart[];
  entries: number;
}

/** A name in an expression that the tree itself does not have. */
interface Missing {
  source: Source;
  path: PathExpr;
  name: string;
}

const MAX_ALIASES = 100;

/** The friends that expressions need, opened; to be given back by `release`. */
export class Friends {
  readonly #opened: OpenFriend[] = [];
  readonly #releases: (() => Promise<void>)[] = [];

  private constructor(
    readonly model: DataModel,
    readonly place: EntryPlace,
  ) {}

  /**
   * Opens what has names that the tree has not. Throws what keeps a friend from being opened only
   * where a name can be of no other.
   */
  static async open(
    host: FriendHost,
    model: DataModel,
    place: EntryPlace,
    sources: readonly Source[],
    options: CallOptions,
  ): Promise<Friends> {
    const friends = new Friends(model, place);
    const offers = [...host.own(model), ...host.given];
    if (offers.length === 0) return friends;
    try {
      for (const missing of missingNames(new Scopes(model), sources)) {
        await friends.#find(missing, offers, options);
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

  async #find({ source, path, name }: Missing, offers: FriendOffer[], options: CallOptions): Promise<void> {
    const called = offers.filter((offer) => isCalled(offer, name));
    let failure: XylemError | undefined;
    for (const offer of called.length > 0 ? called : offers) {
      try {
        const friend = await this.#openOne(offer, options);
        const [part] = friend.parts;
        if (called.length > 0 || (part && isNamed(catalogOf(part.tree), name))) return;
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        const which = `the friend "${offer.name}" (${offer.place})`;
        const { path: tree } = this.model.info;
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

  /** The files of a chain that can have something for the tree's entries. */
  async #openParts(tree: ChainTree, offer: FriendOffer, options: CallOptions): Promise<FriendPart[]> {
    const from = offer.whole ? this.place.first : 0;
    const to = from + this.model.info.entries;
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

function isCalled({ name, treeName }: FriendOffer, path: string): boolean {
  return [name, treeName].some((one) => path === one || path.startsWith(`${one}.`));
}

/** Whether the beginning of a dotted name is a branch, as an expression looks for it. */
function isNamed(names: Pick<Catalog, 'find'>, name: string): boolean {
  const parts = name.split('.');
  return parts.some((_, i) => names.find(parts.slice(0, parts.length - i).join('.')) !== undefined);
}

/** Names that are neither branches nor values nor aliases of the tree itself. */
function missingNames(scopes: Scopes, sources: readonly Source[]): Missing[] {
  const missing: Missing[] = [];
  const { aliases = {} } = scopes.main.model.info;
  const isPath = (name: string): boolean => scopes.isPath(name);
  let followed = 0;
  const look = (source: Source, path: PathExpr): void => {
    const name = path.segments.map((segment) => segment.name).join('.');
    const [first = ''] = path.segments.map((segment) => segment.name);
    if (isNamed(scopes, name)) return;
    if (path.segments.length === 1 && SPECIALS.includes(first)) return;
    const text = path.segments.length === 1 && Object.hasOwn(aliases, first) ? aliases[first] : undefined;
    if (text === undefined) missing.push({ source, path, name });
    else if (++followed < MAX_ALIASES) {
      // What is wrong in it is told where it is compiled.
      const place = { at: path.at, end: path.end };
      const parsed = parsedOr(text, isPath);
      eachPath(parsed, (inner) => look(source, { ...inner, ...place }));
    }
  };
  for (const source of sources) {
    const { text, from, to } = source;
    const options = { isPath, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    eachPath(parseExpression(text, options), (path) => look(source, path));
  }
  return missing;
}

function parsedOr(text: string, isPath: (name: string) => boolean): Expr | undefined {
  try {
    return parseExpression(text, { isPath });
  } catch {
    return undefined;
  }
}
