import type {
  AxisRequest,
  BranchSummary,
  CallOptions,
  DrawRequest,
  EntrySelection,
  Frequencies,
  FriendTree,
  Histogram,
  RulesOfRoot,
  SummaryRequest,
  TableValue,
  TreeInfo,
} from '../api/api';
import { XylemError } from '../base/errors';
import type { Rule } from '../base/options';
import type { ExportRequest } from '../export/export-tree';
import type { XylemReader } from '../write/api';
import { type ArrayOptions, type ChunkOptions, readArrays, readChunkArrays } from './arrays';
import { type Drawn, drawn } from './drawn';
import type { NameOf, Names } from './names';
import { DRAW, NUMBERS, SUMMARIZE } from './options';
import type { Rows } from './rows';
import { scanRows } from './scan-rows';

/** Columns by the requested names. */
export type Arrays<N extends Names = string> = { [K in NameOf<N>]: Rows };
/** Columns whose types the caller knows: `arrays<{ MET_pt: number; Muon_pt: number[] }>(…)`. */
export type TypedArrays<T extends object> = { [K in keyof T]: Rows<T[K]> };

/** One row of a scan: the value of each expression, by its text; a list when an entry has several. */
export type ScanRow = Record<string, TableValue | TableValue[] | null>;

/** Options of expressions. */
export interface ExpressionOptions extends CallOptions {
  /** Selects and weights, as TTree::Draw does: values for which it is 0 do not count. */
  cut?: string | undefined;
  entries?: EntrySelection | undefined;
  rootVersion?: RulesOfRoot | undefined;
  /** Start of the random numbers of `rndm`. Default 1. */
  seed?: number | undefined;
}

export interface DrawOptions extends ExpressionOptions {
  /** Number of bins along x, or of each axis. */
  bins?: number | readonly number[] | undefined;
  /** Ends of the axis along x, or of each axis; a missing one is found from the values. */
  range?:
    | readonly [low: number, high: number]
    | readonly (readonly [number, number] | undefined)[]
    | undefined;
  /**
   * How ends are found that are not given: as ROOT does ("root", the default), or "tight" around the values.
   */
  axis?: 'root' | 'tight' | undefined;
  /** "prof" averages y in bins of x; "norm" divides by the sum of weights. */
  option?: string | undefined;
}

export interface ScanOptions extends ExpressionOptions {
  /** Maximum number of rows. Without it there is no limit. */
  limit?: number | undefined;
  /** "entry", the default: a row for each entry. "instance": a row for each element, as TTree::Scan prints them. */
  by?: 'entry' | 'instance' | undefined;
}

/** A TTree or RNTuple of an open file. */
export interface TreeHandle {
  readonly info: TreeInfo;
  /**
   * Reads branches and expressions whole, by name. Without names: all branches. Throws the errors of reading
   * any of them. For trees that are larger than memory there is `chunks`.
   */
  arrays<const N extends Names = string>(names?: N, options?: ArrayOptions): Promise<Arrays<N>>;
  arrays<T extends object>(names?: Names, options?: ArrayOptions): Promise<TypedArrays<T>>;
  /** The same in chunks of some entries. The next chunk is read while the caller works on one. */
  chunks<const N extends Names = string>(names?: N, options?: ChunkOptions): AsyncIterable<Arrays<N>>;
  chunks<T extends object>(names?: Names, options?: ChunkOptions): AsyncIterable<TypedArrays<T>>;
  /** Draws expressions, "y:x" for two axes, as TTree::Draw does. A branch is the simplest expression. */
  draw(expression: string, options?: DrawOptions): Promise<Drawn>;
  /** Computes expressions, with colons between them, row by row, as TTree::Scan does. */
  scan(expressions: string, options?: ScanOptions): AsyncIterable<ScanRow>;
  /** The numbers of the entries that pass a cut, ascending: a selection for other calls. */
  entryNumbers(cut: string, options?: Omit<ExpressionOptions, 'cut'>): Promise<Float64Array>;
  summarize(request?: Omit<SummaryRequest, 'tree'>, options?: CallOptions): Promise<BranchSummary[]>;
  /** A file of another format, in pieces: see `exportTree`. */
  export(request: Omit<ExportRequest, 'tree'>, options?: CallOptions): AsyncIterable<Uint8Array>;
}

/** The place of a tree: reader, file, path, and its friends. */
export interface TreePlace {
  reader: XylemReader;
  file: number;
  fileName: string;
  tree: string;
  info: TreeInfo;
  friends: FriendTree[] | undefined;
  /** Throws ARGUMENT where the file was closed, and for options that break the rules. */
  check(method: string, options: unknown, rules?: { readonly [name: string]: Rule }): void;
}

export function treeHandle(place: TreePlace): TreeHandle {
  const { reader, file, fileName, tree, info, friends, check } = place;
  const base = { tree, ...(friends && { friends }) };
  const calls = {
    info,
    arrays: (names?: Names, options?: ArrayOptions) => readArrays(place, names, options),
    chunks: (names?: Names, options?: ChunkOptions) => readChunkArrays(place, names, options),
    draw: async (expr: string, options: DrawOptions = {}) => {
      check('draw', options, DRAW);
      const { cut, entries, rootVersion, seed, bins, range, axis, option, ...call } = options;
      if (expr.includes(':') && info.branches.some(({ path }) => path === expr)) throw colonInPath(expr);
      const request: DrawRequest = {
        ...base,
        expr,
        cut,
        entries,
        rootVersion,
        seed,
        option,
        axes: axesOf(bins, range, axis),
      };
      const result = await reader.draw(file, request, call);
      return drawn(histogramOf(result));
    },
    scan: (columns: string, options?: ScanOptions) => scanRows(place, columns, options),
    entryNumbers: async (cut: string, options: Omit<ExpressionOptions, 'cut'> = {}) => {
      check('entryNumbers', options, NUMBERS);
      const { passingEntries } = await import('../export/expressions');
      const { entries, rootVersion, seed, ...call } = options;
      return passingEntries(reader, file, { ...base, cut, entries, rootVersion, seed }, call);
    },
    summarize: async (request: Omit<SummaryRequest, 'tree'> = {}, options?: CallOptions) => {
      check('summarize', request, SUMMARIZE);
      check('summarize', options);
      return reader.summarize(file, { ...request, tree }, options);
    },
    export: async function* (request: Omit<ExportRequest, 'tree'>, options?: CallOptions) {
      check('export', options);
      const { exportTree } = await import('../export/export-tree');
      yield* exportTree(reader, file, { ...base, fileName, ...request, tree }, options);
    },
  };
  return calls as unknown as TreeHandle;
}

function histogramOf<T extends { kind: string }>(result: T): T & (Histogram | Frequencies) {
  if (result.kind !== 'entries') return result as T & (Histogram | Frequencies);
  throw new XylemError({
    code: 'ARGUMENT',
    message: 'This lists entries, which is not a drawing.',
    fix: 'Call entryNumbers(cut) for the numbers of the entries that pass.',
  });
}

/** Fields of base classes of an RNTuple have colons in their paths, which separate expressions. */
function colonInPath(path: string): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `The path "${path}" has a colon, so that it cannot be an expression.`,
    where: { path },
    fix: `Read it with arrays(['${path}']).`,
  });
}

/** At most three axes have bins. */
const MAX_AXES = 3;

/** Bins and ranges by axis, x first. */
function axesOf(
  bins: DrawOptions['bins'],
  range: DrawOptions['range'],
  rule: DrawOptions['axis'],
): AxisRequest[] {
  const counts = typeof bins === 'object' ? bins : [bins];
  const isPair = (value: DrawOptions['range']): value is readonly [number, number] =>
    value?.length === 2 && typeof value[0] === 'number';
  const ranges =
    range === undefined || isPair(range)
      ? [range]
      : (range as readonly (readonly [number, number] | undefined)[]);
  return Array.from({ length: MAX_AXES }, (_, i) => {
    const [low, high] = ranges[i] ?? [];
    return {
      bins: counts[i],
      range: low === undefined || high === undefined ? undefined : [low, high],
      rule,
    };
  });
}
