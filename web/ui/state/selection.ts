import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EngineApi } from '../../api/engine-api';
import type { ErrorRecord } from '../../base/errors';
import { isTree } from '../../model/keys';
import type { Activities } from './activities';
import type { PageState } from './address/url-state';
import { FILE_NODE, keyNode, type NodeId, parseNode } from './contents-model';
import type { ContentsState } from './contents-state';
import { createPaneContent, type PaneContent } from './pane-content';
import type { PlotChoicesState } from './plot-choices';
import type { DrawSettings, PlotChoices } from './plot-state';
import type { QueryHistory } from './query-history';
import type { BranchView, OpenFile, Query, Selection } from './viewer-state';

/** The default view of a file or a tree. */
export const FIRST_VIEW = 'overview';
/** The view of a tree's queries. */
export const DRAW_VIEW = 'draw';

export interface SelectionContext {
  file: ReadonlySignal<OpenFile | null>;
  contents: ContentsState;
  plot: PlotChoicesState;
  history: QueryHistory;
  activities: Activities;
  /** The state of a link until it is shown. A choice of the user replaces it. */
  pending: Signal<PageState | null>;
  /** Called after each action with its start time, in ms of performance.now(). */
  onDone(since: number): Promise<void>;
}

/** The selected node, the views in which it is shown, and the content of the right pane. */
export interface SelectionState {
  readonly node: ReadonlySignal<NodeId>;
  /** The nodes that are marked to be shown together, in the order of marking. Selecting a node clears them. */
  readonly marked: ReadonlySignal<readonly NodeId[]>;
  /** The selected node, with everything known about it. */
  readonly chosen: ReadonlySignal<Selection | null>;
  readonly content: PaneContent['content'];
  readonly branchView: Signal<BranchView>;
  /** The selected view of files and trees (see views.ts), and its own state as in the address. */
  readonly view: Signal<string>;
  readonly viewParams: Signal<string>;
  /** The query of the last selected tree, in its view `draw`. */
  readonly query: Signal<Query | null>;
  /** Cut for drawing the selected branch; empty for all values. */
  readonly branchCut: Signal<string>;
  /** Reads what the selected node shows. */
  load(): void;
  /** Empties the pane and reads what the selected node shows. */
  refill(): void;
  /** Ignores the results of running actions. */
  forget(): void;
  /** Marks a node, or removes its mark. */
  mark(id: NodeId): void;
  /** Removes all marks. */
  unmark(): void;
  /** Selects a node because the user chose it. A link that is being followed is dropped. */
  select(id: NodeId): void;
  /** Selects another node. Without `plot` its plot has the default choices; without `cut` there is no cut. */
  move(id: NodeId, plot?: PlotChoices, cut?: string): void;
  /** Shows an error in the pane of the selected node, or of `id`. */
  showError(error: ErrorRecord, id?: NodeId): void;
  /**
   * Draws from the selected tree, or from the tree of the selected branch, with the choices of `plot`. Without
   * `plot`, the choices of the shown expression are kept (for example with another cut); another expression gets the
   * defaults.
   */
  drawQuery(next: Query, plot?: PlotChoices | 'keep'): void;
  /** Whether this expression is shown, with any cut. */
  isDrawn(next: Query): boolean;
  /** Draws the selected branch with a cut, with its bins and range. An empty cut takes all values. */
  cutBranch(cut: string): void;
  showEntries(from: number): void;
  setBranchView(next: BranchView): void;
  /** Selects a view of the file or tree. `params` is the view's own state. */
  setView(id: string, params?: string): void;
  setSettings(change: Partial<DrawSettings>): void;
  /** Selects the file in its first view. */
  clear(): void;
}

export function createSelection(api: EngineApi, context: SelectionContext): SelectionState {
  const { file, contents, plot: plots, history, activities, pending } = context;
  const node = signal<NodeId>(FILE_NODE);
  const marked = signal<readonly NodeId[]>([]);
  const branchView = signal<BranchView>('plot');
  const view = signal(FIRST_VIEW);
  const viewParams = signal('');
  const query = signal<Query | null>(null);
  const branchCut = signal('');
  /** The choices of the last query's plot, for returning to it. */
  let queryPlot: PlotChoices | undefined;
  const { settings } = plots;
  const pane = createPaneContent(api, {
    file,
    node,
    settings,
    branchCut,
    activities,
    onDone: context.onDone,
  });
  const { content } = pane;

  const chosen = computed((): Selection | null => {
    const open = file.value;
    if (open === null) return null;
    const place = parseNode(node.value);
    const key = place === undefined ? undefined : open.keyTree.keys[place.key];
    if (place === undefined || key === undefined) return { kind: 'file' };
    const keyIndex = place.key;
    if (place.branch === undefined) return { kind: 'key', key, keyIndex };
    const state = contents.trees.value.get(keyIndex);
    const branch = state?.state === 'ready' ? state.tree.branches[place.branch] : undefined;
    if (state?.state !== 'ready' || branch === undefined) return { kind: 'key', key, keyIndex };
    return { kind: 'branch', key, keyIndex, tree: state.tree, branch };
  });

  function showInfo(): void {
    content.value = { kind: 'info' };
  }

  function loadBranch(at: Selection & { kind: 'branch' }): void {
    const { branch } = at;
    if (branch.kind === 'group') showInfo();
    else if (branchView.peek() === 'entries' || branch.kind === 'object') pane.readEntries(at, 0);
    else pane.drawBranch(at);
  }

  function loadKey({ key, keyIndex }: Selection & { kind: 'key' }): void {
    if (key.kind === 'directory') showInfo();
    else if (!isTree(key)) pane.readObject(key);
    else {
      const asked = view.peek() === DRAW_VIEW ? query.peek() : null;
      const isReady = contents.trees.peek().get(keyIndex)?.state === 'ready';
      if (!isReady) pane.waitFor(contents.readTree(keyIndex).then(() => asked && again(keyIndex)));
      else if (asked !== null) pane.drawQuery(key, asked);
      else showInfo();
    }
  }

  /** Draws what a link asks for, after the tree could not be read the first time. */
  function again(keyIndex: number): void {
    if (node.peek() === keyNode(keyIndex)) load();
  }

  function load(): void {
    const at = chosen.peek();
    if (at?.kind === 'branch') loadBranch(at);
    else if (at?.kind === 'key') loadKey(at);
    else if (at?.kind === 'file' && view.peek() === 'classes') pane.readClasses();
    else showInfo();
  }

  function refill(): void {
    showInfo();
    load();
  }

  function move(id: NodeId, plot?: PlotChoices, cut = ''): void {
    if (id === node.peek()) return;
    activities.cancel('detail');
    batch(() => {
      const next = parseNode(id);
      const before = parseNode(node.peek());
      if (next?.branch === undefined) branchView.value = 'plot';
      if (before !== undefined && before.branch === undefined) queryPlot = plots.now();
      // A query of one tree is not valid for another.
      if (next?.key !== before?.key) query.value = null;
      node.value = id;
      branchCut.value = cut;
      plots.part.value = '';
      const isQuery = next !== undefined && next.branch === undefined && query.peek() !== null;
      plots.take(plot ?? (isQuery ? queryPlot : undefined));
      refill();
    });
  }

  function unmark(): void {
    if (marked.peek().length > 0) marked.value = [];
  }

  function isDrawn({ expr, profile }: Query): boolean {
    const shown = chosen.peek()?.kind === 'key' && view.peek() === DRAW_VIEW ? query.peek() : null;
    return shown?.expr === expr && shown.profile === profile;
  }

  return {
    node,
    marked,
    chosen,
    content,
    branchView,
    view,
    viewParams,
    query,
    branchCut,
    load,
    refill,
    forget: pane.forget,
    move,
    unmark,
    mark(id) {
      const before = marked.peek();
      marked.value = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
    },
    select(id) {
      batch(() => {
        pending.value = null;
        unmark();
        move(id);
      });
    },
    showError(error, id) {
      if (id !== undefined) node.value = id;
      content.value = { kind: 'failed', error };
    },

    isDrawn,

    drawQuery(next, plot) {
      const at = chosen.peek();
      if (at === null || at.kind === 'file' || !isTree(at.key)) return;
      const keeps = plot === 'keep' || (plot === undefined && isDrawn(next));
      history.add(next);
      activities.cancel('detail');
      pane.forget();
      batch(() => {
        pending.value = null;
        if (at.kind === 'branch') {
          const shown = content.peek();
          const before = { expr: at.branch.path, cut: branchCut.peek(), profile: false };
          node.value = keyNode(at.keyIndex);
          // The plot of the branch stays until the plot of the expression is drawn, even if the expression has a
          // mistake.
          if (shown.kind === 'draw') content.value = { ...shown, kind: 'query', query: before };
          else showInfo();
        }
        view.value = DRAW_VIEW;
        viewParams.value = '';
        query.value = next;
        if (!keeps) plots.take(plot);
        load();
      });
    },

    cutBranch(cut) {
      const at = chosen.peek();
      if (at?.kind !== 'branch') return;
      history.add({ expr: at.branch.path, cut, profile: false });
      batch(() => {
        pending.value = null;
        branchCut.value = cut;
        branchView.value = 'plot';
        pane.drawBranch(at);
      });
    },

    showEntries(from) {
      const at = chosen.peek();
      if (at?.kind === 'branch') pane.readEntries(at, from);
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
      const before = settings.peek();
      settings.value = { ...before, ...change };
      const at = chosen.peek();
      const shown = content.peek();
      const isFlat =
        shown.kind === 'draw' ||
        (shown.kind === 'query' && shown.result.kind === 'histogram' && shown.result.axes.length === 1);
      // The y axis of a plot with one axis of bins is only zoomed.
      const { range, bins } = settings.peek();
      if (isFlat && 'yRange' in change && range === before.range && bins === before.bins) return;
      if (at?.kind === 'branch' && branchView.peek() === 'plot') pane.drawBranch(at);
      else if (at?.kind === 'key' && content.peek().kind === 'query') load();
    },

    clear() {
      pane.forget();
      unmark();
      node.value = FILE_NODE;
      plots.part.value = '';
      plots.take(undefined);
      showInfo();
      branchCut.value = '';
      branchView.value = 'plot';
      view.value = FIRST_VIEW;
      viewParams.value = '';
      query.value = null;
    },
  };
}
