import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TreeInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { isTree } from '../../model/keys';
import { keyNode, type NodeId, parseNode, type TreeState } from './contents-model';
import { createTreeReads, type TreeReadsContext } from './tree-reads';

/** How much of the page the contents take. `wide` is the share that the line beside them has. */
export type ContentsWidth = 'wide' | 'narrow' | 'folded';

/** The state of the list of contents: open rows, filter, and the trees that were read for it. */
export interface ContentsState {
  readonly trees: ReadonlySignal<ReadonlyMap<number, TreeState>>;
  /** The open rows. With a filter these are all rows that contain a match, except those that the user closed. */
  readonly expanded: ReadonlySignal<ReadonlySet<NodeId>>;
  readonly folded: ReadonlySignal<ReadonlySet<NodeId>>;
  readonly filter: Signal<string>;
  /** The user's choice of their width; undefined for the one that the view wishes. */
  readonly width: Signal<ContentsWidth | undefined>;
  /** Set by a view that needs the room. */
  readonly wishedWidth: Signal<ContentsWidth>;
  /** Opens or closes a row. Opening the row of a tree reads it. */
  unfold(id: NodeId, open: boolean): void;
  /** Reads the branch table of a tree, once. */
  readTree(keyIndex: number): Promise<TreeInfo>;
  readAllTrees(): void;
  /** Clears the trees, the open rows and the filter. */
  clear(): void;
  dispose(): void;
}

const WIDTHS: readonly ContentsWidth[] = ['wide', 'narrow', 'folded'];

export function shownWidth({
  width,
  wishedWidth,
}: Pick<ContentsState, 'width' | 'wishedWidth'>): ContentsWidth {
  return width.value ?? wishedWidth.value;
}

/** Narrows the contents, folds them away, or shows them again, in this order. */
export function changeWidth({ width, wishedWidth }: Pick<ContentsState, 'width' | 'wishedWidth'>): void {
  const now = width.peek() ?? wishedWidth.peek();
  width.value = WIDTHS[(WIDTHS.indexOf(now) + 1) % WIDTHS.length];
}

export function createContentsState(
  api: EngineApi,
  context: Omit<TreeReadsContext, 'onAborted'>,
): ContentsState {
  const { file } = context;
  const expanded = signal<ReadonlySet<NodeId>>(new Set());
  // While there is a filter all rows are open, except those that the user closed.
  const folded = signal<ReadonlySet<NodeId>>(new Set());
  const filter = signal('');
  const width = signal<ContentsWidth | undefined>(undefined);
  const wishedWidth = signal<ContentsWidth>('wide');
  const reads = createTreeReads(api, {
    ...context,
    onAborted: (keyIndex) => setExpanded(keyNode(keyIndex), false),
  });
  const { trees } = reads;

  const stopFolding = effect(() => {
    filter.value;
    folded.value = new Set();
  });

  function setExpanded(id: NodeId, expand: boolean): void {
    const target = filter.peek() === '' ? expanded : folded;
    const add = filter.peek() === '' ? expand : !expand;
    if (target.peek().has(id) === add) return;
    const next = new Set(target.peek());
    if (add) next.add(id);
    else next.delete(id);
    target.value = next;
  }

  /** Reads a tree for its row. The row shows a failure. */
  function readForRow(keyIndex: number): void {
    reads.read(keyIndex).catch(() => undefined);
  }

  return {
    trees,
    expanded,
    folded,
    filter,
    width,
    wishedWidth,
    unfold(id, open) {
      const node = parseNode(id);
      const key = node?.branch === undefined && node ? file.peek()?.keyTree.keys[node.key] : undefined;
      if (open && node !== undefined && key !== undefined && isTree(key)) readForRow(node.key);
      setExpanded(id, open);
    },
    readTree: reads.read,
    readAllTrees() {
      const open = file.peek();
      open?.keyTree.keys.forEach((key, i) => {
        if (isTree(key) && !open.keyTree.superseded[i]) readForRow(i);
      });
    },
    clear() {
      reads.clear();
      expanded.value = new Set();
      filter.value = '';
    },
    dispose: stopFolding,
  };
}
