import type { CallOptions, FileId, UrlSource, WholeSource } from '../api/api';
import type { Calculated } from '../api/calc';
import type { CorrectionsLibrary, CorrectionTools } from '../api/corrections';
import type { Histogram } from '../api/drawing';
import type { EngineApi } from '../api/engine-api';
import type { ExportRequest } from '../api/export';
import type { FitInput, FitOptions, FitResult, TogetherOptions, TogetherResult } from '../api/fit';
import type { ModelTools } from '../api/models';
import type { ProcessRequest, ProcessResult } from '../api/selector';
import type { Sink } from '../api/sink';
import type { Merged, WriteApi, WriteWork, WrittenNew } from '../api/write';
import type { BinContents } from '../bins/given-histogram';
import type { InsightCalls } from '../insight/api';
import type { Protocol } from '../io/schemes';
import type { ByteSource } from '../io/source';
import type { Lease } from '../library/shared-readers';
import type {
  FitValuesOptions,
  OpenSelector,
  ProcessedTree,
  ProcessOptions,
  TreePlace,
} from '../library/tree-handle';
import type { MergeFile, MergeRootOptions, RootWriter, WriteRootOptions } from '../library/write';
import type { Kind } from '../measure/partial-kind';
import type { EntryTree } from '../model/chain';
import type { RejectionOf } from '../pass/goals/goal';
import type { TaskRunner } from '../pass/types';
import type { PlotLook } from '../plot/look/look';
import type { AnyPlot } from '../plot/model';
import type { PlotWindow } from '../plot/ranges';
import type { FriendHost } from '../query/friends/friends';

/** A feature's entry for the worker of insight and writer, whose work Node does in its own thread. */
export interface WorkPart {
  /** Computations on metadata: the calls of `insight`. */
  insight?: InsightCalls;
  /** Those of them whose results are moved to the page. Nothing else may hold the memory of these. */
  moves?: readonly (keyof InsightCalls)[];
  /** Returns what writes files in this thread. `reader` reads the inputs. */
  writer?: () => Promise<(reader: EngineApi) => WriteWork>;
}

/** A feature's entry for what pages and programs call beside their reader. */
export interface ReaderPart {
  /** Kinds of partial results, by the commands that write them. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a query and a sum of its own
  kinds?: Readonly<Record<string, () => Promise<Kind<any, any>>>>;
  /**
   * Calls of `insight` that compute for long without a pause. In a page they run in a worker of their own, which is ended
   * when one is cancelled.
   */
  alone?: readonly (keyof InsightCalls)[];
  /** See `createWriter`. */
  writer?: () => Promise<
    (
      reader: EngineApi,
      work: () => WriteWork | Promise<WriteWork>,
      load: () => Promise<WebAssembly.Module>,
    ) => WriteApi
  >;
  /** Writes a selection of a tree in another format, in parts. */
  exportTree?: () => Promise<
    (
      reader: EngineApi,
      file: FileId,
      request: ExportRequest,
      options?: CallOptions,
    ) => AsyncIterable<Uint8Array>
  >;
}

/** A feature's entry for selectors: functions that their code gets. */
export interface ToolsPart {
  /** Returns the functions of `job` and `task` for the files that a selector declares, and the address of its module. */
  tools: () => Promise<
    (
      files: Readonly<Record<string, { readonly name: string; readonly bytes: Uint8Array; text(): string }>>,
      module: string,
    ) => Partial<CorrectionTools & ModelTools>
  >;
}

/** A feature's entry for plots of programs: `xylem/plot`. */
export interface PlotPart {
  /** Returns a plot as a figure for a paper. Throws ARGUMENT for a style that is not valid. */
  figureSvg?: () => Promise<(plot: AnyPlot, look: PlotLook, window: PlotWindow) => Promise<string>>;
}

/** A feature's entry for the functions of the library, and for the handles of files and trees. The page has none of it. */
export interface LibraryPart {
  /** Implements `mergeRoot`. `lease` returns the shared reader, and `named` interprets a text on this host. */
  mergeRoot?: () => Promise<
    (
      lease: () => Lease,
      files: readonly MergeFile[],
      sink: Sink,
      named: (text: string) => WholeSource,
      options: MergeRootOptions,
    ) => Promise<Merged>
  >;
  /** Implements `writeRoot`. `load` returns xylem-write.wasm, and `lease` the shared reader. */
  writeRoot?: () => Promise<
    (
      load: () => Promise<WebAssembly.Module>,
      lease: () => Lease,
      sink: Sink,
      write: (file: RootWriter) => Promise<void>,
      options: WriteRootOptions,
    ) => Promise<WrittenNew>
  >;
  /** Implements `fitHistogram`. `load` returns xylem-fit.wasm. */
  fit?: () => Promise<
    (
      load: () => Promise<WebAssembly.Module>,
      input: FitInput,
      text: string,
      options?: FitOptions,
    ) => Promise<FitResult>
  >;
  /** Implements `fitValues` of the handle of a tree. */
  fitValues?: () => Promise<
    (place: TreePlace, expression: string, text: string, options?: FitValuesOptions) => Promise<FitResult>
  >;
  /** Implements `fitTogether`. */
  fitTogether?: () => Promise<
    (
      load: () => Promise<WebAssembly.Module>,
      inputs: readonly FitInput[],
      functions: string | readonly string[],
      options: TogetherOptions,
    ) => Promise<TogetherResult>
  >;
  /** Implements `calculate`. */
  calculate?: () => Promise<
    (expression: string, histograms: Readonly<Record<string, Histogram | BinContents>>) => Promise<Calculated>
  >;
  /** Implements `openCorrections` and what is beside it, for the bytes of files. */
  corrections?: () => Promise<CorrectionsLibrary>;
  /** Implements `process` of the handle of a tree. */
  process?: () => Promise<
    (
      place: TreePlace,
      module: string | URL,
      options?: ProcessOptions,
    ) => Promise<ProcessedTree<Record<string, unknown>>>
  >;
  /** Starts a selector in workers of a page. */
  openSelector?: () => Promise<
    (workers: SelectorWorkers, ...call: Parameters<OpenSelector>) => ReturnType<OpenSelector>
  >;
}

/** Workers of a page that run the code of users. */
export interface SelectorWorkers {
  /** Starts a worker of `xylem-selector.worker.js`: by `own`, or at another address. */
  spawn(own: () => Worker): Worker;
  core(): Promise<WebAssembly.Module>;
}

/** A feature's entry for the worker of a page that reads. Its script is loaded first, so it holds nothing else. */
export interface SourcePart {
  /** The protocol of the addresses that it opens. */
  protocol: Protocol;
  /** Opens an address for the page of an origin, undefined if it has none; `gatewayKey` is the key of its gateway. */
  open: () => Promise<
    (url: string, origin: string | undefined, gatewayKey: string | undefined) => Promise<ByteSource>
  >;
}

/** A feature's entry for readers in Node. */
export interface NodePart {
  /** Opens addresses of a protocol. */
  source?: {
    protocol: Protocol;
    open: () => Promise<(url: string, options: { token: UrlSource['token'] | undefined }) => ByteSource>;
  };
  /** Implements `process` of the engine: runs the code of users over the entries of a tree. */
  process?:
    | (() => Promise<
        (
          tree: EntryTree,
          runner: TaskRunner,
          request: ProcessRequest,
          friends: FriendHost,
          options: CallOptions,
        ) => Promise<ProcessResult>
      >)
    | undefined;
}

/** A feature's entry for decode workers in Node. */
export interface DecodePart {
  /** Lets this thread run the code of users. */
  userCode?: () => Promise<RejectionOf>;
}
