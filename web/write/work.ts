import type { CallOptions, FileInfo, Histogram, ReaderApi } from '../api/api';
import { throwIfAborted } from '../base/abort';
import type { Written as Copied } from './copy-file';
import { parseCodec } from './encode/codec-text';
import { type HealLevel, healFile, planHeal } from './heal';
import { type Merged, mergeFiles } from './merge/merge-files';
import { type ExportedTree, exportRoot, type RootExportRequest } from './new/export-root';
import { NewFile, type WrittenNew } from './new/new-file';
import type { PlanOptions, WritePlan } from './plan/write-plan';
import { type Salvaged, salvageFile } from './salvage/salvage';
import { planSkim, type Skimmed, skimFile } from './skim';

/** The options that callers give: the module and the name come from elsewhere. */
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

/** Options of healing: `level` is "order" by default, and `verify` is true where the sink has `written`. */
export type HealOptions = Omit<Given<typeof healFile>, 'level'> & { level?: HealLevel } & VerifyOption;
/** Options of a skim: `selection` is what is copied, all by default; `verify` is false by default. */
export type SkimOptions = Given<typeof skimFile> & VerifyOption;
/** Options of a salvage: `verify` is true where the sink has `written`. */
export type SalvageOptions = Given<typeof salvageFile> & VerifyOption;
/** Options of a merge: `verify` is false by default. */
export type MergeOptions = Given<typeof mergeFiles> & VerifyOption;
/** Options of a tree that is exported as a ROOT file: `codec` is "zstd:5" by default. */
export type RootOptions = Given<typeof exportRoot>;

/** Sizes of a file that was written, and notes on what it leaves out. */
export type WrittenFile = Omit<Copied, 'verify'>;

/** Sizes of a file that was skimmed, with what it leaves out. */
export type SkimmedFile = Omit<Skimmed, 'verify'>;

/** Sizes of a file that was salvaged, and what was lost. */
export type SalvagedFile = Omit<Salvaged, 'verify'>;

/** The writing of a file needs this from the thread that has its sink. */
export interface WriteHost {
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** Opens an input of a merge, by its index. */
  open(index: number): Promise<FileInfo>;
  /** Opens what was written. */
  written(): Promise<FileInfo>;
  close(file: FileInfo): Promise<void>;
}

/** Options as they come to the thread that writes. */
export type Task<Options> = Omit<Options, 'name'> & { writer: WebAssembly.Module; name: string };

/** Writes files in some thread. */
export interface WriteWork {
  heal(file: FileInfo, host: WriteHost, task: Task<HealOptions>): Promise<WrittenFile>;
  skim(file: FileInfo, host: WriteHost, task: Task<SkimOptions>): Promise<SkimmedFile>;
  salvage(file: FileInfo, host: WriteHost, task: Task<SalvageOptions>): Promise<SalvagedFile>;
  merge(names: readonly string[], host: WriteHost, task: Task<MergeOptions>): Promise<Merged>;
  exportTree(file: FileInfo, host: WriteHost, task: Task<RootOptions> & TreeRequest): Promise<ExportedTree>;
  histogram(histogram: Histogram, host: WriteHost, task: Task<CallOptions>): Promise<WrittenNew>;
  planHeal(file: FileInfo, task: Task<HealOptions & PlanOptions>): Promise<WritePlan>;
  planSkim(file: FileInfo, task: Task<SkimOptions & PlanOptions>): Promise<WritePlan>;
}

interface TreeRequest {
  request: RootExportRequest;
}

/** Writes in this thread what `reader` reads. */
export function createWriteWork(reader: ReaderApi): WriteWork {
  return {
    heal: (file, host, { level = 'order', verify = false, ...task }) =>
      finish(host, verify, task, healFile(reader, file, sinkOf(host), { ...task, level, verify })),
    skim: (file, host, { verify = false, ...task }) =>
      finish(host, verify, task, skimFile(reader, file, sinkOf(host), { ...task, verify })),
    salvage: (file, host, { verify = false, ...task }) =>
      finish(host, verify, task, salvageFile(reader, file, sinkOf(host), { ...task, verify })),
    merge: (names, host, { verify = false, ...task }) =>
      mergeFiles(
        names.map((name, index) => ({
          name,
          open: () => opened(reader, host, host.open(index)),
        })),
        sinkOf(host),
        task,
        { written: verify ? () => opened(reader, host, host.written()) : undefined },
      ),
    exportTree: (file, host, { request, ...task }) => exportRoot(reader, file, request, sinkOf(host), task),
    histogram: async (histogram, host, { writer, name, signal }) => {
      const file = await NewFile.create(sinkOf(host), { writer, name, codec: parseCodec('zstd:5') });
      throwIfAborted(signal);
      await file.histogram(histogram.name, histogram);
      return file.finish();
    },
    planHeal: (file, { level = 'order', ...task }) => planHeal(reader, file, { ...task, level }),
    planSkim: (file, task) => planSkim(reader, file, task),
  };
}

async function opened(reader: ReaderApi, host: WriteHost, opening: Promise<FileInfo>) {
  const info = await opening;
  return { reader, info, close: () => host.close(info) };
}

const sinkOf = (host: WriteHost) => ({ write: (at: number, bytes: Uint8Array) => host.write(at, bytes) });

async function finish<T extends Copied>(
  host: WriteHost,
  verify: boolean,
  { signal, onProgress }: CallOptions,
  writing: Promise<T>,
): Promise<Omit<T, 'verify'>> {
  const { verify: compare, ...written } = await writing;
  if (!verify) return written;
  const copy = await host.written();
  try {
    await compare(copy, { signal, onProgress });
  } finally {
    await host.close(copy);
  }
  return written;
}
