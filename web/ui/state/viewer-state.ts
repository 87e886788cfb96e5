import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ErrorRecord } from '../base/errors';
import type {
  BranchInfo,
  CacheInfo,
  CallOptions,
  ClassInfo,
  DrawResult,
  FileId,
  FileInfo,
  KeyInfo,
  PlainObject,
  QueryOutcome,
  ReaderApi,
  ReadResult,
  SourceSpec,
  TreeInfo,
} from '../file/api';
import type { InsightApi } from '../insight/api';
import type { PerfReport } from '../insight/perf';
import type { ReadRecord, TraceSummary } from '../io/trace';
import type { Activities } from './activities';
import { type ContentRow, isTree, type KeyTree, type NodeId, type TreeState } from './contents-model';
import type { OpenFiles } from './open-files';
import type { PageState } from './page-state';
import type { DrawSettings, ObjectWay, PlotLook } from './plot-state';
import type { QueryHistory } from './query/query-history';
import type { Reference } from './reference';

/** Rows of the table of entries on one page. */
export const tableRows = 20;

/** A file that is open. */
export interface OpenFile {
  source: SourceSpec;
  info: FileInfo;
  keyTree: KeyTree;
}

/** What the right pane shows of the selected node. */
export type Content =
  | { kind: 'info' }
  | { kind: 'reading' }
  | { kind: 'draw'; result: DrawResult; reading: boolean; stale: boolean }
  | { kind: 'query'; query: Query; result: QueryOutcome; reading: boolean; stale: boolean }
  | { kind: 'entries'; result: ReadResult; from: number }
  | { kind: 'object'; object: PlainObject }
  | { kind: 'classes'; classes: ClassInfo[] }
  | { kind: 'failed'; error: ErrorRecord }
  | { kind: 'cancelled' };

/** What TTree::Draw is asked for. */
export interface Query {
  expr: string;
  /** Empty where everything counts. */
  cut: string;
  /** The mean of y in bins of x. */
  profile: boolean;
}

/** What is selected, with everything known about it. */
export type Selection =
  | { kind: 'file' }
  | { kind: 'key'; key: KeyInfo; keyIndex: number }
  | { kind: 'branch'; key: KeyInfo; keyIndex: number; tree: TreeInfo; branch: BranchInfo };

export type BranchView = 'plot' | 'entries';
export type Theme = 'system' | 'light' | 'dark';

/** State and actions of one viewer. Components read the signals and call the actions. */
export interface ViewerStore {
  readonly file: ReadonlySignal<OpenFile | null>;
  /** What is being opened or failed to open. */
  readonly opening: ReadonlySignal<SourceSpec | null>;
  readonly openError: ReadonlySignal<ErrorRecord | null>;
  readonly trees: ReadonlySignal<ReadonlyMap<number, TreeState>>;
  readonly rows: ReadonlySignal<ContentRow[]>;
  readonly filter: Signal<string>;
  readonly selected: ReadonlySignal<NodeId>;
  readonly selection: ReadonlySignal<Selection | null>;
  readonly content: ReadonlySignal<Content>;
  readonly branchView: ReadonlySignal<BranchView>;
  /** The view of files and trees that was chosen (see views.tsx), and its own state as it stands in the address. */
  readonly view: ReadonlySignal<string>;
  readonly viewParams: ReadonlySignal<string>;
  readonly settings: ReadonlySignal<DrawSettings>;
  /** What is drawn of the tree that was chosen last, in its view `draw`. */
  readonly query: ReadonlySignal<Query | null>;
  readonly history: QueryHistory;
  readonly look: Signal<PlotLook>;
  /** How the stored object is shown; undefined as fits it. */
  readonly way: Signal<ObjectWay | undefined>;
  readonly theme: Signal<Theme>;
  /** Address of the frame in which JSROOT draws. */
  readonly jsroot: string | undefined;
  readonly trace: ReadonlySignal<TraceSummary | null>;
  /** What is kept on this machine of files read over the network. */
  readonly cache: ReadonlySignal<CacheInfo | null>;
  /** How keeping the file offline ended; null when nobody asked for it. */
  readonly keeping: ReadonlySignal<string | null>;
  /** Duration of the last finished action in ms. */
  readonly lastTime: ReadonlySignal<number | null>;
  readonly activities: Activities;
  /** What takes long to work out of metadata, in a worker where the reader has one for it. */
  readonly insight: InsightApi;
  /** A reading that was saved, by xylem or by ROOT, laid over what is read of the open file. */
  readonly savedReading: Signal<PerfReport | undefined>;
  /** The file to compare with. */
  readonly reference: Reference;
  /** All files that are open, the one that is shown among them. */
  readonly files: OpenFiles;
  /** What a link to this view holds; empty for files that no link can name. */
  readonly pageState: ReadonlySignal<PageState>;
  /** What is shown, without the file: also for files that no link can name. */
  readonly shownState: ReadonlySignal<PageState>;
  /** What a link asks for is being read, and not shown yet. */
  readonly arriving: ReadonlySignal<boolean>;

  open(source: SourceSpec, view?: PageState): Promise<void>;
  fail(error: ErrorRecord): void;
  retryOpen(): void;
  closeFile(): void;
  select(id: NodeId): void;
  /** Shows what a link asks for; unless `keepPlot`, what it does not say of a plot is as at first. */
  show(view: PageState, keepPlot?: boolean): Promise<void>;
  /** Shows what was shown before: unlike `show`, what the state does not name is as at first. */
  restore(view: PageState): Promise<void>;
  toggle(id: NodeId, expand?: boolean): void;
  readAllTrees(): void;
  setBranchView(view: BranchView): void;
  /** Chooses a view of the file or tree; `params` is its own state. */
  setView(id: string, params?: string): void;
  /** Draws of the tree that is chosen, or whose branch is. */
  runQuery(query: Query): void;
  setSettings(change: Partial<DrawSettings>): void;
  showEntries(from: number): void;
  /** Each read of the open file so far. */
  reads(): Promise<ReadRecord[]>;
  /** Runs what reads the open file for a view; it shows as under way, and can be cancelled. */
  call<T>(
    slot: string,
    label: string,
    run: (api: ReaderApi, file: FileId, options: CallOptions) => Promise<T>,
  ): Promise<T>;
  reload(): void;
  /** Drops what is kept of some files, by their keys, or of all. */
  clearCache(files?: readonly string[]): Promise<void>;
  /** Bounds what is kept. */
  limitCache(maxBytes: number): Promise<void>;
  /** Fetches the whole file into the cache; how that ended is in `keeping`. */
  keepOffline(): Promise<void>;
  dispose(): void;
}
/** The path with its cycle, which names one record of the file. */
export function cyclePath(key: KeyInfo): string {
  return `${key.path};${key.cycle}`;
}

/** The path for a link: with the cycle only where another cycle would be meant without it. */
export function keyPath(key: KeyInfo, keyTree: KeyTree | undefined, index: number): string {
  return keyTree?.superseded[index] === true ? cyclePath(key) : key.path;
}

/** Index of the key that a link names by its path, perhaps with ";cycle". */
export function findKey(keyTree: KeyTree, wanted: string): number | undefined {
  const path = wanted.replace(/^\/+/, '');
  const exact = keyTree.keys.findIndex((key) => cyclePath(key) === path);
  if (exact >= 0) return exact;
  const newest = keyTree.keys.findIndex((key, i) => key.path === path && keyTree.superseded[i] !== true);
  return newest < 0 ? undefined : newest;
}

/** The tree and the branch that a path names together: "dir/tree/branch.member", perhaps with ";cycle". */
export function findBranchItem(keyTree: KeyTree, item: string): [index: number, branch: string] | undefined {
  const path = item.replace(/^\/+/, '');
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const index = findKey(keyTree, path.slice(0, slash));
    const key = index === undefined ? undefined : keyTree.keys[index];
    if (index !== undefined && key !== undefined && isTree(key)) return [index, path.slice(slash + 1)];
  }
  return undefined;
}

/** What a source is called before it is open. */
export function sourceName(source: SourceSpec): string {
  switch (source.kind) {
    case 'url':
      return (
        source.url
          .replace(/[?#].*$/, '')
          .split('/')
          .pop() || source.url
      );
    case 'blob':
    case 'buffer':
      return source.name;
    case 'path':
      return source.path;
    case 'source':
      return source.source.name;
    case 'within':
      return `${sourceName(source.outer)}@${source.offset}`;
    case 'chain':
      return source.files[0] ? sourceName(source.files[0].source) : '';
  }
}
