import type { ReadonlySignal, Signal } from '@preact/signals';
import type {
  ArraysResult,
  BranchInfo,
  ChainPart,
  ClassInfo,
  DrawResult,
  FileInfo,
  KeyInfo,
  PlainObject,
  SourceSpec,
  TreeInfo,
} from '../../api/api';
import type { Sink } from '../../api/sink';
import type { WriteApi } from '../../api/write';
import type { ErrorRecord } from '../../base/errors';
import type { PageInsight } from '../../insight/api';
import { cyclePath, findKey, isTree } from '../../model/keys';
import type { Report } from '../../report/report';
import type { SelectorPlace } from '../embed/selector-place';
import type { RowsDetail } from '../embed/viewer-event-types';
import type { JsrootFrame, JsrootScript } from '../object/jsroot-place';
import type { Activities } from './activities';
import type { KeyTree } from './contents-model';
import type { ContentsState } from './contents-state';
import type { FileSession } from './file-session';
import type { Jobs } from './jobs';
import type { Navigation } from './navigation';
import type { OpenFiles } from './open-files';
import type { PlotChoicesState } from './plot-choices';
import type { QueryHistory } from './query-history';
import type { Recent } from './recent/recent';
import type { SelectionState } from './selection';
import type { Traffic } from './traffic';

/** Number of rows of the table of entries on one page. */
export const TABLE_ROWS = 20;

export interface OpenFile {
  source: SourceSpec;
  info: FileInfo;
  keyTree: KeyTree;
  /** The files of a list. This is the first of them that can be opened. */
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
  /** Whether there is more to read. */
  reading: boolean;
  /** Whether reading was cancelled. */
  cancelled?: boolean | undefined;
  /** Whether the result is from before the last change. */
  stale: boolean;
  /** The mistake for which the last change has no result. */
  mistake?: ErrorRecord | undefined;
}

/** Whether an error is about the text of an expression. It is shown at the text, not as a pane. */
export function isMistake(error: ErrorRecord): boolean {
  return error.where?.expression !== undefined && error.where.offset !== undefined;
}

/** A query as for TTree::Draw. */
export interface Query {
  expr: string;
  /** Empty if all entries count. */
  cut: string;
  /** Whether to draw the mean of y in bins of x. */
  profile: boolean;
}

/** The selection, with everything known about it. */
export type Selection =
  | { kind: 'file' }
  | { kind: 'key'; key: KeyInfo; keyIndex: number }
  | { kind: 'branch'; key: KeyInfo; keyIndex: number; tree: TreeInfo; branch: BranchInfo };

export type BranchView = 'plot' | 'entries';
export type Theme = 'system' | 'light' | 'dark';

/** State for readers: its signals cannot be written. Only its owner's functions change them. */
export type Watched<T> = {
  readonly [K in keyof T]: T[K] extends Signal<infer V> ? ReadonlySignal<V> : T[K];
};

export interface Offers {
  recent: Recent;
  base?: string | undefined;
}

/** State and actions of one viewer, by part. Components read the signals and call the actions. */
export interface ViewerStore {
  /** The shown file, and functions to open, read and close it. */
  readonly session: FileSession;
  /** All open files, with the shown one. */
  readonly files: OpenFiles;
  readonly contents: ContentsState;
  /** The selected node, its views, and their content. */
  readonly selection: Watched<SelectionState>;
  readonly plot: PlotChoicesState;
  /** Converts between the shown state and the address of the page. */
  readonly navigation: Navigation;
  readonly traffic: Traffic;
  readonly activities: Activities;
  readonly jobs: Jobs;
  readonly history: QueryHistory;
  readonly theme: Signal<Theme>;
  /** The rows of the table of entries that were last visible. */
  readonly rows: Signal<RowsDetail | undefined>;
  /** The report that is shown, if it is one that can be saved. */
  readonly report: Signal<Report | undefined>;
  /** Place where JSROOT draws. */
  readonly jsroot: string | JsrootScript | JsrootFrame | undefined;
  /** Place where selectors are written and run. */
  readonly selectors: SelectorPlace | undefined;
  /** Files that a whole page offers: those opened recently, and a list that may lie beside the page at `base`. */
  readonly offers: Offers | undefined;
  /** Whether a script may ask for the picture of the shown drawing, also of one by JSROOT. */
  readonly keepsPictures: boolean;
  /** Long computations on metadata, in a worker if the reader has one for it. */
  readonly insight: PageInsight;
  /** Writes ROOT files; undefined if the reader cannot. */
  readonly writer: WriteApi | undefined;
  /** Asks the user where to save a new file. Rejects with AbortError if none is chosen, and with IO. */
  sink(name: string): Promise<Sink>;
  /** Takes a file of the user's machine that something waits for, for example a session. Returns whether it did. */
  readonly awaited: Signal<((file: File) => boolean) | undefined>;
  /** Calls this when the viewer is disposed of. */
  onDispose(action: () => void): void;
  /** Aborts what is under way and closes the files. */
  dispose(): void;
}

/** Returns the path for a link, with the cycle only if the path alone would mean another cycle. */
export function keyPath(key: KeyInfo, keyTree: KeyTree | undefined, index: number): string {
  return keyTree?.superseded[index] === true ? cyclePath(key) : key.path;
}

/** Returns the index of the key that a link names by its path, optionally with ";cycle". */
export function findKeyIndex({ keys }: KeyTree, wanted: string): number | undefined {
  const key = findKey(keys, wanted);
  return key && keys.indexOf(key);
}

/** Returns the tree and the branch in a combined path: "dir/tree/branch.member", optionally with ";cycle". */
export function findBranchItem(keyTree: KeyTree, item: string): [index: number, branch: string] | undefined {
  const path = item.replace(/^\/+/, '');
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const index = findKeyIndex(keyTree, path.slice(0, slash));
    const key = index === undefined ? undefined : keyTree.keys[index];
    if (index !== undefined && key !== undefined && isTree(key)) return [index, path.slice(slash + 1)];
  }
  return undefined;
}

/** Returns the object that a path leads into, and the rest of the path: "dir/list/inner/name". */
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

/** Whether damage was found when the file was opened. */
export function isDamaged({ files, notes, offline }: FileInfo): boolean {
  // A file that is read without its server has a note about that.
  return !files && notes.length > (offline ? 1 : 0);
}

/** Whether a source is a list of files: a text file of addresses, or several files. */
export function isList(source: SourceSpec): boolean {
  if (source.kind === 'url') return (source.url.split(/[?#]/, 1)[0] ?? '').toLowerCase().endsWith('.txt');
  return source.kind === 'chain' || (source.kind === 'blob' && source.name.endsWith('.txt'));
}

/** Returns the name of a source before it is open. */
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
    case 'replicas':
      return source.name ?? (source.replicas[0] ? sourceName(source.replicas[0]) : '');
    case 'within':
      return `${sourceName(source.outer)}@${source.offset}`;
    case 'chain':
      return source.files[0]
        ? `${sourceName(source.files[0].source)} and ${source.files.length - 1} more`
        : '';
  }
}
