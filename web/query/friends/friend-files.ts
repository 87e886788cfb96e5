import { XylemError } from '../base/errors';
import type { CallOptions, FileSource } from '../file/api';
import type { DataModel, TreeHome } from '../file/data-model';
import type { RootFile } from '../file/root-file';
import type { ReadRecord } from '../io/trace';
import type { FriendOffer } from './friends';

/** The files that trees of one file name as those of their friends; opened when they are needed. */
export class FriendFiles {
  readonly #files = new Map<string, Promise<RootFile>>();

  constructor(
    readonly open: (spec: FileSource, options: CallOptions) => Promise<RootFile>,
    /** How the file of a tree was opened. */
    readonly specOf: (home: TreeHome) => FileSource | undefined,
  ) {}

  /** What TTree::AddFriend noted in a tree. */
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

  async prove(signal: AbortSignal | undefined): Promise<void> {
    for (const file of await this.#opened()) await file.prove(signal);
  }

  async reads(): Promise<ReadRecord[]> {
    return (await this.#opened()).flatMap((file) => [...file.reader.trace.records()]);
  }

  async close(): Promise<void> {
    const files = await this.#opened();
    this.#files.clear();
    for (const file of files) await file.close();
  }

  /** Others may wait for the same file, so that one caller's cancelling must not end it. */
  #file(home: TreeHome, name: string): Promise<RootFile> {
    const spec = placeOf(name, this.specOf(home));
    const key = spec.kind === 'url' ? spec.url : spec.kind === 'path' ? spec.path : name;
    const file = this.#files.get(key) ?? this.open(spec, {});
    this.#files.set(key, file);
    file.catch(() => this.#files.delete(key));
    return file;
  }

  async #opened(): Promise<RootFile[]> {
    const all = await Promise.allSettled(this.#files.values());
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

/** Where a friend's file lies, by the name that a tree has of it: beside the tree's own file. */
function placeOf(name: string, beside: FileSource | undefined): FileSource {
  const remote = /^https?:\/\//i.test(name);
  if (beside?.kind === 'url') {
    const url = new URL(remote ? name : name.split('/').map(encodeURIComponent).join('/'), beside.url);
    // What is sent with requests is for the tree's own server.
    return url.origin === new URL(beside.url).origin
      ? { ...beside, url: url.href }
      : { kind: 'url', url: url.href };
  }
  if (/^\w+:\/\//.test(name) && !remote) throw unknownPlace(name, 'names a server of another kind');
  if (beside?.kind !== 'path') throw unknownPlace(name, 'lies beside a file whose place is not known');
  if (remote) return { kind: 'url', url: name };
  const folder = beside.path.slice(0, beside.path.lastIndexOf('/') + 1);
  return { kind: 'path', path: name.startsWith('/') ? name : folder + name };
}

function unknownPlace(name: string, why: string): XylemError {
  return new XylemError({
    code: 'NOT_FOUND',
    message: `"${name}" ${why}.`,
    fix: 'Open the file, and give it as a friend.',
  });
}
