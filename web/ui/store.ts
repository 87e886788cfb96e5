import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type {
  BranchInfo,
  DrawRequest,
  DrawResult,
  FileInfo,
  KeyInfo,
  PlainObject,
  ReaderApi,
  ReadResult,
  SourceSpec,
  TreeInfo,
} from '../file/api';
import type { TraceSummary } from '../io/trace';
import { type Activities, createActivities } from './activities';
import {
  branchNode,
  buildKeyTree,
  type ContentRow,
  contentRows,
  fileNode,
  isTree,
  type KeyTree,
  keyNode,
  type NodeId,
  parseNode,
  type TreeState,
} from './contents-model';
import type { PageState } from './page-state';

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
  | { kind: 'entries'; result: ReadResult; from: number }
  | { kind: 'object'; object: PlainObject }
  | { kind: 'failed'; error: ErrorRecord }
  | { kind: 'cancelled' };

/** What is selected, with everything known about it. */
export type Selection =
  | { kind: 'file' }
  | { kind: 'key'; key: KeyInfo; keyIndex: number }
  | { kind: 'branch'; key: KeyInfo; keyIndex: number; tree: TreeInfo; branch: BranchInfo };

export type BranchView = 'plot' | 'entries';
export type Theme = 'system' | 'light' | 'dark';

export interface DrawSettings {
  bins: number;
  range: [low: number, high: number] | undefined;
}

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
  readonly settings: ReadonlySignal<DrawSettings>;
  readonly logY: Signal<boolean>;
  readonly theme: Signal<Theme>;
  readonly trace: ReadonlySignal<TraceSummary | null>;
  /** Duration of the last finished action in ms. */
  readonly lastTime: ReadonlySignal<number | null>;
  readonly activities: Activities;
  /** What a link to this view holds; empty for files that no link can name. */
  readonly pageState: ReadonlySignal<PageState>;

  open(source: SourceSpec, view?: PageState): Promise<void>;
  fail(error: ErrorRecord): void;
  retryOpen(): void;
  closeFile(): void;
  select(id: NodeId): void;
  show(view: PageState): Promise<void>;
  toggle(id: NodeId, expand?: boolean): void;
  readAllTrees(): void;
  setBranchView(view: BranchView): void;
  setSettings(change: Partial<DrawSettings>): void;
  showEntries(from: number): void;
  reload(): void;
  dispose(): void;
}

/** A viewer's state upon a reader. `dispose` aborts what is under way and closes the file. */
export function createViewerStore(api: ReaderApi): ViewerStore {
  const file = signal<OpenFile | null>(null);
  const opening = signal<SourceSpec | null>(null);
  const openError = signal<ErrorRecord | null>(null);
  const trees = signal<ReadonlyMap<number, TreeState>>(new Map());
  const expanded = signal<ReadonlySet<NodeId>>(new Set());
  const folded = signal<ReadonlySet<NodeId>>(new Set());
  const filter = signal('');
  const selected = signal<NodeId>(fileNode);
  const content = signal<Content>({ kind: 'info' });
  const branchView = signal<BranchView>('plot');
  const settings = signal<DrawSettings>({ bins: 100, range: undefined });
  const logY = signal(false);
  const theme = signal<Theme>('system');
  const trace = signal<TraceSummary | null>(null);
  const lastTime = signal<number | null>(null);
  const activities = createActivities();
  const treeReads = new Map<number, Promise<TreeInfo>>();
  let openView: PageState = {};

  const stopFolding = effect(() => {
    filter.value;
    folded.value = new Set();
  });

  const rows = computed(() => {
    const open = file.value;
    if (open === null) return [];
    return contentRows({
      keyTree: open.keyTree,
      trees: trees.value,
      expanded: expanded.value,
      folded: folded.value,
      filter: filter.value,
    });
  });

  const selection = computed((): Selection | null => {
    const open = file.value;
    if (open === null) return null;
    const node = parseNode(selected.value);
    const key = node === undefined ? undefined : open.keyTree.keys[node.key];
    if (node === undefined || key === undefined) return { kind: 'file' };
    if (node.branch === undefined) return { kind: 'key', key, keyIndex: node.key };
    const state = trees.value.get(node.key);
    const branch = state?.state === 'ready' ? state.tree.branches[node.branch] : undefined;
    if (state?.state !== 'ready' || branch === undefined) return { kind: 'key', key, keyIndex: node.key };
    return { kind: 'branch', key, keyIndex: node.key, tree: state.tree, branch };
  });

  const pageState = computed((): PageState => {
    const source = file.value?.source ?? opening.value;
    if (source?.kind !== 'url') return {};
    const state: PageState = { url: source.url };
    const chosen = selection.value;
    if (chosen === null) return { ...state, ...openView };
    if (chosen.kind === 'file') return state;
    const path = keyPath(chosen.key, file.value?.keyTree, chosen.keyIndex);
    if (chosen.kind === 'branch') return { ...state, tree: path, draw: chosen.branch.path };
    return isTree(chosen.key) ? { ...state, tree: path } : { ...state, item: path };
  });

  async function updateTrace(since: number): Promise<void> {
    lastTime.value = performance.now() - since;
    const open = file.peek();
    if (open === null) return;
    try {
      const summary = await api.traceSummary(open.info.id);
      if (file.peek() === open) trace.value = summary;
    } catch {
      // The file was closed meanwhile; there is nothing to count any more.
      if (file.peek() === open) trace.value = null;
    }
  }

  /** Runs what fills the right pane; failures become its content. */
  async function fill(work: () => Promise<Content>): Promise<void> {
    const since = performance.now();
    const node = selected.peek();
    const run = ++fillNumber;
    try {
      const next = await work();
      if (run === fillNumber && selected.peek() === node) content.value = next;
    } catch (thrown) {
      if (run !== fillNumber || selected.peek() !== node) return;
      const error = toXylemError(thrown);
      const kept = content.peek();
      if (error.code !== 'ABORTED') content.value = { kind: 'failed', error: error.toRecord() };
      else if (kept.kind !== 'draw' || kept.reading) content.value = { kind: 'cancelled' };
    }
    await updateTrace(since);
  }
  let fillNumber = 0;

  function drawBranch(chosen: Selection & { kind: 'branch' }): void {
    const open = file.peek();
    if (open === null) return;
    const previous = content.peek();
    const label = `Reading ${chosen.branch.name}`;
    if (previous.kind === 'draw') content.value = { ...previous, reading: true, stale: true };
    else content.value = { kind: 'reading' };
    const { bins, range } = settings.peek();
    const request: DrawRequest = {
      tree: cyclePath(chosen.key),
      branch: chosen.branch.index,
      bins,
      ...(range === undefined ? {} : { range }),
    };
    void fill(async () => {
      const result = await activities.run(
        'detail',
        label,
        (options) => api.draw(open.info.id, request, options),
        (progress) => {
          if (progress.partial === undefined) return;
          content.value = { kind: 'draw', result: progress.partial, reading: true, stale: false };
        },
      );
      return { kind: 'draw', result, reading: false, stale: false };
    });
  }

  function readEntries(chosen: Selection & { kind: 'branch' }, from: number): void {
    const open = file.peek();
    if (open === null) return;
    const last = Math.min(from + tableRows, chosen.branch.entries);
    if (content.peek().kind !== 'entries') content.value = { kind: 'reading' };
    const label = `Reading ${chosen.branch.name}`;
    const request = {
      tree: cyclePath(chosen.key),
      branches: [chosen.branch.index],
      entries: [from, last] as [number, number],
    };
    void fill(async () => {
      const [result] = await activities.run('detail', label, (options) =>
        api.read(open.info.id, request, options),
      );
      if (result === undefined) {
        throw new XylemError({ code: 'INTERNAL', message: `No result for branch ${chosen.branch.path}.` });
      }
      if (result.error !== undefined) return { kind: 'failed', error: result.error };
      return { kind: 'entries', result, from };
    });
  }

  function readObject(key: KeyInfo): void {
    const open = file.peek();
    if (open === null) return;
    content.value = { kind: 'reading' };
    const label = `Reading ${key.name}`;
    void fill(async () => {
      const object = await activities.run('detail', label, (options) =>
        api.object(open.info.id, cyclePath(key), options),
      );
      return { kind: 'object', object };
    });
  }

  /** Reads the branch table of a tree once; who asks again gets the same promise. */
  function readTree(keyIndex: number): Promise<TreeInfo> {
    const open = file.peek();
    const key = open?.keyTree.keys[keyIndex];
    if (open === null || key === undefined) {
      return Promise.reject(new XylemError({ code: 'NOT_FOUND', message: 'The file has no such tree.' }));
    }
    const known = treeReads.get(keyIndex);
    if (known !== undefined) return known;
    const since = performance.now();
    const put = (state: TreeState | undefined) => {
      const next = new Map(trees.peek());
      if (state === undefined) next.delete(keyIndex);
      else next.set(keyIndex, state);
      trees.value = next;
    };
    put({ state: 'reading' });
    const read = activities
      .run(`tree ${keyIndex}`, `Reading branches of ${key.name}`, (options) =>
        api.tree(open.info.id, cyclePath(key), options),
      )
      .then(
        (tree) => {
          if (file.peek() === open) put({ state: 'ready', tree });
          void updateTrace(since);
          return tree;
        },
        (thrown: unknown) => {
          const error = toXylemError(thrown);
          treeReads.delete(keyIndex);
          if (file.peek() === open) {
            put(error.code === 'ABORTED' ? undefined : { state: 'failed', message: error.message });
            if (error.code === 'ABORTED') setExpanded(keyNode(keyIndex), false);
          }
          throw error;
        },
      );
    treeReads.set(keyIndex, read);
    return read;
  }

  function showTree(keyIndex: number): void {
    if (trees.peek().get(keyIndex)?.state === 'ready') {
      content.value = { kind: 'info' };
      return;
    }
    content.value = { kind: 'reading' };
    void fill(async () => {
      await readTree(keyIndex);
      return { kind: 'info' };
    });
  }

  function load(): void {
    const chosen = selection.peek();
    if (chosen === null || chosen.kind === 'file') content.value = { kind: 'info' };
    else if (chosen.kind === 'branch') {
      const { branch } = chosen;
      if (branch.kind === 'group') content.value = { kind: 'info' };
      else if (branchView.peek() === 'entries' || branch.kind === 'object') readEntries(chosen, 0);
      else drawBranch(chosen);
    } else if (chosen.key.kind === 'directory') content.value = { kind: 'info' };
    else if (isTree(chosen.key)) showTree(chosen.keyIndex);
    else readObject(chosen.key);
  }

  function setExpanded(id: NodeId, expand: boolean): void {
    const target = filter.peek() === '' ? expanded : folded;
    const add = filter.peek() === '' ? expand : !expand;
    const next = new Set(target.peek());
    if (add) next.add(id);
    else next.delete(id);
    target.value = next;
  }

  function reset(): void {
    activities.cancel();
    const open = file.peek();
    treeReads.clear();
    fillNumber++;
    batch(() => {
      file.value = null;
      trees.value = new Map();
      expanded.value = new Set();
      filter.value = '';
      selected.value = fileNode;
      content.value = { kind: 'info' };
      settings.value = { ...settings.peek(), range: undefined };
      branchView.value = 'plot';
      trace.value = null;
      lastTime.value = null;
      openError.value = null;
      opening.value = null;
    });
    // A close that fails leaves nothing to do: the reader gives the file up either way.
    if (open !== null) void api.close(open.info.id).catch(() => undefined);
  }

  const store: ViewerStore = {
    file,
    opening,
    openError,
    trees,
    rows,
    filter,
    selected,
    selection,
    content,
    branchView,
    settings,
    logY,
    theme,
    trace,
    lastTime,
    activities,
    pageState,

    async open(source, view = {}) {
      reset();
      openView = view;
      opening.value = source;
      const since = performance.now();
      try {
        const opened = await activities.run('open', `Opening ${sourceName(source)}`, async (options) => {
          const info = await api.open(source, options);
          if (options.signal?.aborted) {
            await api.close(info.id);
            return null;
          }
          return { source, info, keyTree: buildKeyTree(await api.keys(info.id, options)) };
        });
        if (opened === null || opening.peek() !== source) return;
        batch(() => {
          file.value = opened;
          opening.value = null;
        });
        await updateTrace(since);
        await store.show(view);
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (opening.peek() !== source && file.peek()?.source !== source) return;
        if (error.code === 'ABORTED') opening.value = null;
        else openError.value = error.toRecord();
      }
    },

    fail(error) {
      reset();
      openError.value = error;
    },

    retryOpen() {
      const source = opening.peek();
      if (source !== null) void store.open(source, openView);
    },

    closeFile: reset,

    select(id) {
      if (id === selected.peek()) return;
      activities.cancel('detail');
      batch(() => {
        if (parseNode(id)?.branch === undefined) branchView.value = 'plot';
        selected.value = id;
        settings.value = { ...settings.peek(), range: undefined };
        content.value = { kind: 'info' };
        load();
      });
    },

    async show(view) {
      const open = file.peek();
      if (open === null) return;
      const wanted = view.tree ?? view.item;
      const { keys } = open.keyTree;
      const trunk = keys.flatMap((key, i) => (isTree(key) && !open.keyTree.superseded[i] ? [i] : []));
      const index = wanted === undefined ? undefined : findKey(open.keyTree, wanted);
      if (wanted !== undefined && index === undefined) {
        selected.value = fileNode;
        content.value = {
          kind: 'failed',
          error: {
            code: 'NOT_FOUND',
            message: `The link asks for "${wanted}", which is not in this file.`,
            fix: 'Choose something from the contents.',
          },
        };
        return;
      }
      // A file with one tree is about that tree: its branches are what people come for.
      const only = trunk.length === 1 ? trunk[0] : undefined;
      const chosen = index ?? only;
      if (chosen === undefined) return;
      const key = keys[chosen];
      if (key === undefined) return;
      unfoldTo(open.keyTree, chosen);
      if (!isTree(key)) {
        if (index !== undefined) store.select(keyNode(chosen));
        return;
      }
      setExpanded(keyNode(chosen), true);
      if (index !== undefined || view.draw !== undefined) store.select(keyNode(chosen));
      let tree: TreeInfo;
      try {
        tree = await readTree(chosen);
      } catch {
        // The contents pane shows why at the tree's row.
        return;
      }
      if (view.draw === undefined || file.peek() !== open) return;
      const branch = tree.branches.find((candidate) => candidate.path === view.draw);
      if (branch === undefined) {
        fillNumber++;
        content.value = {
          kind: 'failed',
          error: {
            code: 'NOT_FOUND',
            message: `The link asks for the branch "${view.draw}", which ${key.name} does not have.`,
            fix: 'Choose a branch from the contents.',
          },
        };
        return;
      }
      let up = branch.parent;
      while (up >= 0) {
        setExpanded(branchNode(chosen, up), true);
        up = tree.branches[up]?.parent ?? -1;
      }
      store.select(branchNode(chosen, branch.index));
    },

    toggle(id, expand) {
      const row = rows.peek().find((candidate) => candidate.id === id);
      if (row?.expandable !== true) return;
      const next = expand ?? !row.expanded;
      if (next === row.expanded) return;
      if (next && row.kind === 'key' && isTree(row.key)) {
        // Failures are kept in `trees` and shown at the row.
        readTree(row.keyIndex).catch(() => undefined);
      }
      setExpanded(id, next);
    },

    readAllTrees() {
      const open = file.peek();
      open?.keyTree.keys.forEach((key, i) => {
        if (isTree(key) && !open.keyTree.superseded[i]) readTree(i).catch(() => undefined);
      });
    },

    setBranchView(view) {
      if (branchView.peek() === view) return;
      branchView.value = view;
      activities.cancel('detail');
      content.value = { kind: 'info' };
      load();
    },

    setSettings(change) {
      settings.value = { ...settings.peek(), ...change };
      const chosen = selection.peek();
      if (chosen?.kind === 'branch' && branchView.peek() === 'plot') drawBranch(chosen);
    },

    showEntries(from) {
      const chosen = selection.peek();
      if (chosen?.kind === 'branch') readEntries(chosen, from);
    },

    reload() {
      content.value = { kind: 'info' };
      load();
    },

    dispose() {
      reset();
      stopFolding();
    },
  };

  function unfoldTo(keyTree: KeyTree, index: number): void {
    for (const [parent, held] of keyTree.children) {
      if (parent >= 0 && held.includes(index)) {
        setExpanded(keyNode(parent), true);
        unfoldTo(keyTree, parent);
      }
    }
  }

  return store;
}

/** The path with its cycle, which names one record of the file. */
function cyclePath(key: KeyInfo): string {
  return `${key.path};${key.cycle}`;
}

/** The path for a link: with the cycle only where another cycle would be meant without it. */
function keyPath(key: KeyInfo, keyTree: KeyTree | undefined, index: number): string {
  return keyTree?.superseded[index] === true ? cyclePath(key) : key.path;
}

function findKey(keyTree: KeyTree, wanted: string): number | undefined {
  const path = wanted.replace(/^\/+/, '');
  const exact = keyTree.keys.findIndex((key) => cyclePath(key) === path);
  if (exact >= 0) return exact;
  const newest = keyTree.keys.findIndex((key, i) => key.path === path && keyTree.superseded[i] !== true);
  return newest < 0 ? undefined : newest;
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
  }
}
