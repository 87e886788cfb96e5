import { engineOf } from '../../../api/engine-api';
import type { Sink } from '../../../api/sink';
import type { WrittenNew } from '../../../api/write';
import { throwIfAborted } from '../../../base/abort';
import { argumentError } from '../../../base/errors';
import { checkOptions } from '../../../base/options';
import { type BasketTask, makeBasketsHere } from '../../../core/basket-packer';
import { ownLease } from '../../../library/open-root';
import type { Lease } from '../../../library/shared-readers';
import type { RootWriter, TreeWriter, WriteRootOptions } from '../../../library/write';
import { guarded, nameOf } from './api';
import type { NewFile } from './new/new-file';
import { NEW_NTUPLE, NEW_TREE, WRITE_ROOT } from './options';

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
    checkOptions('writeRoot', options, WRITE_ROOT);
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
        const { checkSparse, isSparse } = await import('../../../bins/sparse-histogram');
        if (isSparse(histogram)) return await file.sparse(path, checkSparse(histogram));
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
