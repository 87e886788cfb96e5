import type { CallOptions, FileSource, UrlSource, WholeSource } from '../../api/api';
import { XylemError } from '../../base/errors';
import { isRemote, plainAddress } from '../../io/schemes';
import type { ReadRecord } from '../../io/trace';
import type { DataModel, TreeHome } from '../../model/data-model';
import type { RootFile } from '../../model/root-file';
import type { FriendOffer } from './friends';

/**
 * A member of the source of a file. The function is called when a tree in the file names the file of a friend. It
 * returns the source to read for it, or throws to refuse it. Without this member, all such files are read. It is a
 * symbol because only xylem's own code uses it; copies of a source keep it.
 */
export const FRIENDS = Symbol('friends');

export type Guarded = WholeSource & { [FRIENDS]?: (place: WholeSource) => Promise<WholeSource> };

/** The files of the friends of the trees in one file. Each is opened when it is needed. */
export class FriendFiles {
  readonly #files = new Map<string, Promise<RootFile>>();

  constructor(
    readonly open: (spec: FileSource, options: CallOptions) => Promise<RootFile>,
    /** Returns how the file of a tree was opened. */
    readonly specOf: (home: TreeHome) => FileSource | undefined,
  ) {}

  /** Returns the friends that TTree::AddFriend recorded in a tree. */
  own({ info, home }: DataModel): FriendOffer[] {
    if (!home) return [];
    return (info.friends ?? []).map(({ name, tree, file }) => ({
      name,
      treeName: tree,
      place: file === '' ? 'in the same file' : file,
      whole: false,
      open: async (options) => (file === '' ? home : await this.#file(home, file)).tree(tree, options),
    }));
  }

  async verifyUnchanged(signal: AbortSignal | undefined): Promise<void> {
    for (const file of await this.#opened()) await file.verifyUnchanged(signal);
  }

  async reads(): Promise<ReadRecord[]> {
    return (await this.#opened()).flatMap((file) => [...file.reader.trace.records()]);
  }

  async close(): Promise<void> {
    const files = await this.#opened();
    this.#files.clear();
    for (const file of files) await file.close();
  }

  /** Other callers may wait for the same file, so cancelling one call must not stop the opening. */
  async #file(home: TreeHome, name: string): Promise<RootFile> {
    const beside = this.specOf(home);
    const place = placeOf(name, beside);
    const spec = (await (beside as Guarded | undefined)?.[FRIENDS]?.(place)) ?? place;
    const key = spec.kind === 'url' ? spec.url : spec.kind === 'path' ? spec.path : name;
    const file = this.#files.get(key) ?? this.open(spec, {});
    this.#files.set(key, file);
    file.catch(() => this.#files.delete(key));
    return await file;
  }

  async #opened(): Promise<RootFile[]> {
    const all = await Promise.allSettled(this.#files.values());
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

/** Returns the source of a friend's file. A relative name starts at the folder of the tree's own file. */
function placeOf(given: string, beside: FileSource | undefined): WholeSource {
  const name = plainAddress(given);
  const remote = isRemote(name);
  if (beside?.kind === 'url') {
    if (remote && !URL.canParse(name)) throw unknownPlace(name, 'names no place');
    const url = new URL(remote ? name : name.split('/').map(encodeURIComponent).join('/'), beside.url);
    // Tokens and request headers are only for the server of the tree's own file. A file that must not be cached
    // applies this to its friends on any server.
    return serverOf(url) === serverOf(new URL(beside.url))
      ? { ...beside, url: url.href }
      : { kind: 'url', url: url.href, token: 'none', ...kept(beside) };
  }
  if (/^\w+:\/\//.test(name) && !remote) throw unknownPlace(name, 'names a server of another kind');
  if (beside?.kind !== 'path') throw unknownPlace(name, 'is named by a file whose own location is not known');
  if (remote) return { kind: 'url', url: name, token: 'none', ...kept(beside) };
  const folder = beside.path.slice(0, beside.path.lastIndexOf('/') + 1);
  return { ...beside, path: name.startsWith('/') ? name : folder + name };
}

/**
 * Returns the path of a friend's file that a tree in the file `beside` names; undefined if it is not on this machine.
 */
export function friendPath(name: string, beside: FileSource): string | undefined {
  if (beside.kind !== 'path' || /^\w+:\/\//.test(name)) return undefined;
  const place = placeOf(name, beside);
  return place.kind === 'path' ? place.path : undefined;
}

/** Addresses of root:// have no origin. */
function serverOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/**
 * Returns the options that the source of a friend inherits from the source of the tree: caching and alignment of
 * requests.
 */
function kept({ cache, align }: Pick<UrlSource, 'cache' | 'align'>): Pick<UrlSource, 'cache' | 'align'> {
  return { ...(cache && { cache }), ...(align !== undefined && { align }) };
}

function unknownPlace(name: string, why: string): XylemError {
  return new XylemError({
    code: 'NOT_FOUND',
    message: `"${name}" ${why}.`,
    fix: 'Open the file, and give it as a friend.',
  });
}
