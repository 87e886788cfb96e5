/// <reference lib="esnext.disposable" preserve="true" />
import type {
  CallOptions,
  FileInfo,
  FriendTree,
  KeyInfo,
  PlainObject,
  RequestOptions,
  WholeSource,
} from '../api/api';
import { engineOf } from '../api/engine-api';
import type { XylemReader } from '../api/reader';
import type { Sink } from '../api/sink';
import type {
  HealOptions,
  PlanOptions,
  SalvagedFile,
  SalvageOptions,
  SkimmedFile,
  SkimOptions,
  WritePlan,
  WrittenFile,
} from '../api/write';
import { argumentError, type XylemError } from '../base/errors';
import { CALL, checkOptions, type Rule } from '../base/options';
import type { Graph } from '../bins/stored-graph';
import { type DrawnHistogram, storedHistogram } from './drawn';
import { FRIEND, OPEN, REQUEST, TREE } from './options';
import type { Lease } from './shared-readers';
import { partsOf, type RootSource, specOf } from './sources';
import { type OpenSelector, type TreeHandle, type TreePlace, treeHandle } from './tree-handle';

/** A friend of a tree. */
export interface FriendChoice extends Pick<FriendTree, 'tree' | 'index'> {
  /** A file that the same reader has open. Without it: the file of the tree itself. */
  file?: RootHandle | undefined;
}

export interface TreeOptions extends CallOptions {
  /** Trees whose branches expressions may name: `friends: { sf: { file, tree: 'scale' } }` for `sf.weight`. */
  friends?: Readonly<Record<string, FriendChoice>> | undefined;
}

/** How to open a file, and the reader to use. */
export interface OpenOptions extends CallOptions, RequestOptions {
  /** The reader that opens it; closing the file does not end this reader. Default: the shared reader. */
  reader?: XylemReader | undefined;
}

/** An open ROOT file, or several as one. `await using` closes it at the end of the block. */
export interface RootHandle extends AsyncDisposable {
  readonly info: FileInfo;
  /** The reader that has the file open; its calls take `info.id`. */
  readonly reader: XylemReader;
  keys(options?: CallOptions): Promise<KeyInfo[]>;
  /** A TTree or RNTuple; `path` may end in ";cycle". Throws NOT_FOUND. */
  tree(path: string, options?: TreeOptions): Promise<TreeHandle>;
  /** A stored object as plain data with ROOT's member names; the type argument says what it has. */
  object<T extends object = PlainObject>(path: string, options?: CallOptions): Promise<T>;
  /** A stored TH1, TH2, TH3 or TProfile, in the form of what `draw` gives. Throws UNSUPPORTED for other classes. */
  histogram(path: string, options?: CallOptions): Promise<DrawnHistogram>;
  /** The points of a stored TGraph. Throws UNSUPPORTED for other classes. */
  graph(path: string, options?: CallOptions): Promise<Graph>;
  /**
   * Writes the file anew so that it is read faster: baskets lie in the order in which they are read, and trees say their
   * true clusters. Values do not change. Throws the errors of reading, IO, UNSUPPORTED, and CHECKSUM.
   */
  heal(sink: Sink, options?: HealOptions): Promise<WrittenFile>;
  /** Tells what `heal` would do and what it brings; nothing is written. Baskets are read only for another codec. */
  planHeal(options?: HealOptions & PlanOptions): Promise<WritePlan>;
  /**
   * Writes a copy of the file, or of chosen trees, branches and objects. Baskets are copied compressed. Throws as `heal`,
   * and NOT_FOUND.
   */
  skim(sink: Sink, options?: SkimOptions): Promise<SkimmedFile>;
  /** Tells what `skim` would do; nothing is written. A cut is evaluated, which reads its branches. */
  planSkim(options?: SkimOptions & PlanOptions): Promise<WritePlan>;
  /**
   * Writes what can be read of a damaged or never closed file as a sound one; `lost` names what is left out. Reads the
   * whole file. Afterwards this file may list the keys that a walk over its records finds. Throws as `heal`, and CORRUPT
   * where the descriptions of classes are lost.
   */
  salvage(sink: Sink, options?: SalvageOptions): Promise<SalvagedFile>;
  /** Opens another file with the same reader. It is closed with this one, if not before. */
  open(source: RootSource, options?: CallOptions & RequestOptions): Promise<RootHandle>;
  /** Closes the file, and returns its reader. Calling it twice does no harm. */
  close(): Promise<void>;
}

/** Browsers without the symbol get the one that compilers of "await using" use in its place. */
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as never);

/** The place where the library runs, and the work that it does in its own way. */
export interface LibraryHost {
  /** Interprets a text as a source. */
  named(text: string): WholeSource;
  /** Starts a selector, which runs until `end`; without it the reader runs them, or says that it runs none. */
  openSelector?: OpenSelector;
}

export async function openWith(
  lease: Lease,
  source: RootSource,
  { named, openSelector }: LibraryHost,
  options: CallOptions & RequestOptions = {},
): Promise<RootHandle> {
  const { reader } = lease;
  const open = async (
    from: RootSource,
    { headers, credentials, fetch, align, ...call }: CallOptions & RequestOptions,
    giveBack: () => void,
  ): Promise<RootHandle> => {
    const spec = specOf(from, named, { headers, credentials, fetch, align });
    const info = await reader.open(spec, call);
    const others = new Set<RootHandle>();
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closing ??= (async () => {
        try {
          await Promise.all([...others].map((other) => other.close()));
          await reader.close(info.id);
        } finally {
          giveBack();
        }
      })();
      return closing;
    };
    const check: TreePlace['check'] = (method, options, rules = CALL) => {
      if (closing) throw closed(info);
      checkOptions(method, options, rules);
    };
    const object = async (path: string, options?: CallOptions) => reader.object(info.id, path, options);
    const handle: RootHandle = {
      info,
      reader,
      keys: async (call) => {
        check('keys', call);
        return reader.keys(info.id, call);
      },
      tree: async (path, options = {}) => {
        check('tree', options, TREE);
        const { friends, ...call } = options;
        const trees = friends && friendTrees(friends, handle);
        const tree = await reader.tree(info.id, path, call);
        return treeHandle({
          reader,
          file: info.id,
          fileName: info.name,
          tree: path,
          info: tree,
          friends: trees,
          check,
          sources: () => partsOf(from, spec),
          isChain: info.files !== undefined,
          openSelector,
        });
      },
      object: async <T extends object = PlainObject>(path: string, call?: CallOptions) => {
        check('object', call);
        return (await object(path, call)) as T;
      },
      histogram: async (path, call) => {
        check('histogram', call);
        return storedHistogram(namedObject(await object(path, call), path));
      },
      graph: async (path, call) => {
        check('graph', call);
        const { storedGraph } = await import('../bins/stored-graph');
        return storedGraph(namedObject(await object(path, call), path));
      },
      heal: async (sink, call) => {
        check('heal', undefined);
        return reader.writer.heal(info, sink, call);
      },
      planHeal: async (call) => {
        check('planHeal', undefined);
        return reader.writer.planHeal(info, call);
      },
      planSkim: async (call) => {
        check('planSkim', undefined);
        return reader.writer.planSkim(info, call);
      },
      skim: async (sink, call) => {
        check('skim', undefined);
        return reader.writer.skim(info, sink, call);
      },
      salvage: async (sink, call) => {
        check('salvage', undefined);
        return reader.writer.salvage(info, sink, call);
      },
      open: async (other, options = {}) => {
        check('open', options, { ...CALL, ...REQUEST });
        const opened = await open(other, options, () => others.delete(opened));
        others.add(opened);
        return opened;
      },
      close,
      [asyncDispose]: close,
    };
    return handle;
  };
  try {
    return await open(source, options, lease.giveBack);
  } catch (thrown) {
    lease.giveBack();
    throw thrown;
  }
}

/** An object of which an error can say the name: folders and others have none. */
function namedObject(object: PlainObject, path: string): PlainObject {
  return object.fName === undefined ? { ...object, fName: path } : object;
}

/** Throws ARGUMENT for options that `openRoot` does not have; `ofHost` are those of its readers. */
export function checkOpen(options: unknown, ofHost: { readonly [name: string]: Rule }): void {
  checkOptions('openRoot', options, { ...OPEN, ...ofHost });
}

function closed({ name }: FileInfo): XylemError {
  return argumentError('This file was closed.', 'Open it again with openRoot, or close it later.', {
    url: name,
  });
}

/** The lease of a reader that the caller chose, who ends it. */
export const ownLease = (reader: XylemReader): Lease => ({ reader: engineOf(reader), giveBack: () => {} });

function friendTrees(friends: Readonly<Record<string, FriendChoice>>, main: RootHandle): FriendTree[] {
  return Object.entries(friends).map(([alias, friend]) => {
    checkOptions(`The friend "${alias}"`, friend, FRIEND);
    const { file = main, tree, index } = friend;
    if (file.reader === main.reader) return { file: file.info.id, tree, alias, index };
    throw argumentError(
      `The friend "${alias}" was opened with another reader.`,
      'Open both files with the same options, or with the same { reader }.',
    );
  });
}
