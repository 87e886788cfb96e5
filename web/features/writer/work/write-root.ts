import type { Frequencies, Histogram } from '../../../api/api';
import { engineOf } from '../../../api/engine-api';
import { throwIfAborted } from '../../../base/abort';
import { argumentError } from '../../../base/errors';
import { checkOptions } from '../../../base/options';
import type { BinContents } from '../../../bins/given-histogram';
import { type BasketTask, makeBasketsHere } from '../../../core/basket-packer';
import { ownLease, type RootHandle } from '../../../library/open-root';
import { NEW_NTUPLE, NEW_TREE, WRITE } from '../../../library/options';
import type { Lease } from '../../../library/shared-readers';
import type { Sink } from '../../../sinks/sink';
import { guarded, nameOf, type XylemReader } from './api';
import type { NewFile, WrittenNew } from './new/new-file';
import type { NewNtupleOptions } from './new/new-ntuple';
import type { NewTreeOptions } from './new/new-tree';
import type { ColumnValues } from './new/values';

export interface WriteRootOptions {
  /** Codec of baskets and objects: `zstd:5`, the default, `lz4:4`, `zlib:1`, `lzma:5`, or `none`. */
  codec?: string | undefined;
  /** Name that is stored in the file. Default: that of the sink, or "new.root". */
  name?: string | undefined;
  /** The same bytes for the same content: no dates, and a UUID made of the content. Default: false. */
  reproducible?: boolean | undefined;
  /** The reader whose workers compress. Default: the shared reader, for files above 4 MB. */
  reader?: XylemReader | undefined;
  /** Stops the writing at the next call of the writer. */
  signal?: AbortSignal | undefined;
}

/** A tree or an RNTuple that is written. */
export interface TreeWriter {
  /** Entries that were appended. */
  readonly entries: number;
  /**
   * Appends entries: the values of each column, all of one number. The columns of the first call are those of the tree.
   * Throws ARGUMENT for columns of unequal lengths, values of a wrong type, and names that clash, and UNSUPPORTED for
   * values of several types; nothing of the call is written then.
   */
  append(columns: Readonly<Record<string, ColumnValues>>): Promise<void>;
}

/** Writes the content of a new file. Calls run one after another, also where they are not awaited. */
export interface RootWriter {
  /** Begins a tree; `path` may have directories. Throws ARGUMENT when the path is taken. */
  tree(path: string, options?: NewTreeOptions): Promise<TreeWriter>;
  /** Begins an RNTuple; `path` may have directories. Throws ARGUMENT when the path is taken. */
  ntuple(path: string, options?: NewNtupleOptions): Promise<TreeWriter>;
  /**
   * Writes what `draw` or `file.histogram` gave, or `{ counts, edges, errors }`, as TH1D, TH2D, TH3D, TProfile or
   * TProfile2D. Throws ARGUMENT when the path is taken or numbers do not fit together, and UNSUPPORTED for a profile of
   * three axes.
   */
  histogram(path: string, histogram: Histogram | Frequencies | BinContents): Promise<void>;
  /**
   * Copies an object of an open file, by default under its own path. Throws NOT_FOUND, UNSUPPORTED for trees, RNTuples
   * and objects that others refer to by TRef, which `skim` copies, and ARGUMENT when the path is taken.
   */
  copy(file: RootHandle, from: string, path?: string): Promise<void>;
}

/** Baskets of a small file are compressed in this thread: workers take longer to start. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Writes a new file; `load` gives xylem-write.wasm, and `lease` the shared reader. */
export async function writeRootWith(
  load: () => Promise<WebAssembly.Module>,
  lease: () => Lease,
  sink: Sink,
  write: (file: RootWriter) => Promise<void>,
  options: WriteRootOptions,
): Promise<WrittenNew> {
  const { codec = 'zstd:5', name, reproducible, reader, signal } = options;
  const own = guarded(sink);
  const here = makeBasketsHere();
  let leased: Lease | undefined = reader && ownLease(reader);
  let bytes = 0;
  try {
    checkOptions('writeRoot', options, WRITE);
    throwIfAborted(signal);
    const [{ NewFile }, { parseCodec }, writer] = await Promise.all([
      import('./new/new-file'),
      import('../../../core/compression'),
      load(),
    ]);
    const made = {
      writer,
      name: name ?? nameOf(sink, 'new.root'),
      codec: parseCodec(codec),
      reproducible,
      makeBaskets: (task: BasketTask) => {
        bytes += task.input.length;
        if (!leased && bytes <= SMALL_BYTES) return here(task);
        leased ??= lease();
        return leased.reader.makeBaskets(task, { signal });
      },
    };
    const file = await NewFile.create(own, made);
    const inTurn = queue(signal);
    await write(writerOf(file, inTurn, sink));
    const written = await inTurn(() => file.finish());
    await own.close();
    return written;
  } catch (thrown) {
    await own.abort();
    throw thrown;
  } finally {
    leased?.giveBack();
  }
}

type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

/** Runs calls one after another. */
function queue(signal: AbortSignal | undefined): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(() => {
      throwIfAborted(signal);
      return run();
    });
    // Its caller has the error; the next call does not depend on it.
    last = next.catch(() => {});
    return next;
  };
}

function writerOf(file: NewFile, inTurn: InTurn, sink: Sink): RootWriter {
  const treeWriter = (tree: TreeWriter): TreeWriter => ({
    get entries() {
      return tree.entries;
    },
    append: (columns) => inTurn(async () => tree.append(columnsOnly(columns))),
  });
  return {
    tree: async (path, options) => {
      checkOptions('tree', options, NEW_TREE);
      return treeWriter(await inTurn(() => file.tree(path, options)));
    },
    ntuple: async (path, options) => {
      checkOptions('ntuple', options, NEW_NTUPLE);
      return treeWriter(await inTurn(() => file.ntuple(path, options)));
    },
    histogram: (path, histogram) =>
      inTurn(async () => {
        const { givenHistogram } = await import('../../../bins/given-histogram');
        await file.histogram(path, givenHistogram(histogram));
      }),
    copy: ({ reader, info }, from, path = from) =>
      inTurn(async () => {
        await sink.refuse?.([info.name]);
        await file.copy(engineOf(reader), info, from, path);
      }),
  };
}

/** Throws ARGUMENT for rows, which programs without types may give. */
function columnsOnly<T>(columns: T): T {
  if (typeof columns === 'object' && columns !== null && !Array.isArray(columns)) return columns;
  throw argumentError(
    Array.isArray(columns) ? 'append takes columns, and not a list of rows.' : 'append takes columns.',
    'Give an object with a list of values for each column: { x: [1, 2], y: [3, 4] }.',
  );
}
