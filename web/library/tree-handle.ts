import type {
  AxisRule,
  BranchSummary,
  CallOptions,
  ChainPart,
  DrawAllRequest,
  DrawRequest,
  ExpressionRules,
  FriendTree,
  SummaryRequest,
  TableValue,
  TreeInfo,
} from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { ChunkRequest, ExportRequest } from '../api/export';
import type { FitOptions, FitResult } from '../api/fit';
import type { EngineReader } from '../api/reader';
import type { ProcessRequest, ProcessResult, Sample } from '../api/selector';
import { throwIfAborted } from '../base/errors';
import type { Rule } from '../base/options';
import { slotOf } from '../base/slot';
import * as features from '../features/library';
import * as readerFeatures from '../features/reader';
import type { LibraryPart, ReaderPart } from '../features/work-part';
import { drawList, drawOne } from './draw';
import type { Drawn, DrawnHistogram } from './drawn';
import type { NameOf, Names } from './names';
import { NUMBERS, SUMMARIZE } from './options';
import type { Rows } from './rows';
import { scanRows } from './scan-rows';
import type { OneSource } from './sources';

/** Columns by the requested names. */
export type Arrays<N extends Names = string> = { [K in NameOf<N>]: Rows };
/** Columns whose types the caller knows: `arrays<{ MET_pt: number; Muon_pt: number[] }>(…)`. */
export type TypedArrays<T extends object> = { [K in keyof T]: Rows<T[K]> };

/** One row of a scan: the value of each expression, by its text; a list when an entry has several. */
export type ScanRow = Record<string, TableValue | TableValue[] | null>;

export interface ExpressionOptions extends CallOptions, ExpressionRules {}

export interface ChunkOptions extends ExpressionOptions, Pick<ChunkRequest, 'chunkBytes'> {}

/** How a histogram is filled. */
export interface DrawShape extends Pick<DrawRequest, 'cut' | 'option'> {
  /** Number of bins along x, or of each axis. */
  bins?: number | readonly number[] | undefined;
  /** Ends of the axis along x, or of each axis; a missing one is found from the values. */
  range?:
    | readonly [low: number, high: number]
    | readonly (readonly [number, number] | undefined)[]
    | undefined;
  axis?: AxisRule | undefined;
}

export interface DrawOptions extends ExpressionOptions, DrawShape {}

/** One of several histograms that are filled together. */
export interface DrawChoice extends DrawShape {
  /** An expression, or several for several axes, as `draw` takes it. */
  expr: string;
}

/** Options of histograms that are filled together. */
export interface DrawListOptions extends Omit<ExpressionOptions, 'cut'>, Pick<DrawAllRequest, 'sameAxes'> {}

export interface ScanOptions extends ExpressionOptions {
  /** Maximum number of rows. Without it there is no limit. */
  limit?: number | undefined;
  /**
   * "entry", the default: a row for each entry for which the cut is true anywhere, with whole lists. "instance": a row for each
   * element for which it is true, as TTree::Scan prints them.
   */
  by?: 'entry' | 'instance' | undefined;
}

export interface ProcessOptions
  extends CallOptions,
    Pick<ProcessRequest, 'set' | 'entries' | 'rootVersion' | 'limitMs'> {
  /** Divides a list of files: each of them belongs to one sample, whose name and weights the code gets. */
  samples?: readonly SampleChoice[] | undefined;
  /** Samples with cross sections are scaled to it: in 1/pb where these are in pb. */
  luminosity?: number | undefined;
}

/** A sample, as in the list of `xylem process --samples`. */
export interface SampleChoice extends Sample {
  /** Some of the files that `openRoot` was given, as they were given. */
  files: OneSource | readonly OneSource[];
}

/** Options of a fit to values: those of the fit, and which values are fitted. */
export interface FitValuesOptions extends ExpressionOptions, FitOptions {}

/** The results of a selector; the caller knows their types. */
export interface ProcessedTree<R extends object = Record<string, DrawnHistogram>>
  extends Pick<ProcessResult, 'entries' | 'passed' | 'optional' | 'partial'> {
  /** Those of samples with cross sections are scaled and added; of all, where none has one. */
  results: R;
  /** Each of the samples, by name. */
  samples?: Record<string, ProcessedSample<R>> | undefined;
}

/** The results of one sample, times its scale: cross section × luminosity / sum of weights; 1 of data. */
export interface ProcessedSample<R extends object = Record<string, DrawnHistogram>> {
  results: R;
  entries: number;
  passed: number;
  sumOfWeights: number;
  scale: number;
}

/** A TTree or RNTuple of an open file. */
export interface TreeHandle {
  readonly info: TreeInfo;
  /**
   * Reads branches and expressions whole, by name. Without names: all branches. Throws the errors of reading
   * any of them. For trees that are larger than memory there is `chunks`.
   */
  arrays<const N extends Names = string>(names?: N, options?: ExpressionOptions): Promise<Arrays<N>>;
  arrays<T extends object>(names?: Names, options?: ExpressionOptions): Promise<TypedArrays<T>>;
  /** The same in chunks of some entries. The next chunk is read while the caller works on one. */
  chunks<const N extends Names = string>(names?: N, options?: ChunkOptions): AsyncIterable<Arrays<N>>;
  chunks<T extends object>(names?: Names, options?: ChunkOptions): AsyncIterable<TypedArrays<T>>;
  /** Draws expressions, "y:x" for two axes, as TTree::Draw does. A branch is the simplest expression. */
  draw(expression: string, options?: DrawOptions): Promise<Drawn>;
  /**
   * Draws any number of histograms together: each basket is fetched and decoded once for all of them. The results are in
   * the order of the list. Throws the error of the first that is mistaken.
   */
  draw(list: readonly DrawChoice[], options?: DrawListOptions): Promise<Drawn[]>;
  /** Computes expressions, with colons between them, row by row: as TTree::Scan does with `by: 'instance'`. */
  scan(expressions: string, options?: ScanOptions): AsyncIterable<ScanRow>;
  /** The numbers of the entries that pass a cut, ascending: a selection for other calls. */
  entryNumbers(cut: string, options?: Omit<ExpressionOptions, 'cut'>): Promise<Float64Array>;
  /**
   * Runs a selector: the default export of a module, which is loaded in the threads that decode, or in a page in workers of
   * its own. Returns what it made, by the names of its state: histograms, numbers of counters, and columns of tables.
   */
  process<R extends object = Record<string, DrawnHistogram>>(
    module: string | URL,
    options?: ProcessOptions,
  ): Promise<ProcessedTree<R>>;
  /**
   * Fits a function to the values of an expression that pass `cut`, without bins: an extended likelihood, in which the function
   * is the number of values per unit of x. Weights of the cut weigh the values. In a page they stay in workers. Throws as
   * `fitHistogram`, BUDGET for more values than memory, and the errors of reading.
   */
  fitValues(expression: string, text: string, options?: FitValuesOptions): Promise<FitResult>;
  summarize(request?: Omit<SummaryRequest, 'tree'>, options?: CallOptions): Promise<BranchSummary[]>;
  /**
   * Writes a selection of branches and entries in another format, and yields the file in parts. The tree is read chunk by
   * chunk while the caller takes the parts, so that the file may be larger than memory. Throws ARGUMENT for a format that
   * there is not, UNSUPPORTED when the format cannot hold a branch, and the errors of reading; the parts before an error
   * are not a complete file.
   */
  export(request: Omit<ExportRequest, 'tree'>, options?: CallOptions): AsyncIterable<Uint8Array>;
}

/** Starts a selector that runs apart from the reader, until `end`. */
export type OpenSelector = (
  reader: EngineApi,
  selector: Pick<ProcessRequest, 'module' | 'set' | 'limitMs'> & { isChain: boolean },
  options: CallOptions,
) => Promise<{ process: EngineApi['process']; end(): void }>;

/** The place of a tree: reader, file, path, and its friends. */
export interface TreePlace {
  reader: EngineReader;
  file: number;
  fileName: string;
  tree: string;
  info: TreeInfo;
  friends: FriendTree[] | undefined;
  /** Throws ARGUMENT where the file was closed, and for options that break the rules. */
  check(method: string, options: unknown, rules?: { readonly [name: string]: Rule }): void;
  /** The files of the tree, as they were given and as they are opened. */
  sources(): { given: OneSource; part: ChainPart }[];
  /** Starts a selector; undefined where the reader runs them. */
  isChain: boolean;
  openSelector?: OpenSelector | undefined;
}

export function treeHandle(place: TreePlace): TreeHandle {
  const { reader, file, fileName, tree, info, friends, check } = place;
  const base = { tree, ...(friends && { friends }) };
  const calls = {
    info,
    arrays: async (names?: Names, options?: ExpressionOptions) =>
      (await import('./arrays')).readArrays(place, names, options),
    chunks: async function* (names?: Names, options?: ChunkOptions) {
      const { readChunkArrays } = await import('./arrays');
      for await (const chunk of readChunkArrays(place, names, options)) {
        yield chunk;
        throwIfAborted(options?.signal);
      }
    },
    draw: (what: string | readonly DrawChoice[], options?: DrawOptions) =>
      typeof what === 'string' ? drawOne(place, what, options) : drawList(place, what, options),
    scan: (columns: string, options?: ScanOptions) => scanRows(place, columns, options),
    entryNumbers: async (cut: string, options: Omit<ExpressionOptions, 'cut'> = {}) => {
      check('entryNumbers', options, NUMBERS);
      const { passingEntries } = await import('../export/expressions');
      const { entries, rootVersion, seed, ...call } = options;
      return passingEntries(reader, file, { ...base, cut, entries, rootVersion, seed }, call);
    },
    process: async (module: string | URL, options?: ProcessOptions) =>
      (await slotOf<LibraryPart, 'process'>(features, 'process', 'selectors')())(place, module, options),
    fitValues: async (expression: string, text: string, options?: FitValuesOptions) =>
      (await slotOf<LibraryPart, 'fitValues'>(features, 'fitValues', 'fits')())(
        place,
        expression,
        text,
        options,
      ),
    summarize: async (request: Omit<SummaryRequest, 'tree'> = {}, options?: CallOptions) => {
      check('summarize', request, SUMMARIZE);
      check('summarize', options);
      return reader.summarize(file, { ...request, tree }, options);
    },
    export: async function* (request: Omit<ExportRequest, 'tree'>, options?: CallOptions) {
      check('export', options);
      const exportTree = await slotOf<ReaderPart, 'exportTree'>(readerFeatures, 'exportTree', 'exports')();
      yield* exportTree(reader, file, { ...base, fileName, ...request, tree }, options);
    },
  };
  return calls as unknown as TreeHandle;
}
