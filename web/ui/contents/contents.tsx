import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatBytes, formatCount } from '../../base/format';
import { isTree } from '../../model/keys';
import { keysText, runKey } from '../../plot/command';
import { type ContentsList, contentsCommands } from '../commands/contents-commands';
import { findCommand, viewerCommands, widthCommand } from '../commands/viewer-commands';
import { FILE_NODE, type NodeId } from '../state/contents-model';
import { changeWidth, shownWidth } from '../state/contents-state';
import { FIRST_VIEW } from '../state/selection';
import { sourceName, type ViewerStore } from '../state/viewer-state';
import { WantedFocus } from '../widgets/focus';
import { Icon } from '../widgets/icons';
import { Splitter } from '../widgets/splitter';
import { Row } from './contents-row';
import { MarkedButtons, markedItems, markRow } from './marked';
import {
  type ContentRow,
  contentRows,
  countMatches,
  filterTerms,
  filterWords,
  holdersOf,
  isShowable,
  parentRow,
  rowMatches,
  titleThatMatches,
} from './rows';
import { readSmallTrees } from './small-trees';

/** Height of a row in CSS pixels, the same as --row in the style sheet. */
const ROW_HEIGHT = 28;
const OVERSCAN = 8;
/** Time in ms that the keyboard must rest on a row before it is read. */
const REST_TIME = 200;
/** Time in ms without a key press after which a letter begins a new word. */
const WORD_TIME = 1000;

export interface ContentsProps {
  store: ViewerStore;
  /** Label of the viewer: its name, or the name of its file. */
  name: string;
  /** Opens the list of commands, if the bar above has no button for it. */
  onFind?: (() => void) | undefined;
  /** Fraction of the width in percent, which the line beside the pane changes. */
  share: Signal<number>;
}

/** The left pane: a filter, and the virtualised tree of directories, keys and branches. */
export function Contents({ store, name, onFind, share }: ContentsProps): JSX.Element {
  /**
   * The user's choice. Undefined: the contents are hidden when something is drawn. Applies only to narrow viewers.
   */
  const unfolded = useSignal<boolean | undefined>(undefined);
  const open = unfolded.value ?? !isDrawn(store);
  const rows = useComputed(() => rowsOf(store));
  const file = store.session.file.value;
  const isIdle = !store.session.arriving.value;
  useEffect(() => {
    if (file !== null && isIdle) readSmallTrees(store);
  }, [store, file, isIdle]);
  return (
    <nav class={open ? 'contents' : 'contents folded'} part="contents" aria-label={`Contents of ${name}`}>
      <div class="file-line">
        <FileRow store={store} />
        {onFind !== undefined && (
          <button
            type="button"
            class="quiet square"
            aria-label="Find anything"
            title={`${findCommand.label} (${keysText(findCommand.keys)})`}
            onClick={onFind}
          >
            <Icon name="search" />
          </button>
        )}
        <button
          type="button"
          class="quiet square contents-width"
          aria-expanded={shownWidth(store.contents) !== 'folded'}
          aria-label="Contents"
          title={`${widthCommand.label} (${keysText(widthCommand.keys)})`}
          onClick={() => changeWidth(store.contents)}
        >
          <Icon name="chevron" />
        </button>
        <button
          type="button"
          class="contents-toggle"
          aria-expanded={open}
          onClick={() => {
            unfolded.value = !open;
          }}
        >
          {open ? 'Hide contents' : 'Show contents'}
        </button>
      </div>
      <Filter store={store} rows={rows} />
      <div class="tree-head" aria-hidden="true">
        <span>Name</span>
        <span class="col-type">Type</span>
        <span class="col-entries">Entries</span>
        <span class="col-size">Size</span>
      </div>
      <Tree
        store={store}
        rows={rows}
        onLeaf={() => {
          unfolded.value = undefined;
        }}
      />
      <Together store={store} />
      <Splitter share={share} />
    </nav>
  );
}

export function rowsOf(store: ViewerStore): ContentRow[] {
  const open = store.session.file.value;
  if (open === null) return [];
  return contentRows({
    keyTree: open.keyTree,
    trees: store.contents.trees.value,
    expanded: store.contents.expanded.value,
    folded: store.contents.folded.value,
    filter: store.contents.filter.value,
  });
}

/** Whether a plot, an object or a view is shown, instead of a list of contents. */
function isDrawn(store: ViewerStore): boolean {
  const chosen = store.selection.chosen.value;
  if (chosen === null) return false;
  if (chosen.kind === 'branch') return chosen.branch.kind !== 'group';
  if (chosen.kind === 'file' || isTree(chosen.key)) return store.selection.view.value !== FIRST_VIEW;
  return chosen.key.kind !== 'directory';
}

function FileRow({ store }: { store: ViewerStore }): JSX.Element | null {
  const open = store.session.file.value;
  if (open === null) return null;
  return (
    <button
      type="button"
      class="file-row"
      aria-current={store.selection.node.value === FILE_NODE}
      title={open.info.name}
      onClick={() => store.selection.select(FILE_NODE)}
    >
      <Icon name="file" />
      <span class="label">{sourceName(open.source)}</span>
      <span class="file-size">
        {open.chain === undefined ? formatBytes(open.info.size) : `${formatCount(open.chain.length)} files`}
      </span>
    </button>
  );
}

function Filter({ store, rows }: { store: ViewerStore; rows: ReadonlySignal<ContentRow[]> }): JSX.Element {
  const unread = useComputed(() => {
    const open = store.session.file.value;
    if (open === null || store.contents.filter.value === '') return 0;
    const { keys, superseded } = open.keyTree;
    return keys.filter((key, i) => isTree(key) && !superseded[i] && !store.contents.trees.value.has(i))
      .length;
  });
  const found = useComputed(() => {
    const open = store.session.file.value;
    if (open === null) return 0;
    return countMatches({
      keyTree: open.keyTree,
      trees: store.contents.trees.value,
      filter: store.contents.filter.value,
    });
  });
  /** Selects the first name that matches, and moves the keyboard focus to the list. */
  const toFirstHit = (field: HTMLElement) => {
    const terms = filterTerms(store.contents.filter.value);
    const hit = rows.value.find((row) => isShowable(row) && rowMatches(row, terms));
    if (hit === undefined || terms.length === 0) return;
    store.selection.select(hit.id);
    field.closest('.contents')?.querySelector<HTMLElement>('[role="tree"]')?.focus();
  };
  return (
    <div class="filter">
      <label class="field">
        <Icon name="search" />
        <span class="hidden">Filter the contents</span>
        <input
          type="search"
          placeholder="Filter names and branches"
          title="Words that are part of a name or of its title, or a pattern such as Muon_*"
          autocomplete="off"
          spellcheck={false}
          value={store.contents.filter.value}
          onInput={(event) => {
            store.contents.filter.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') store.contents.filter.value = '';
            else if (event.key === 'Enter' || event.key === 'ArrowDown') toFirstHit(event.currentTarget);
            else return;
            event.preventDefault();
          }}
        />
      </label>
      {store.contents.filter.value !== '' && (
        <p class="filter-count" role="status">
          {found.value === 1 ? '1 match' : `${formatCount(found.value)} matches`}
        </p>
      )}
      {unread.value > 0 && (
        <button type="button" class="link" onClick={() => store.contents.readAllTrees()}>
          Also search branches of {unread.value === 1 ? '1 tree' : `${unread.value} trees`} not read yet
        </button>
      )}
    </div>
  );
}

/** Buttons for showing the marked plots together. */
function Together({ store }: { store: ViewerStore }): JSX.Element | null {
  const count = store.selection.marked.value.length;
  if (count === 0) return null;
  return (
    <div class="together">
      <span role="status">{formatCount(count)} marked</span>
      <MarkedButtons store={store} items={markedItems(store)} />
      <button type="button" class="quiet" onClick={() => store.selection.unmark()}>
        Unmark
      </button>
    </div>
  );
}

interface TreeProps {
  store: ViewerStore;
  rows: ReadonlySignal<ContentRow[]>;
  onLeaf(): void;
}

function Tree({ store, rows: allRows, onLeaf }: TreeProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const visible = useSignal(0);
  const active = useSignal<NodeId>(store.selection.node.peek());
  const rest = useRef(0);

  const measure = () => {
    const host = scroller.current;
    if (host === null) return;
    first.value = Math.max(0, Math.floor(host.scrollTop / ROW_HEIGHT) - OVERSCAN);
    visible.value = Math.ceil(host.clientHeight / ROW_HEIGHT) + 2 * OVERSCAN;
  };
  useLayoutEffect(() => {
    const host = scroller.current;
    if (host === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  useEffect(() => () => clearTimeout(rest.current), []);

  const reveal = (index: number) => {
    const host = scroller.current;
    if (host === null || index < 0) return;
    const top = index * ROW_HEIGHT;
    if (top < host.scrollTop) host.scrollTop = top;
    else if (top + ROW_HEIGHT > host.scrollTop + host.clientHeight) {
      host.scrollTop = top + ROW_HEIGHT - host.clientHeight;
    }
  };
  // After the user opened a file, the keyboard focus moves here; if the contents are hidden, to the panel.
  const wanted = useContext(WantedFocus);
  useEffect(() => {
    const host = scroller.current;
    if (wanted.value !== 'contents' || host === null) return;
    const isSeen = host.offsetParent !== null;
    if (isSeen) host.focus({ preventScroll: true });
    wanted.value = isSeen ? null : 'detail';
  }, [wanted.value]);
  // Opens the parents of a selection made elsewhere (a link, another pane), and scrolls to it.
  const opened = useRef<NodeId | undefined>(undefined);
  useSignalEffect(() => {
    const id = store.selection.node.value;
    const open = store.session.file.value;
    const holders = open && holdersOf({ keyTree: open.keyTree, trees: store.contents.trees.value }, id);
    if (holders && opened.current !== id) {
      opened.current = id;
      for (const holder of holders) store.contents.unfold(holder, true);
    }
  });
  useSignalEffect(() => {
    active.value = store.selection.node.value;
    const id = store.selection.node.value;
    requestAnimationFrame(() => reveal(allRows.peek().findIndex((row) => row.id === id)));
  });

  const rows = allRows.value;
  const choose = (id: NodeId) => {
    clearTimeout(rest.current);
    active.value = id;
    const row = allRows.peek().find((one) => one.id === id);
    if (row !== undefined && !isShowable(row)) {
      if (row.expandable) store.contents.unfold(id, !row.expanded);
      return;
    }
    store.selection.select(id);
    if (row?.expandable === false) onLeaf();
  };
  const mark = (id: NodeId) => {
    clearTimeout(rest.current);
    active.value = id;
    markRow(store, id);
  };
  /** Returns the current values, which may not be drawn yet if keys come fast. */
  const now = () => {
    const rows = allRows.peek();
    return { rows, activeIndex: rows.findIndex((row) => row.id === active.peek()) };
  };
  const moveTo = (index: number) => {
    const { rows } = now();
    const row = rows[Math.min(Math.max(index, -1), rows.length - 1)];
    const id = row?.id ?? FILE_NODE;
    active.value = id;
    reveal(row === undefined ? 0 : rows.indexOf(row));
    clearTimeout(rest.current);
    // While rows are marked, the keyboard moves on to the next one to mark.
    if ((row === undefined || isShowable(row)) && store.selection.marked.peek().length === 0)
      rest.current = window.setTimeout(() => store.selection.select(id), REST_TIME);
  };
  /** Moves to the next name that begins with the typed text. Letters typed in quick succession form one word. */
  const typed = useRef('');
  const forget = useRef(0);
  useEffect(() => () => clearTimeout(forget.current), []);
  const type = (letter: string): void => {
    const going = typed.current !== '';
    const text = typed.current + letter.toLowerCase();
    typed.current = text;
    // A timer instead of the clock, because letters that wait while the page is busy still belong together.
    clearTimeout(forget.current);
    forget.current = window.setTimeout(() => {
      typed.current = '';
    }, WORD_TIME);
    const { rows, activeIndex } = now();
    // Further letters may still match the row found by the first ones.
    const start = Math.max(0, activeIndex + (going ? 0 : 1));
    const order = [...rows.slice(start), ...rows.slice(0, start)];
    const begins = (name: string) => name.toLowerCase().startsWith(text);
    const hit = order.find((row) => begins(nameOf(row)) || begins(nameOf(row).slice(sharedOf(row))));
    if (hit !== undefined) moveTo(rows.indexOf(hit));
  };
  const list: ContentsList = {
    type,
    move(to) {
      const { rows, activeIndex } = now();
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
      if (to === 'first') moveTo(0);
      else if (to === 'last') moveTo(rows.length - 1);
      else if ('rows' in to) moveTo(activeIndex + to.rows);
      else moveTo(Math.max(0, activeIndex + to.pages * page));
    },
    unfold() {
      const { rows, activeIndex } = now();
      const row = rows[activeIndex];
      if (row?.expandable && !row.expanded) store.contents.unfold(row.id, true);
      else if (row?.expanded) moveTo(activeIndex + 1);
    },
    fold() {
      const { rows, activeIndex } = now();
      const row = rows[activeIndex];
      if (row?.expanded) store.contents.unfold(row.id, false);
      else if (row !== undefined) moveTo(parentRow(rows, activeIndex));
    },
    choose() {
      const { rows, activeIndex } = now();
      const row = rows[activeIndex];
      if (row?.kind !== 'note') choose(row?.id ?? FILE_NODE);
    },
    mark: () => mark(active.peek()),
  };

  const marked = store.selection.marked.value;
  const words = filterWords(store.contents.filter.value);
  const terms = filterTerms(store.contents.filter.value);
  const shown = rows.slice(first.value, first.value + visible.value);
  // Only visible rows are in the page.
  const isSeen = shown.some((row) => row.id === active.value);
  return (
    <div
      class="tree"
      ref={scroller}
      role="tree"
      aria-label="Directories, objects and branches"
      aria-multiselectable="true"
      aria-activedescendant={isSeen ? `row-${active.value}` : undefined}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={(event) => runKey(contentsCommands, list, event, viewerCommands)}
    >
      {rows.length === 0 && (
        <div class="tree-empty" role="treeitem" aria-level={1} tabIndex={-1}>
          {store.contents.filter.value === ''
            ? 'This file holds no keys.'
            : 'Nothing here matches the filter.'}
        </div>
      )}
      <div class="tree-space" role="presentation" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {shown.map((row, i) => (
          <Row
            key={row.id}
            row={row}
            words={words}
            foundIn={titleThatMatches(row, terms)}
            top={(first.value + i) * ROW_HEIGHT}
            selected={marked.length > 0 ? marked.includes(row.id) : store.selection.node.value === row.id}
            active={active.value === row.id}
            onChoose={choose}
            onMark={mark}
            onToggle={() => row.expandable && store.contents.unfold(row.id, !row.expanded)}
          />
        ))}
      </div>
    </div>
  );
}

const sharedOf = (row: ContentRow): number => (row.kind === 'branch' ? row.shared : 0);

function nameOf(row: ContentRow): string {
  if (row.kind === 'group') return row.name;
  return row.kind === 'key' ? row.key.name : row.kind === 'branch' ? row.branch.name : '';
}
