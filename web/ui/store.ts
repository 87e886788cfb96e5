import { batch, computed, effect, signal } from '@preact/signals';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { SourceSpec, TreeInfo } from '../file/api';
import type { InsightReader } from '../insight/api';
import type { PerfReport } from '../insight/perf';
import type { TraceSummary } from '../io/trace';
import { createActivities } from './activities';
import { createCacheControl } from './cache-control';
import {
  branchNode,
  buildKeyTree,
  contentRows,
  fileNode,
  isTree,
  type KeyTree,
  keyNode,
  type NodeId,
  parseNode,
} from './contents-model';
import { createOpenFiles, waitingAddresses } from './open-files';
import { type PageState, readableUrl } from './page-state';
import { createPaneContent } from './pane-content';
import {
  type DrawSettings,
  type ObjectWay,
  type PlotChoices,
  type PlotLook,
  type PlotPlace,
  plainBins,
  plainLook,
  plotStateOf,
  takePlotState,
} from './plot-state';
import { createQueryHistory } from './query/query-history';
import { createReference } from './reference';
import { createTreeReads } from './tree-reads';
import {
  type BranchView,
  findBranchItem,
  findKey,
  keyPath,
  type OpenFile,
  type Query,
  type Selection,
  sourceName,
  type Theme,
  type ViewerStore,
} from './viewer-state';

/** The view that a file or tree is first shown in, and that of a tree's queries. */
const firstView = 'overview';
const drawView = 'draw';
/** In a link with a branch: its entries, not its plot. */
const entriesView = 'entries';

export interface ViewerOptions {
  /** Where queries are remembered; without it, only while the viewer is there. */
  storage?: Storage | undefined;
  /** Address of the frame in which JSROOT draws; without it, it is not offered. */
  jsroot?: string | undefined;
}

/** A viewer's state upon a reader. `dispose` aborts what is under way and closes the file. */
export function createViewerStore(api: InsightReader, options: ViewerOptions = {}): ViewerStore {
  const file = signal<OpenFile | null>(null);
  const opening = signal<SourceSpec | null>(null);
  const openError = signal<ErrorRecord | null>(null);
  const expanded = signal<ReadonlySet<NodeId>>(new Set());
  const folded = signal<ReadonlySet<NodeId>>(new Set());
  const filter = signal('');
  const selected = signal<NodeId>(fileNode);
  const branchView = signal<BranchView>('plot');
  const view = signal(firstView);
  const viewParams = signal('');
  const settings = signal<DrawSettings>({ bins: plainBins, range: undefined });
  const query = signal<Query | null>(null);
  const history = createQueryHistory(options.storage);
  const look = signal<PlotLook>(plainLook);
  const way = signal<ObjectWay | undefined>(undefined);
  const theme = signal<Theme>('system');
  const trace = signal<TraceSummary | null>(null);
  const lastTime = signal<number | null>(null);
  const savedReading = signal<PerfReport | undefined>(undefined);
  const activities = createActivities();
  const kept = createCacheControl(api, { file, activities });
  const reference = createReference(api, activities);
  /** What the link asks for, until it is shown. */
  const pending = signal<PageState | null>(null);
  let openView: PageState = {};
  const pane = createPaneContent(api, { file, selected, settings, activities, onDone: updateTrace });
  const { content } = pane;
  const treeReads = createTreeReads(api, {
    file,
    activities,
    onDone: updateTrace,
    onAborted: (keyIndex) => setExpanded(keyNode(keyIndex), false),
  });
  const { trees } = treeReads;

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

  const shownState = computed((): PageState => {
    const state: PageState = {};
    const chosen = selection.value;
    if (chosen === null || pending.value !== null) return { ...state, ...pending.value };
    const drawn = view.value === drawView && chosen.kind === 'key' && isTree(chosen.key) && query.value;
    if (view.value !== firstView && chosen.kind !== 'branch' && !drawn) {
      state.view = view.value;
      state.show = viewParams.value;
    }
    if (chosen.kind === 'file') return state;
    const path = keyPath(chosen.key, file.value?.keyTree, chosen.keyIndex);
    const plot = (place: PlotPlace) =>
      plotStateOf({ settings: settings.value, look: look.value, way: way.value }, place);
    if (chosen.kind === 'branch') {
      const entries = branchView.value === 'entries';
      return { tree: path, draw: chosen.branch.path, ...(entries ? { view: entriesView } : plot('branch')) };
    }
    if (!isTree(chosen.key)) {
      return { ...state, item: path, ...(chosen.key.kind !== 'directory' && plot('object')) };
    }
    if (!drawn) return { ...state, tree: path };
    const { expr, cut, profile } = drawn;
    const asked = { tree: path, draw: expr, ...(cut && { cut }), ...(profile && { opt: 'prof' }) };
    return { ...state, ...asked, ...plot('query') };
  });

  /** A link may name the other file relative to the first; what is no address is left out. */
  function compareWith(typed: string, base: string): void {
    try {
      void reference.open({ kind: 'url', url: readableUrl(typed, base) });
    } catch {
      // As with every field of a link that does not fit.
    }
  }

  const arriving = computed(() => pending.value !== null);

  const pageState = computed((): PageState => {
    const source = file.value?.source ?? opening.value;
    const waiting = waitingAddresses(files);
    const also = waiting === '' ? {} : { also: waiting };
    if (source?.kind !== 'url') return also;
    const compared = reference.file.value?.source;
    const other = compared?.kind === 'url' ? { with: compared.url } : {};
    return { url: source.url, ...shownState.value, ...other, ...also };
  });

  async function updateTrace(since: number): Promise<void> {
    lastTime.value = performance.now() - since;
    const open = file.peek();
    if (open === null) return;
    try {
      const summary = await api.traceSummary(open.info.id);
      if (file.peek() === open) trace.value = summary;
      if (open.source.kind === 'url') await kept.update();
    } catch {
      // The file was closed meanwhile; there is nothing to count any more.
      if (file.peek() === open) trace.value = null;
    }
  }

  function showTree(keyIndex: number): void {
    if (trees.peek().get(keyIndex)?.state === 'ready') {
      content.value = { kind: 'info' };
      return;
    }
    pane.waitFor(treeReads.read(keyIndex));
  }

  function load(): void {
    const chosen = selection.peek();
    if (chosen?.kind === 'file' && view.peek() === 'classes') pane.readClasses();
    else if (chosen === null || chosen.kind === 'file') content.value = { kind: 'info' };
    else if (chosen.kind === 'branch') {
      const { branch } = chosen;
      if (branch.kind === 'group') content.value = { kind: 'info' };
      else if (branchView.peek() === 'entries' || branch.kind === 'object') pane.readEntries(chosen, 0);
      else pane.drawBranch(chosen);
    } else if (chosen.key.kind === 'directory') content.value = { kind: 'info' };
    else if (isTree(chosen.key)) {
      const asked = query.peek();
      if (view.peek() === drawView && asked !== null) pane.drawQuery(chosen.key, asked);
      else showTree(chosen.keyIndex);
    } else pane.readObject(chosen.key);
  }

  /** Shows a node, with these choices of its plot, or those of the one before without its range. */
  function choose(id: NodeId, plot?: PlotChoices): void {
    if (id === selected.peek()) return;
    activities.cancel('detail');
    batch(() => {
      const node = parseNode(id);
      if (node?.branch === undefined) branchView.value = 'plot';
      // What is drawn of a tree means nothing in another.
      if (node?.key !== parseNode(selected.peek())?.key) query.value = null;
      selected.value = id;
      takePlot(plot);
      content.value = { kind: 'info' };
      load();
    });
  }

  function takePlot(plot: PlotChoices | undefined): void {
    settings.value = plot?.settings ?? { ...settings.peek(), range: undefined };
    way.value = plot?.way;
    if (plot !== undefined) look.value = plot.look;
  }

  /** Draws of the tree that is chosen, or whose branch is. */
  function drawQuery(next: Query, plot?: PlotChoices): void {
    const chosen = selection.peek();
    if (chosen === null || chosen.kind === 'file' || !isTree(chosen.key)) return;
    history.add(next);
    activities.cancel('detail');
    pane.forget();
    batch(() => {
      pending.value = null;
      if (chosen.kind === 'branch') {
        selected.value = keyNode(chosen.keyIndex);
        content.value = { kind: 'info' };
      }
      view.value = drawView;
      viewParams.value = '';
      query.value = next;
      takePlot(plot);
      load();
    });
  }

  function setExpanded(id: NodeId, expand: boolean): void {
    const target = filter.peek() === '' ? expanded : folded;
    const add = filter.peek() === '' ? expand : !expand;
    const next = new Set(target.peek());
    if (add) next.add(id);
    else next.delete(id);
    target.value = next;
  }

  /** Empties the viewer; its file is closed unless it is to be shown again. */
  function reset(keep = false): void {
    activities.cancel();
    const open = file.peek();
    pane.forget();
    batch(() => {
      file.value = null;
      treeReads.clear();
      expanded.value = new Set();
      filter.value = '';
      selected.value = fileNode;
      content.value = { kind: 'info' };
      takePlot(undefined);
      branchView.value = 'plot';
      view.value = firstView;
      viewParams.value = '';
      query.value = null;
      trace.value = null;
      savedReading.value = undefined;
      lastTime.value = null;
      openError.value = null;
      pending.value = null;
      opening.value = null;
    });
    // A close that fails leaves nothing to do: the reader gives the file up either way.
    if (open !== null && !keep) release(open);
  }

  function release(open: OpenFile): void {
    void api.close(open.info.id).catch(() => undefined);
  }

  async function adopt(open: OpenFile, asked: PageState): Promise<void> {
    openView = asked;
    batch(() => {
      file.value = open;
      pending.value = asked;
    });
    await updateTrace(performance.now());
    await store.show(asked);
    if (file.peek() === open) pending.value = null;
  }

  const files = createOpenFiles({
    state: () => shownState.peek(),
    file: () => file.peek(),
    open: (source, asked) => store.open(source, asked),
    restore: (asked) => store.restore(asked),
    adopt,
    clear: reset,
    release,
  });

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
    view,
    viewParams,
    settings,
    query,
    history,
    look,
    way,
    theme,
    jsroot: options.jsroot,
    trace,
    cache: kept.cache,
    lastTime,
    activities,
    insight: api.insight,
    savedReading,
    pageState,
    reference,
    files,
    shownState,
    arriving,

    async open(source, asked = {}) {
      openView = asked;
      batch(() => {
        reset();
        files.replaced(source);
        pending.value = asked;
        opening.value = source;
      });
      const since = performance.now();
      try {
        const opened = await activities.run('open', `Opening ${sourceName(source)}`, async (options) => {
          const info = await api.open(source, options);
          if (options.signal?.aborted) {
            await api.close(info.id);
            return null;
          }
          try {
            return { source, info, keyTree: buildKeyTree(await api.keys(info.id, options)) };
          } catch (thrown) {
            await api.close(info.id);
            throw thrown;
          }
        });
        if (opened === null || opening.peek() !== source) return;
        batch(() => {
          file.value = opened;
          opening.value = null;
        });
        await updateTrace(since);
        await store.show(asked);
        if (file.peek() === opened) pending.value = null;
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (opening.peek() !== source && file.peek()?.source !== source) return;
        if (error.code === 'ABORTED') opening.value = null;
        else openError.value = error.toRecord();
      }
    },

    fail(error) {
      batch(() => {
        if (file.peek() !== null) files.home();
        reset();
        openError.value = error;
      });
    },

    retryOpen() {
      const source = opening.peek();
      if (source !== null) void store.open(source, openView);
    },

    closeFile() {
      const id = files.current.peek();
      if (id === null) reset();
      else files.close(id);
    },

    select(id) {
      batch(() => {
        pending.value = null;
        choose(id);
      });
    },

    async restore(asked) {
      const before = selected.peek();
      const stays = { ...asked, view: asked.draw === undefined ? undefined : asked.view, with: undefined };
      let changed = false;
      activities.cancel('detail');
      batch(() => {
        pending.value = asked;
        if (asked.draw !== undefined) return;
        // A tree's view of queries without one.
        if (asked.view === drawView) query.value = null;
        changed = view.peek() !== (asked.view ?? firstView);
        view.value = asked.view ?? firstView;
        viewParams.value = asked.show ?? '';
      });
      if (asked.tree === undefined && asked.item === undefined) choose(fileNode);
      else await store.show(stays);
      if (pending.peek() !== asked) return;
      batch(() => {
        pending.value = null;
        if (selected.peek() !== before || !changed) return;
        pane.forget();
        content.value = { kind: 'info' };
        load();
      });
    },

    async show(asked, keepPlot = false) {
      const open = file.peek();
      if (open === null) return;
      const plotAt = (place: PlotPlace): PlotChoices | undefined =>
        keepPlot
          ? undefined
          : takePlotState(asked, place, { settings: settings.peek(), look: look.peek(), way: undefined });
      const branchShown: BranchView = asked.view === entriesView ? 'entries' : 'plot';
      if (asked.view !== undefined && branchShown === 'plot') store.setView(asked.view, asked.show);
      if (asked.with !== undefined && open.source.kind === 'url') compareWith(asked.with, open.source.url);
      const wanted = asked.tree ?? asked.item;
      const { keys } = open.keyTree;
      const trunk = keys.flatMap((key, i) => (isTree(key) && !open.keyTree.superseded[i] ? [i] : []));
      let index = wanted === undefined ? undefined : findKey(open.keyTree, wanted);
      let draw = asked.draw;
      if (index === undefined && asked.tree === undefined && asked.item !== undefined) {
        // JSROOT names a branch as an item: the tree's path, then the branch's.
        [index, draw] = findBranchItem(open.keyTree, asked.item) ?? [undefined, draw];
      }
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
        if (index === undefined) return;
        const plot = plotAt('object');
        if (selected.peek() !== keyNode(chosen)) choose(keyNode(chosen), plot);
        else if (plot !== undefined) batch(() => takePlot(plot));
        return;
      }
      setExpanded(keyNode(chosen), true);
      const ready = trees.peek().get(chosen)?.state === 'ready';
      // A branch of a tree that has been read is gone to at once.
      if (draw === undefined ? index !== undefined : !ready) choose(keyNode(chosen));
      let tree: TreeInfo;
      try {
        tree = await treeReads.read(chosen);
      } catch {
        // The contents pane shows why at the tree's row.
        return;
      }
      if (draw === undefined || file.peek() !== open) return;
      const { cut = '', opt } = asked;
      const plain = cut.trim() === '' && opt === undefined;
      const branch = plain ? tree.branches.find((candidate) => candidate.path === draw) : undefined;
      if (branch === undefined && asked.draw !== undefined) {
        choose(keyNode(chosen));
        drawQuery({ expr: asked.draw, cut, profile: opt === 'prof' }, plotAt('query'));
        return;
      }
      if (branch === undefined) {
        choose(keyNode(chosen));
        pane.forget();
        content.value = {
          kind: 'failed',
          error: {
            code: 'NOT_FOUND',
            message: `The link asks for the branch "${draw}", which ${key.name} does not have.`,
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
      const node = branchNode(chosen, branch.index);
      const plot = branchShown === 'plot' ? plotAt('branch') : undefined;
      if (selected.peek() !== node) {
        branchView.value = branchShown;
        choose(node, plot);
        return;
      }
      const before = settings.peek();
      if (plot !== undefined) batch(() => takePlot(plot));
      if (branchView.peek() !== branchShown) store.setBranchView(branchShown);
      else if (plot !== undefined && !sameSettings(before, plot.settings)) load();
    },

    toggle(id, expand) {
      const row = rows.peek().find((candidate) => candidate.id === id);
      if (row?.expandable !== true) return;
      const next = expand ?? !row.expanded;
      if (next === row.expanded) return;
      if (next && row.kind === 'key' && isTree(row.key)) {
        // Failures are kept in `trees` and shown at the row.
        treeReads.read(row.keyIndex).catch(() => undefined);
      }
      setExpanded(id, next);
    },

    readAllTrees() {
      const open = file.peek();
      open?.keyTree.keys.forEach((key, i) => {
        if (isTree(key) && !open.keyTree.superseded[i]) treeReads.read(i).catch(() => undefined);
      });
    },

    setBranchView(next) {
      if (branchView.peek() === next) return;
      branchView.value = next;
      activities.cancel('detail');
      content.value = { kind: 'info' };
      load();
    },

    setView(id, params = '') {
      if (view.peek() === id) {
        viewParams.value = params;
        return;
      }
      activities.cancel('detail');
      pane.forget();
      batch(() => {
        view.value = id;
        viewParams.value = params;
        content.value = { kind: 'info' };
        load();
      });
    },

    async reads() {
      const open = file.peek();
      return open === null ? [] : await api.trace(open.info.id);
    },

    async call(slot, label, run) {
      const open = file.peek();
      if (open === null) throw new XylemError({ code: 'ARGUMENT', message: 'No file is open.' });
      const since = performance.now();
      try {
        return await activities.run(slot, label, (options) => run(api, open.info.id, options));
      } finally {
        void updateTrace(since);
      }
    },

    setSettings(change) {
      settings.value = { ...settings.peek(), ...change };
      const chosen = selection.peek();
      if (chosen?.kind === 'branch' && branchView.peek() === 'plot') pane.drawBranch(chosen);
      else if (chosen?.kind === 'key' && content.peek().kind === 'query') load();
    },

    runQuery: (next) => drawQuery(next),

    showEntries(from) {
      const chosen = selection.peek();
      if (chosen?.kind === 'branch') pane.readEntries(chosen, from);
    },

    clearCache: kept.clear,
    limitCache: kept.limit,
    keepOffline: kept.keepOffline,
    keeping: kept.keeping,
    reload() {
      content.value = { kind: 'info' };
      load();
    },

    dispose() {
      reference.close();
      reset();
      files.dispose();
      stopFolding();
    },
  };

  function sameSettings(one: DrawSettings, other: DrawSettings): boolean {
    return one.bins === other.bins && String(one.range) === String(other.range);
  }

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
