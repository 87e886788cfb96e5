import type { CallOptions, FileInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { Sink } from '../../../api/sink';
import type {
  CopyChoice,
  InputHost,
  Merged,
  MergeOptions,
  WriteHost,
  WriteTask,
  WriteWork,
} from '../../../api/write';
import { throwIfAborted } from '../../../base/abort';
import { compressionNumber, parseCodec } from '../../../core/compression';
import type { Written as Copied } from './copy/copy-file';
import { choiceOf, treeOfEntries } from './input/choose-entries';
import { mergeFiles } from './merge/merge-files';
import { exportRoot } from './new/export-root';
import { NewFile } from './new/new-file';
import { salvageFile } from './salvage/salvage';
import { healFile, planHeal } from './verbs/heal';
import { planSkim, skimFile } from './verbs/skim';

/** Writes files in this thread. `reader` reads the inputs. */
export function createWriteWork(reader: EngineApi): WriteWork {
  return {
    heal: (file, host, { level = 'order', verify = false, ...task }) =>
      finish(host, verify, task, healFile(reader, file, sinkOf(host), { ...task, level, verify })),
    skim: (file, host, { verify = false, ...task }) =>
      finish(host, verify, task, skimFile(reader, file, sinkOf(host), { ...task, verify })),
    salvage: (file, host, { verify = false, ...task }) =>
      finish(host, verify, task, salvageFile(reader, file, sinkOf(host), { ...task, verify })),
    merge: (names, host, { verify = false, ...task }) =>
      merge(reader, names, host, task, sinkOf(host), verify ? () => host.written() : undefined),
    exportTree: (file, host, { request, ...task }) => exportRoot(reader, file, request, sinkOf(host), task),
    histogram: async (histogram, host, { writer, name, signal }) => {
      const file = await NewFile.create(sinkOf(host), { writer, name, codec: parseCodec('zstd:5') });
      throwIfAborted(signal);
      for (const one of [histogram].flat()) await file.histogram(one.name, one);
      return file.finish();
    },
    planHeal: (file, { level = 'order', ...task }) => planHeal(reader, file, { ...task, level }),
    planSkim: (file, task) => planSkim(reader, file, task),
    planMerge: (names, host, task) => merge(reader, names, host, task),
  };
}

/** Merges the chosen parts of all files. Without a sink nothing is written. */
async function merge(
  reader: EngineApi,
  names: readonly string[],
  host: InputHost,
  { choice = {}, ...task }: Omit<WriteTask<MergeOptions>, 'verify'>,
  sink?: Sink,
  written?: WriteHost['written'],
): Promise<Merged> {
  const { selection, codec } = choice;
  const opened = (info: FileInfo) => ({ reader, info, close: () => host.close(info) });
  const unread: string[] = [];
  const chosen = await chosenOfChain(reader, host, choice, task);
  const merged = await mergeFiles(
    names.map((name, index) => ({
      name,
      open: async () => opened(await host.open(index)),
      small: () => host.small?.(index),
    })),
    sink,
    task,
    {
      part: {
        selection,
        entries: chosen,
        compress: codec && compressionNumber(codec),
        estimate: sink === undefined,
      },
      written:
        written &&
        (async () => {
          const copy = await written();
          if (!copy) unread.push(NOT_VERIFIED);
          return copy && opened(copy);
        }),
    },
  );
  return { ...merged, notes: [...(chosen ? [chosen.note] : []), ...merged.notes, ...unread] };
}

/** Returns the chosen entries of the chain of all inputs; undefined for all. */
async function chosenOfChain(
  reader: EngineApi,
  host: InputHost,
  { selection = {}, entries, cut, entriesOf }: CopyChoice,
  { signal, onProgress }: CallOptions,
) {
  if (entries === undefined && cut === undefined) return undefined;
  const chain = await host.openChain();
  try {
    const { path } = await treeOfEntries(reader, chain, selection, entriesOf, { signal });
    return { path, ...(await choiceOf(reader, chain, path, { entries, cut }, { signal, onProgress })) };
  } finally {
    await host.close(chain);
  }
}

const sinkOf = ({ write, begin }: WriteHost): Sink => ({
  write: (at, bytes) => write(at, bytes),
  journal: begin && { begin },
});

/** Note on a file that was written to a pipe. */
const NOT_VERIFIED = 'The new file is not verified, because it cannot be read back.';

async function finish<T extends Copied>(
  host: WriteHost,
  verify: boolean,
  { signal, onProgress }: CallOptions,
  writing: Promise<T>,
): Promise<Omit<T, 'verify'>> {
  const { verify: compare, ...written } = await writing;
  if (!verify) return written;
  const copy = await host.written();
  if (!copy) return { ...written, notes: [...written.notes, NOT_VERIFIED] };
  try {
    await compare(copy, { signal, onProgress });
  } finally {
    await host.close(copy);
  }
  return written;
}
