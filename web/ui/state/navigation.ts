import { batch, computed, type ReadonlySignal } from '@preact/signals';
import type { BranchInfo, KeyInfo, TreeInfo } from '../../api/api';
import { isTree } from '../../model/keys';
import type { Activities } from './activities';
import type { PageState } from './address/url-state';
import { branchNode, FILE_NODE, type KeyTree, keyNode } from './contents-model';
import type { ContentsState } from './contents-state';
import type { ShownFile } from './file-session';
import { type Tabs, waitingAddresses } from './open-files';
import { type PlotChoicesState, sameSettings } from './plot-choices';
import { type PlotChoices, type PlotPlace, plotStateOf, takePlotState } from './plot-state';
import { DRAW_VIEW, FIRST_VIEW, type SelectionState } from './selection';
import {
  type BranchView,
  findBranchItem,
  findKeyIndex,
  findPartItem,
  isDamaged,
  keyPath,
  type OpenFile,
} from './viewer-state';

/** View in a link with a branch that shows the branch's entries instead of its plot. */
const ENTRIES_VIEW = 'entries';

export interface NavigationContext {
  shown: ShownFile;
  contents: ContentsState;
  selection: SelectionState;
  plot: PlotChoicesState;
  activities: Activities;
  tabs: Tabs;
  /** Base of relative addresses in a link. Default: the address of the open file. */
  base: string | undefined;
  /** Block size that links ask for. */
  align: string | undefined;
}

/** Converts between the shown state and the address of the page. */
export interface Navigation {
  /** The shown state, without the file. */
  readonly shownState: ReadonlySignal<PageState>;
  /** The state that a link to this view contains; empty for files without an address. */
  readonly pageState: ReadonlySignal<PageState>;
  /**
   * Shows the state of a link. Plot choices that are missing get their defaults; with `keepPlot` those of the shown
   * plot are kept.
   */
  show(asked: PageState, keepPlot?: boolean): Promise<void>;
  /** As `show`; everything else that is missing also gets its default. */
  restore(asked: PageState): Promise<void>;
}

/** The item of the file that a link names. */
interface Target {
  /** Index of the key; undefined if the link names none. */
  index: number | undefined;
  /** Path of a branch or an expression. */
  draw: string | undefined;
  /** Path inside a stored object; empty for all of it. */
  part: string;
}

/** Returns the item that a link names; undefined if the file does not have it. */
function locate(keyTree: KeyTree, { tree, item, draw }: PageState): Target | undefined {
  const wanted = tree ?? item;
  if (wanted === undefined) return { index: undefined, draw, part: '' };
  const index = findKeyIndex(keyTree, wanted);
  if (index !== undefined) return { index, draw, part: '' };
  if (tree !== undefined) return undefined;
  // JSROOT names a branch as an item: the path of the tree, then the path of the branch.
  const branch = findBranchItem(keyTree, wanted);
  if (branch !== undefined) return { index: branch[0], draw: branch[1], part: '' };
  const inside = findPartItem(keyTree, wanted);
  return inside && { index: inside[0], draw, part: inside[1] };
}

/** Returns the state of a view. A pattern of items without a view means a wall. */
function paramsOf({ show, items }: PageState): string {
  return show ?? (items === undefined ? '' : `items=${encodeURIComponent(items)}`);
}

/** Returns the only tree of the file, which is what the file was made for; undefined if there are several or none. */
function onlyTree({ keys, superseded }: KeyTree): number | undefined {
  const trees = keys.flatMap((key, i) => (isTree(key) && !superseded[i] ? [i] : []));
  return trees.length === 1 ? trees[0] : undefined;
}

export function createNavigation(context: NavigationContext): Navigation {
  const { contents, selection, plot: plots } = context;
  const { file, opening, pending } = context.shown;

  const shownState = computed((): PageState => {
    const state: PageState = {};
    const chosen = selection.chosen.value;
    if (chosen === null || pending.value !== null) return { ...state, ...pending.value };
    const view = selection.view.value;
    const drawn = view === DRAW_VIEW && chosen.kind === 'key' && isTree(chosen.key) && selection.query.value;
    if (view !== FIRST_VIEW && chosen.kind !== 'branch' && !drawn) {
      state.view = view;
      state.show = selection.viewParams.value;
    }
    if (chosen.kind === 'file') return state;
    const path = keyPath(chosen.key, file.value?.keyTree, chosen.keyIndex);
    const plot = (place: PlotPlace) => plotStateOf(plots.now(), place);
    if (chosen.kind === 'branch') {
      const draw = chosen.branch.path;
      if (selection.branchView.value === 'entries') return { tree: path, draw, view: ENTRIES_VIEW };
      const cut = selection.branchCut.value;
      return { tree: path, draw, ...(cut && { cut }), ...plot('branch') };
    }
    if (!isTree(chosen.key)) {
      const part = plots.part.value;
      const item = part === '' ? path : `${path}/${part}`;
      return { ...state, item, ...(chosen.key.kind !== 'directory' && plot('object')) };
    }
    if (!drawn) return { ...state, tree: path };
    const { expr, cut, profile } = drawn;
    const asked = { tree: path, draw: expr, ...(cut && { cut }), ...(profile && { opt: 'prof' }) };
    return { ...state, ...asked, ...plot('query') };
  });

  const pageState = computed((): PageState => {
    const source = file.value?.source ?? opening.value;
    const waiting = waitingAddresses(context.tabs);
    const also = waiting.also === '' ? {} : { also: waiting.also };
    if (source?.kind !== 'url') return also;
    const align = context.align === undefined ? {} : { align: context.align };
    return { url: source.url, ...shownState.value, ...also, ...align };
  });

  /** The number of states that were asked for. One that is still being read gives way to a later one. */
  let turns = 0;

  /** Returns the plot choices of a link for a place. */
  type PlotAt = (place: PlotPlace) => PlotChoices;

  function showObject(index: number, part: string, plot: PlotChoices, keep: boolean): void {
    batch(() => {
      const isShown = selection.node.peek() === keyNode(index) && plots.part.peek() === part;
      selection.move(keyNode(index), plot);
      if (!isShown || !keep) plots.take(plot);
      plots.part.value = part;
    });
  }

  function showBranch(
    keyIndex: number,
    branch: BranchInfo,
    shown: { view: BranchView; cut: string; plot: PlotChoices; keep: boolean },
  ): void {
    const { view, cut, plot, keep } = shown;
    const node = branchNode(keyIndex, branch.index);
    if (selection.node.peek() !== node) {
      selection.branchView.value = view;
      selection.move(node, plot, cut);
      return;
    }
    const sameCut = selection.branchCut.peek() === cut;
    selection.branchCut.value = cut;
    const before = plots.settings.peek();
    if (!keep) batch(() => plots.take(plot));
    if (selection.branchView.peek() !== view) selection.setBranchView(view);
    else if (!sameCut || !sameSettings(before, plots.settings.peek())) selection.load();
  }

  /** Shows a tree, or the drawing from it that the link asks for. */
  async function showTree(
    { index, draw }: Target & { index: number },
    key: KeyInfo,
    asked: PageState,
    shown: { view: BranchView; plotAt: PlotAt; keep: boolean; opens: boolean; isLatest: () => boolean },
  ): Promise<void> {
    contents.unfold(keyNode(index), true);
    const ready = contents.trees.peek().get(index)?.state === 'ready';
    // If the tree has been read, the branch is shown at once, without the view of the tree before it.
    if (draw === undefined ? shown.opens : !ready) selection.move(keyNode(index));
    const { cut = '', opt } = asked;
    const query = asked.draw === undefined ? null : { expr: asked.draw, cut, profile: opt === 'prof' };
    let tree: TreeInfo;
    try {
      tree = await contents.readTree(index);
    } catch {
      // The row of the tree in the contents shows the reason. Trying again draws what the link asks for.
      if (query === null || !shown.isLatest()) return;
      batch(() => {
        selection.view.value = DRAW_VIEW;
        selection.query.value = query;
        plots.take(shown.plotAt('query'));
      });
      return;
    }
    if (draw === undefined || !shown.isLatest()) return;
    const branch = opt === undefined ? tree.branches.find(({ path }) => path === draw) : undefined;
    if (branch !== undefined) {
      // Entries have no plot. The choices are kept for the plot beside them.
      const keep = shown.keep || shown.view !== 'plot';
      showBranch(index, branch, { view: shown.view, cut, plot: shown.plotAt('branch'), keep });
    } else if (query !== null) {
      selection.move(keyNode(index));
      const stays = shown.keep && selection.isDrawn(query);
      selection.drawQuery(query, stays ? 'keep' : shown.plotAt('query'));
    } else {
      selection.move(keyNode(index));
      selection.forget();
      selection.showError({
        code: 'NOT_FOUND',
        message: `The link asks for the branch "${draw}", which ${key.name} does not have.`,
        fix: 'Choose a branch from the contents.',
      });
    }
  }

  async function show(asked: PageState, keepPlot = false): Promise<void> {
    const open: OpenFile | null = file.peek();
    if (open === null) return;
    const turn = ++turns;
    const isLatest = () => turn === turns && file.peek() === open;
    const plotAt: PlotAt = (place) => takePlotState(asked, place);
    const view: BranchView = asked.view === ENTRIES_VIEW ? 'entries' : 'plot';
    if (asked.view !== undefined && view === 'plot') selection.setView(asked.view, paramsOf(asked));
    const target = locate(open.keyTree, asked);
    if (target === undefined) {
      const error = {
        code: 'NOT_FOUND' as const,
        message: `The link asks for "${asked.tree ?? asked.item}", which is not in this file.`,
        fix: 'Choose something from the contents.',
      };
      selection.showError(error, FILE_NODE);
      return;
    }
    const named = target.index !== undefined;
    // A link to a view of the file stays with the file, and damage is told on the page of the file.
    const isPlain = asked.view === undefined && asked.items === undefined;
    const opens = named || (isPlain && !isDamaged(open.info));
    const index = target.index ?? (asked.items === undefined ? onlyTree(open.keyTree) : undefined);
    const key = index === undefined ? undefined : open.keyTree.keys[index];
    if (index === undefined || key === undefined) return;
    if (isTree(key))
      await showTree({ ...target, index }, key, asked, { view, plotAt, keep: keepPlot, opens, isLatest });
    else if (named) showObject(index, target.part, plotAt('object'), keepPlot);
  }

  async function restore(asked: PageState): Promise<void> {
    const before = selection.node.peek();
    const stays = { ...asked, view: asked.draw === undefined ? undefined : asked.view };
    let changed = false;
    context.activities.cancel('detail');
    batch(() => {
      pending.value = asked;
      if (asked.draw !== undefined) return;
      // The view for queries of the tree, without a query.
      if (asked.view === DRAW_VIEW) selection.query.value = null;
      changed = selection.view.peek() !== (asked.view ?? FIRST_VIEW);
      selection.view.value = asked.view ?? FIRST_VIEW;
      selection.viewParams.value = paramsOf(asked);
    });
    if (asked.tree === undefined && asked.item === undefined) selection.move(FILE_NODE);
    else await show(stays);
    if (pending.peek() !== asked) return;
    batch(() => {
      pending.value = null;
      if (selection.node.peek() !== before || !changed) return;
      selection.forget();
      selection.refill();
    });
  }

  return { shownState, pageState, show, restore };
}
