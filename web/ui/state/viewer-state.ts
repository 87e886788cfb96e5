import type { ReadonlySignal, Signal } from '@preact/signals';
import type {
  ArraysResult,
  BranchInfo,
  CacheInfo,
  CallOptions,
  ChainPart,
  ClassInfo,
  DrawResult,
  FileId,
  FileInfo,
  KeyInfo,
  PlainObject,
  SourceSpec,
  TreeInfo,
} from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { ErrorRecord } from '../../base/errors';
import type { InsightApi } from '../../insight/api';
import type { Reading } from '../../insight/reads/reading';
import type { ReadRecord, TraceSummary } from '../../io/trace';
import { cyclePath, findKey } from '../../model/find-key';
import { isTree } from '../../model/key-kind';
import type { WriteApi } from '../../write/api';
import type { JsrootFrame } from '../jsroot/jsroot-view';
import type { ShownPlot } from '../plot/shown-plot';
import type { Activities } from './activities';
import type { SessionLink } from './address/session-link';
import type { PageState } from './address/url-state';
import type { Reference } from './comparison';
import type { KeyTree, NodeId, TreeState } from './contents-model';
import type { OpenFiles } from './open-files';
import type { DrawSettings, ObjectWay, PlotLook } from './plot-state';
import type { QueryHistory } from './query-history';

/** Rows of the table of entries on one page. */
export const tableRows = 20;

/** A file that is open. */
export interface OpenFile {
  source: SourceSpec;
  info: FileInfo;
  keyTree: KeyTree;
  /** The files of a list, of which the first that can be opened is this one. */
  chain?: readonly ChainPart[] | undefined;
}

/** Content of the right pane for the selected node. */
export type Content =
  | { kind: 'info' }
  | { kind: 'reading' }
  | ({ kind: 'draw' } & Drawn)
  | ({ kind: 'query'; query: Query } & Drawn)
  | { kind: 'entries'; result: ArraysResult; from: number }
  | { kind: 'object'; object: PlainObject }
  | { kind: 'classes'; classes: ClassInfo[] }
  | { kind: 'failed'; error: ErrorRecord }
  | { kind: 'cancelled' };

interface Drawn {
  result: DrawResult;
  reading: boolean;
  /** The result is from before the last change. */
  stale: boolean;
  /** Why there is no result of the last change: a mistake in its text. */
  mistake?: ErrorRecord | undefined;
}

/** Whether an error concerns an expression's text: it is shown at the text and not as a pane. */
export function isMistake(error: ErrorRecord): boolean {
  return error.where?.expression !== undefined && error.where.offset !== undefined;
}

/** A query as for TTree::Draw. */
export interface Query {
  expr: string;
  /** Empty when all entries count. */
  cut: string;
  /** The mean of y in bins of x. */
  profile: boolean;
}

/** The selection, with everything known about it. */
export type Selection =
  | { kind: 'file' }
  | { kind: 'key'; key: KeyInfo; keyIndex: number }
  | { kind: 'branch'; key: KeyInfo; keyIndex: number; tree: TreeInfo; branch: BranchInfo };

export type BranchView = 'plot' | 'entries';
export type Theme = 'system' | 'light' | 'dark';

/** State and actions of one viewer. Components read the signals and call the actions. */
export interface ViewerStore {
  readonly file: ReadonlySignal<OpenFile | null>;
  /** The source that is being opened or failed to open. */
  readonly opening: ReadonlySignal<SourceSpec | null>;
  readonly openError: ReadonlySignal<ErrorRecord | null>;
  readonly trees: ReadonlySignal<ReadonlyMap<number, TreeState>>;
  /** The rows of the contents that are open, and those that were folded while there is a filter. */
  readonly expanded: ReadonlySignal<ReadonlySet<NodeId>>;
  readonly folded: ReadonlySignal<ReadonlySet<NodeId>>;
  readonly filter: Signal<string>;
  readonly selected: ReadonlySignal<NodeId>;
  readonly selection: ReadonlySignal<Selection | null>;
  readonly content: ReadonlySignal<Content>;
  readonly branchView: ReadonlySignal<BranchView>;
  /** The selected view of files and trees (see view-list.tsx), and its own state as in the address. */
  readonly view: ReadonlySignal<string>;
  readonly viewParams: ReadonlySignal<string>;
  readonly settings: ReadonlySignal<DrawSettings>;
  /** Cut under which the selected branch is drawn; empty for all values. */
  readonly branchCut: ReadonlySignal<string>;
  /** The query of the last selected tree, in its view `draw`. */
  readonly query: ReadonlySignal<Query | null>;
  readonly history: QueryHistory;
  readonly look: Signal<PlotLook>;
  /** Way in which the stored object is shown; undefined for its default. */
  readonly way: Signal<ObjectWay | undefined>;
  /** The shown part of the stored object: names from list to list; empty for all of it. */
  readonly part: ReadonlySignal<string>;
  /** The shown plot, as it is drawn; null when there is none. */
  readonly shownPlot: Signal<ShownPlot | null>;
  readonly theme: Signal<Theme>;
  /** Where JSROOT draws. */
  readonly jsroot: JsrootFrame | undefined;
  /** Whether a script may ask for the picture of what is shown, also of what JSROOT draws. */
  readonly keepsPictures: boolean;
  readonly trace: ReadonlySignal<TraceSummary | null>;
  /** Network files cached on this machine. */
  readonly cache: ReadonlySignal<CacheInfo | null>;
  /** Result of keeping the file offline; null when it was not requested. */
  readonly keeping: ReadonlySignal<string | null>;
  /** The link to the server of the shown file, the same in all views. */
  readonly link: SessionLink;
  /** Duration of the last finished action in ms. */
  readonly lastTime: ReadonlySignal<number | null>;
  readonly activities: Activities;
  /** Long computations on metadata, in a worker when the reader has one for it. */
  readonly insight: InsightApi;
  /** Writes ROOT files; undefined when the reader cannot. */
  readonly writer: WriteApi | undefined;
  /** A saved reading, by xylem or by ROOT, shown together with the reads of the open file. */
  readonly savedReading: Signal<Reading | undefined>;
  /** The file to compare with. */
  readonly reference: Reference;
  /** All open files, with the shown one. */
  readonly files: OpenFiles;
  /** The state that a link to this view holds; empty for files that no link can name. */
  readonly pageState: ReadonlySignal<PageState>;
  /** The shown state, without the file: also for files that no link can name. */
  readonly shownState: ReadonlySignal<PageState>;
  /** Whether the target of a link is being read, and not shown yet. */
  readonly arriving: ReadonlySignal<boolean>;

  open(source: SourceSpec, view?: PageState): Promise<void>;
  fail(error: ErrorRecord): void;
  retryOpen(): void;
  closeFile(): void;
  select(id: NodeId): void;
  /** Shows the state of a link; unless `keepPlot`, plot choices that it leaves out get their defaults. */
  show(view: PageState, keepPlot?: boolean): Promise<void>;
  /** Shows an earlier state: unlike `show`, everything that the state leaves out gets its default. */
  restore(view: PageState): Promise<void>;
  /** Opens or closes a row of the contents; a tree is read when its row is opened. */
  unfold(id: NodeId, open: boolean): void;
  readAllTrees(): void;
  /** Reads the trees that cost little, so that the contents show their entries and sizes. */
  readSmallTrees(): void;
  /** Shows a part of the stored object. */
  choosePart(path: string): void;
  setBranchView(view: BranchView): void;
  /** Chooses a view of the file or tree; `params` is its own state. */
  setView(id: string, params?: string): void;
  /** Draws the selected branch under a cut, with its bins and range; an empty cut takes all values. */
  cutBranch(cut: string): void;
  /**
   * Draws from the selected tree, or the tree of the selected branch. Choices of the plot stay for the same expression,
   * and with `keepPlot` for a changed one.
   */
  runQuery(query: Query, keepPlot?: boolean): void;
  setSettings(change: Partial<DrawSettings>): void;
  showEntries(from: number): void;
  /** Each read of the open file so far. */
  reads(): Promise<ReadRecord[]>;
  /** Runs a view's reading of the open file; it is listed as running, and can be cancelled. */
  call<T>(
    slot: string,
    label: string,
    run: (api: EngineApi, file: FileId, options: CallOptions) => Promise<T>,
  ): Promise<T>;
  /** Reads again after a failure; a file that changed is opened again. */
  reload(): void;
  /** Opens the file again and restores the shown state. */
  reopen(): void;
  /** Drops cached bytes of some files, by their keys, or of all. */
  clearCache(files?: readonly string[]): Promise<void>;
  /** Sets the limit of the cache. */
  limitCache(maxBytes: number): Promise<void>;
  /** Fetches the whole file into the cache; the result is in `keeping`. */
  keepOffline(): Promise<void>;
  dispose(): void;
}
/** The path for a link: with the cycle only when another cycle would be meant without it. */
export function keyPath(key: KeyInfo, keyTree: KeyTree | undefined, index: number): string {
  return keyTree?.superseded[index] === true ? cyclePath(key) : key.path;
}

/** Index of the key that a link names by its path, perhaps with ";cycle". */
export function findKeyIndex({ keys }: KeyTree, wanted: string): number | undefined {
  const key = findKey(keys, wanted);
  return key && keys.indexOf(key);
}

/** The tree and the branch that a path names together: "dir/tree/branch.member", perhaps with ";cycle". */
export function findBranchItem(keyTree: KeyTree, item: string): [index: number, branch: string] | undefined {
  const path = item.replace(/^\/+/, '');
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const index = findKeyIndex(keyTree, path.slice(0, slash));
    const key = index === undefined ? undefined : keyTree.keys[index];
    if (index !== undefined && key !== undefined && isTree(key)) return [index, path.slice(slash + 1)];
  }
  return undefined;
}

/** The object that a path leads into, and the rest of the path: "dir/list/inner/name". */
export function findPartItem(keyTree: KeyTree, item: string): [index: number, part: string] | undefined {
  const path = item.replace(/^\/+/, '');
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const index = findKeyIndex(keyTree, path.slice(0, slash));
    const key = index === undefined ? undefined : keyTree.keys[index];
    if (index !== undefined && key !== undefined && !isTree(key) && key.kind !== 'directory')
      return [index, path.slice(slash + 1)];
  }
  return undefined;
}

/** Whether damage was found when a file was opened. */
export function isDamaged({ files, notes, offline }: FileInfo): boolean {
  // A file that is read without its server has a note that says that.
  return !files && notes.length > (offline ? 1 : 0);
}

/** Whether a source is a list of files: a text file of addresses, or several files. */
export function isList(source: SourceSpec): boolean {
  if (source.kind === 'url') return (source.url.split(/[?#]/, 1)[0] ?? '').toLowerCase().endsWith('.txt');
  return source.kind === 'chain' || (source.kind === 'blob' && source.name.endsWith('.txt'));
}

/** The name of a source before it is open. */
export function sourceName(source: SourceSpec): string {
  switch (source.kind) {
    case 'url':
      return source.url.split(/[?#]/, 1)[0]?.split('/').pop() || source.url;
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
      return source.files[0]
        ? `${sourceName(source.files[0].source)} and ${source.files.length - 1} more`
        : '';
  }
}
