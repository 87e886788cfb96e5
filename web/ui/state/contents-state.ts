import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ReaderApi, TreeInfo } from '../../api/api';
import { isTree } from '../../model/key-kind';
import {
  type ContentRow,
  contentRows,
  type KeyTree,
  keyNode,
  type NodeId,
  type TreeState,
} from './contents-model';
import { createTreeReads, type TreeReadsContext } from './tree-reads';

/** The list of contents: which rows are open, the filter, and the trees that were read for it. */
export interface ContentsState {
  readonly trees: ReadonlySignal<ReadonlyMap<number, TreeState>>;
  readonly rows: ReadonlySignal<ContentRow[]>;
  readonly filter: Signal<string>;
  setExpanded(id: NodeId, expand: boolean): void;
  /** Opens the directories that hold this key. */
  unfoldTo(keyTree: KeyTree, index: number): void;
  /** Opens or closes a row; a tree is read when its row is opened. */
  toggle(id: NodeId, expand?: boolean): void;
  /** Reads the branch table of a tree, once. */
  readTree(keyIndex: number): Promise<TreeInfo>;
  readAllTrees(): void;
  /** Forgets the trees, the open rows and the filter. */
  clear(): void;
  dispose(): void;
}

export function createContentsState(
  api: ReaderApi,
  context: Omit<TreeReadsContext, 'onAborted'>,
): ContentsState {
  const { file } = context;
  const expanded = signal<ReadonlySet<NodeId>>(new Set());
  // While there is a filter all rows are open, except those that the user closed.
  const folded = signal<ReadonlySet<NodeId>>(new Set());
  const filter = signal('');
  const reads = createTreeReads(api, {
    ...context,
    onAborted: (keyIndex) => setExpanded(keyNode(keyIndex), false),
  });
  const { trees } = reads;

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

  function setExpanded(id: NodeId, expand: boolean): void {
    const target = filter.peek() === '' ? expanded : folded;
    const add = filter.peek() === '' ? expand : !expand;
    const next = new Set(target.peek());
    if (add) next.add(id);
    else next.delete(id);
    target.value = next;
  }

  function unfoldTo(keyTree: KeyTree, index: number): void {
    for (const [parent, held] of keyTree.children) {
      if (parent >= 0 && held.includes(index)) {
        setExpanded(keyNode(parent), true);
        unfoldTo(keyTree, parent);
      }
    }
  }

  /** Reads a tree for its row, which shows a failure. */
  function readForRow(keyIndex: number): void {
    reads.read(keyIndex).catch(() => undefined);
  }

  return {
    trees,
    rows,
    filter,
    setExpanded,
    unfoldTo,
    toggle(id, expand) {
      const row = rows.peek().find((candidate) => candidate.id === id);
      if (row?.expandable !== true) return;
      const next = expand ?? !row.expanded;
      if (next === row.expanded) return;
      if (next && row.kind === 'key' && isTree(row.key)) readForRow(row.keyIndex);
      setExpanded(id, next);
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
