import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EngineApi } from '../../api/engine-api';
import type { ErrorRecord } from '../../base/errors';
import { isTree } from '../../model/key-kind';
import type { Activities } from './activities';
import type { PageState } from './address/url-state';
import { fileNode, keyNode, type NodeId, parseNode } from './contents-model';
import type { ContentsState } from './contents-state';
import { createPaneContent, type PaneContent } from './pane-content';
import type { PlotChoicesState } from './plot-choices';
import type { DrawSettings, PlotChoices } from './plot-state';
import type { QueryHistory } from './query-history';
import type { BranchView, OpenFile, Query, Selection } from './viewer-state';

/** The view that a file or a tree is first shown in. */
export const firstView = 'overview';
/** The view of a tree's queries. */
export const drawView = 'draw';

export interface SelectionContext {
  file: ReadonlySignal<OpenFile | null>;
  contents: ContentsState;
  plots: PlotChoicesState;
  history: QueryHistory;
  activities: Activities;
  /** The link's state until it is shown. The user's own choice replaces it. */
  pending: Signal<PageState | null>;
  /** Called after each action with the time it started, ms of performance.now(). */
  onDone(since: number): Promise<void>;
}

/** The node that is selected, the views it is shown in, and the content of the right pane. */
export interface SelectionState {
  readonly pane: PaneContent;
  readonly selected: ReadonlySignal<NodeId>;
  readonly selection: ReadonlySignal<Selection | null>;
  readonly branchView: Signal<BranchView>;
  readonly view: Signal<string>;
  readonly viewParams: Signal<string>;
  readonly query: Signal<Query | null>;
  readonly branchCut: Signal<string>;
  /** Reads what the selected node shows. */
  load(): void;
  /** Empties the pane and reads what the selected node shows. */
  refill(): void;
  /** Selects another node. Without `plot` its plot has the first choices; without `cut` there is none. */
  choose(id: NodeId, plot?: PlotChoices, cut?: string): void;
  /** Shows an error in the pane of the node that is selected, or of `id`. */
  showError(error: ErrorRecord, id?: NodeId): void;
  /**
   * Draws from the tree that is selected, or from the tree of the selected branch, with the choices of `plot`. Without
   * `plot` the choices of the shown expression stay, as under another cut, and those of another one are the first ones.
   */
  drawQuery(next: Query, plot?: PlotChoices | 'keep'): void;
  /** Whether this expression is shown, under whichever cut. */
  isDrawn(next: Query): boolean;
  cutBranch(cut: string): void;
  showEntries(from: number): void;
  setBranchView(next: BranchView): void;
  setView(id: string, params?: string): void;
  setSettings(change: Partial<DrawSettings>): void;
  /** Selects the file in its first view. */
  clear(): void;
}

export function createSelection(api: EngineApi, context: SelectionContext): SelectionState {
  const { file, contents, plots, history, activities, pending } = context;
  const selected = signal<NodeId>(fileNode);
  const branchView = signal<BranchView>('plot');
  const view = signal(firstView);
  const viewParams = signal('');
  const query = signal<Query | null>(null);
  const branchCut = signal('');
  /** The choices of the last query's plot, for the way back to it. */
  let queryPlot: PlotChoices | undefined;
  const { settings } = plots;
  const pane = createPaneContent(api, {
    file,
    selected,
    settings,
    branchCut,
    activities,
    onDone: context.onDone,
  });
  const { content } = pane;

  const selection = computed((): Selection | null => {
    const open = file.value;
    if (open === null) return null;
    const node = parseNode(selected.value);
    const key = node === undefined ? undefined : open.keyTree.keys[node.key];
    if (node === undefined || key === undefined) return { kind: 'file' };
    if (node.branch === undefined) return { kind: 'key', key, keyIndex: node.key };
    const state = contents.trees.value.get(node.key);
    const branch = state?.state === 'ready' ? state.tree.branches[node.branch] : undefined;
    if (state?.state !== 'ready' || branch === undefined) return { kind: 'key', key, keyIndex: node.key };
    return { kind: 'branch', key, keyIndex: node.key, tree: state.tree, branch };
  });

  function showInfo(): void {
    content.value = { kind: 'info' };
  }

  function loadBranch(chosen: Selection & { kind: 'branch' }): void {
    const { branch } = chosen;
    if (branch.kind === 'group') showInfo();
    else if (branchView.peek() === 'entries' || branch.kind === 'object') pane.readEntries(chosen, 0);
    else pane.drawBranch(chosen);
  }

  function loadKey({ key, keyIndex }: Selection & { kind: 'key' }): void {
    if (key.kind === 'directory') showInfo();
    else if (!isTree(key)) pane.readObject(key);
    else {
      const asked = query.peek();
      if (view.peek() === drawView && asked !== null) pane.drawQuery(key, asked);
      else if (contents.trees.peek().get(keyIndex)?.state === 'ready') showInfo();
      else pane.waitFor(contents.readTree(keyIndex));
    }
  }

  function load(): void {
    const chosen = selection.peek();
    if (chosen?.kind === 'branch') loadBranch(chosen);
    else if (chosen?.kind === 'key') loadKey(chosen);
    else if (chosen?.kind === 'file' && view.peek() === 'classes') pane.readClasses();
    else showInfo();
  }

  function refill(): void {
    showInfo();
    load();
  }

  function choose(id: NodeId, plot?: PlotChoices, cut = ''): void {
    if (id === selected.peek()) return;
    activities.cancel('detail');
    batch(() => {
      const node = parseNode(id);
      const before = parseNode(selected.peek());
      if (node?.branch === undefined) branchView.value = 'plot';
      if (before !== undefined && before.branch === undefined) queryPlot = plots.now();
      // A query of one tree means nothing in another.
      if (node?.key !== before?.key) query.value = null;
      selected.value = id;
      branchCut.value = cut;
      plots.part.value = '';
      const isQuery = node !== undefined && node.branch === undefined && query.peek() !== null;
      plots.take(plot ?? (isQuery ? queryPlot : undefined));
      refill();
    });
  }

  function isDrawn({ expr, profile }: Query): boolean {
    const shown = selection.peek()?.kind === 'key' && view.peek() === drawView ? query.peek() : null;
    return shown?.expr === expr && shown.profile === profile;
  }

  return {
    pane,
    selected,
    selection,
    branchView,
    view,
    viewParams,
    query,
    branchCut,
    load,
    refill,
    choose,
    showError(error, id) {
      if (id !== undefined) selected.value = id;
      content.value = { kind: 'failed', error };
    },

    isDrawn,

    drawQuery(next, plot) {
      const chosen = selection.peek();
      if (chosen === null || chosen.kind === 'file' || !isTree(chosen.key)) return;
      const keeps = plot === 'keep' || (plot === undefined && isDrawn(next));
      history.add(next);
      activities.cancel('detail');
      pane.forget();
      batch(() => {
        pending.value = null;
        if (chosen.kind === 'branch') {
          selected.value = keyNode(chosen.keyIndex);
          showInfo();
        }
        view.value = drawView;
        viewParams.value = '';
        query.value = next;
        if (!keeps) plots.take(plot);
        load();
      });
    },

    cutBranch(cut) {
      const chosen = selection.peek();
      if (chosen?.kind !== 'branch') return;
      history.add({ expr: chosen.branch.path, cut, profile: false });
      batch(() => {
        pending.value = null;
        branchCut.value = cut;
        branchView.value = 'plot';
        pane.drawBranch(chosen);
      });
    },

    showEntries(from) {
      const chosen = selection.peek();
      if (chosen?.kind === 'branch') pane.readEntries(chosen, from);
    },

    setBranchView(next) {
      if (branchView.peek() === next) return;
      branchView.value = next;
      activities.cancel('detail');
      refill();
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
        refill();
      });
    },

    setSettings(change) {
      settings.value = { ...settings.peek(), ...change };
      const chosen = selection.peek();
      if (chosen?.kind === 'branch' && branchView.peek() === 'plot') pane.drawBranch(chosen);
      else if (chosen?.kind === 'key' && content.peek().kind === 'query') load();
    },

    clear() {
      pane.forget();
      selected.value = fileNode;
      plots.part.value = '';
      plots.take(undefined);
      showInfo();
      branchCut.value = '';
      branchView.value = 'plot';
      view.value = firstView;
      viewParams.value = '';
      query.value = null;
    },
  };
}
