import type { CallOptions, FileInfo, Histogram } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { throwIfAborted } from '../../../base/abort';
import { compressionNumber, parseCodec } from '../../../core/compression';
import type { MergeJournal, Sink } from '../../../sinks/sink';
import type { Written as Copied } from './copy/copy-file';
import { choiceOf, treeOfEntries } from './input/choose-entries';
import { type Merged, mergeFiles } from './merge/merge-files';
import { type ExportedTree, exportRoot, type RootExportRequest } from './new/export-root';
import { NewFile, type WrittenNew } from './new/new-file';
import type { PlanOptions, WritePlan } from './plan/write-plan';
import { type Salvaged, salvageFile } from './salvage/salvage';
import { type HealLevel, healFile, planHeal } from './verbs/heal';
import { planSkim, type SkimChoice, type Skimmed, skimFile } from './verbs/skim';

/** The options that callers give. The module and the name come from elsewhere. */
type Given<Write extends (...args: never[]) => unknown> = Omit<OptionsOf<Write>, 'writer' | 'name'> & {
  /** Name that is stored in the new file. Default: that of the sink, or of the input. */
  name?: string | undefined;
};
type OptionsOf<Write extends (...args: never[]) => unknown> = Extract<
  Parameters<Write>[number],
  { writer: WebAssembly.Module }
>;

interface VerifyOption {
  /** Reads the new file back, and compares it with what was copied. The sink needs `written` for it. */
  verify?: boolean | undefined;
}

/** Options of `heal`. Defaults: `level` is "order"; `verify` is true if the sink has `written`. */
export type HealOptions = Omit<Given<typeof healFile>, 'level'> & { level?: HealLevel } & VerifyOption;
/** Options of a skim. Defaults: `selection` is everything; `verify` is false. */
export type SkimOptions = Given<typeof skimFile> & VerifyOption;
/** Options of a salvage. Default: `verify` is true if the sink has `written`. */
export type SalvageOptions = Given<typeof salvageFile> & VerifyOption;
/** The part of each file that is merged: trees, branches, objects and entries. Entries are counted over all files. */
export type MergeChoice = SkimChoice & Pick<SkimOptions, 'codec'>;
/** Options of a merge. Defaults: `verify` is false; `choice` is everything. */
export type MergeOptions = Given<typeof mergeFiles> & VerifyOption & { choice?: MergeChoice | undefined };
/** Options of a tree that is exported as a ROOT file. Default: `codec` is "zstd:5". */
export type RootOptions = Given<typeof exportRoot>;

/** Sizes of a file that was written, and notes on what it leaves out. */
export type WrittenFile = Omit<Copied, 'verify'>;

/** Sizes of a file that was skimmed, with what it leaves out. */
export type SkimmedFile = Omit<Skimmed, 'verify'>;

/** Sizes of a file that was salvaged, and what was lost. */
export type SalvagedFile = Omit<Salvaged, 'verify'>;

/** Functions that the writing thread calls in the thread of the sink. */
export interface WriteHost {
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** The journal of a sink, if it has one. */
  begin?: MergeJournal['begin'] | undefined;
  /** Opens an input of a merge, by its index. */
  open(index: number): Promise<FileInfo>;
  /** Opens all inputs of a merge as one chain. */
  openChain(): Promise<FileInfo>;
  /** Opens the written file; undefined if it cannot be read. */
  written(): Promise<FileInfo | undefined>;
  close(file: FileInfo): Promise<void>;
}

/** The part of a host that is needed if nothing is written. */
export type InputHost = Pick<WriteHost, 'open' | 'openChain' | 'close'>;

/** Options as they are sent to the thread that writes. */
export type Task<Options> = Omit<Options, 'name'> & { writer: WebAssembly.Module; name: string };

/** Writes files, in some thread. */
export interface WriteWork {
  heal(file: FileInfo, host: WriteHost, task: Task<HealOptions>): Promise<WrittenFile>;
  skim(file: FileInfo, host: WriteHost, task: Task<SkimOptions>): Promise<SkimmedFile>;
  salvage(file: FileInfo, host: WriteHost, task: Task<SalvageOptions>): Promise<SalvagedFile>;
  merge(names: readonly string[], host: WriteHost, task: Task<MergeOptions>): Promise<Merged>;
  exportTree(file: FileInfo, host: WriteHost, task: Task<RootOptions> & TreeRequest): Promise<ExportedTree>;
  histogram(
    histogram: Histogram | readonly Histogram[],
    host: WriteHost,
    task: Task<CallOptions>,
  ): Promise<WrittenNew>;
  planHeal(file: FileInfo, task: Task<HealOptions & PlanOptions>): Promise<WritePlan>;
  planSkim(file: FileInfo, task: Task<SkimOptions & PlanOptions>): Promise<WritePlan>;
  planMerge(names: readonly string[], host: InputHost, task: Task<MergeOptions>): Promise<Merged>;
}

interface TreeRequest {
  request: RootExportRequest;
}

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
  { choice = {}, ...task }: Omit<Task<MergeOptions>, 'verify'>,
  sink?: Sink,
  written?: WriteHost['written'],
): Promise<Merged> {
  const { selection, codec } = choice;
  const opened = (info: FileInfo) => ({ reader, info, close: () => host.close(info) });
  const unread: string[] = [];
  const chosen = await chosenOfChain(reader, host, choice, task);
  const merged = await mergeFiles(
    names.map((name, index) => ({ name, open: async () => opened(await host.open(index)) })),
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
  { selection = {}, entries, cut, entriesOf }: MergeChoice,
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
