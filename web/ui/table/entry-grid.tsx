// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only the rows in view exist is no table to HTML
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import { formatCount } from '../../base/format';
import { cellText } from '../../export/cell-text';
import { runKey } from '../../plot/command';
import { type GridCursor, gridCommands } from '../commands/grid-commands';
import { CopyButton } from '../widgets/copy-button';
import type { EntryPages } from './entry-pages';
import { rowWindow } from './row-window';
import { type Order, sortedEntries } from './sort';

/** Height of a row in CSS pixels, the same as in the style sheet. */
const ROW_HEIGHT = 26;

interface EntryGridProps {
  info: TreeInfo;
  columns: number[];
  /** The entry to show. A new object shows it again. */
  goal: { entry: number };
  pages: EntryPages;
  /** Increases when pages have arrived. */
  version: number;
  /** Called with the visible entries. */
  onSeen(from: number, to: number): void;
  /** Called with the entry of the active cell. */
  onChosen(entry: number): void;
  onMoved(entry: number): void;
  /** Shows an entry as a card; undefined if there is no such view. */
  onOpen: ((entry: number) => void) | undefined;
  fullText(entry: number, column: number): string;
}

/**
 * Rows under a header, as an ARIA grid with one tab stop. Arrows, Page, Home and End move the active cell, whose full
 * value is shown below. Only visible rows exist in the page.
 */
export function EntryGrid(props: EntryGridProps): JSX.Element {
  const { info, columns, goal, pages, version, onSeen, onChosen, onMoved, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const view = useSignal({ row: goal.entry, offset: 0, height: 400 });
  const active = useSignal({ entry: goal.entry, column: 0 });
  const order = useSignal<Order | null>(null);
  const window = useMemo(
    () => rowWindow(info.entries, ROW_HEIGHT, view.value.height - ROW_HEIGHT),
    [info, view.value.height],
  );

  const bring = (row: number) => {
    const host = scroller.current;
    if (host === null) return;
    host.scrollTop = window.topOf(row);
    const next = window.scaled ? row : Math.min(row, window.at(host.scrollTop).row);
    view.value = { ...view.peek(), row: next, offset: 0 };
  };
  useLayoutEffect(() => {
    const host = scroller.current;
    if (host === null) return;
    const observer = new ResizeObserver(() => {
      view.value = { ...view.peek(), height: host.clientHeight };
    });
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    bring(goal.entry);
    active.value = { ...active.peek(), entry: goal.entry };
  }, [goal]);
  // After a change of height the same row stays on top.
  useEffect(() => bring(view.peek().row), [window]);
  // The scroll bar of a long table is too coarse for a wheel, so rows are moved and the bar follows.
  useEffect(() => {
    const host = scroller.current;
    if (host === null || !window.scaled) return;
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY === 0 || event.ctrlKey) return;
      event.preventDefault();
      const rows = Math.round(event.deltaY / ROW_HEIGHT) || Math.sign(event.deltaY);
      moveView(view.peek().row + rows);
    };
    host.addEventListener('wheel', onWheel, { passive: false });
    return () => host.removeEventListener('wheel', onWheel);
  }, [window]);

  const visible = Math.ceil(view.value.height / ROW_HEIGHT);
  const { row: first, offset } = view.value;
  const block = order.value === null ? null : sortedEntries(pages, order.value, info.entries);
  const shown =
    block ??
    Array.from({ length: Math.max(0, Math.min(visible, info.entries - first)) }, (_, i) => first + i);
  useEffect(() => {
    if (block === null) onSeen(first, Math.min(info.entries, first + visible));
  }, [first, visible, pages, block === null]);

  useEffect(() => onChosen(active.value.entry), [active.value.entry]);

  const settle = useRef(0);
  useEffect(() => () => clearTimeout(settle.current), []);
  const own = useRef(false);
  function moveView(row: number): void {
    const host = scroller.current;
    if (host === null) return;
    const next = Math.min(Math.max(0, row), Math.max(0, info.entries - visible + 2));
    own.current = true;
    host.scrollTop = window.topOf(next);
    view.value = { ...view.peek(), row: next, offset: 0 };
  }
  const onScroll = () => {
    const host = scroller.current;
    if (host === null) return;
    if (own.current && window.scaled) own.current = false;
    else if (order.peek() === null) view.value = { ...view.peek(), ...window.at(host.scrollTop) };
    clearTimeout(settle.current);
    settle.current = setTimeout(() => onMoved(view.peek().row), 400) as unknown as number;
  };

  const moveTo = (entry: number, column: number) => {
    const next = {
      entry: Math.min(Math.max(0, entry), info.entries - 1),
      column: Math.min(Math.max(0, column), columns.length - 1),
    };
    active.value = next;
    const full = Math.floor(view.peek().height / ROW_HEIGHT) - 1;
    const { row } = view.peek();
    if (next.entry < row) moveView(next.entry);
    else if (next.entry >= row + full) moveView(next.entry - full + 1);
    showColumn(next.column);
  };
  /** Scrolls sideways only: scrollIntoView() would move the rows as well, because their header is sticky. */
  function showColumn(column: number): void {
    const host = scroller.current;
    const cell = host?.querySelector<HTMLElement>(`[data-column="${column}"]`);
    const entries = host?.querySelector<HTMLElement>('.grid-entry');
    if (host === null || !cell || !entries) return;
    const left = cell.offsetLeft - entries.offsetWidth;
    const right = cell.offsetLeft + cell.offsetWidth - host.clientWidth;
    if (host.scrollLeft > left) host.scrollLeft = left;
    else if (host.scrollLeft < right) host.scrollLeft = right;
  }
  const cursor: GridCursor = {
    get sorted() {
      return order.peek() !== null;
    },
    move({ rows = 0, pages = 0, columns: sideways = 0 }) {
      const { entry, column } = active.peek();
      moveTo(entry + rows + pages * (visible - 2), column + sideways);
    },
    open: onOpen && (() => onOpen(active.peek().entry)),
    toEnd(of, end) {
      const { entry, column } = active.peek();
      const isFirst = end === 'first';
      if (of === 'table') moveTo(isFirst ? 0 : info.entries - 1, column);
      else moveTo(entry, isFirst ? 0 : columns.length - 1);
    },
  };

  const cellId = (entry: number, column: number) => `${info.path}-${entry}-${column}`;
  const rowsText = () => {
    const names = ['entry', ...columns.map((index) => info.branches[index]?.path ?? '')];
    const lines = shown.map((entry) => [
      entry,
      ...columns.map((_, i) => props.fullText(entry, i).replace(/[\t\n\r]/g, ' ')),
    ]);
    return `${[names, ...lines].map((line) => line.join('\t')).join('\n')}\n`;
  };
  // The height does not depend on the number of rows, because the browser would move the view while rows are
  // replaced.
  const rowsHeight = Math.min(visible * ROW_HEIGHT, window.height);
  const { entry: activeEntry, column: activeColumn } = active.value;
  const activeName = info.branches[columns[activeColumn] ?? -1]?.path ?? '';
  return (
    <>
      {block !== null && (
        <SortedNote
          block={block}
          entries={info.entries}
          onBack={() => {
            order.value = null;
          }}
        />
      )}
      <div
        class="grid-box"
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`Entries of ${info.name}`}
        aria-rowcount={info.entries + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={cellId(activeEntry, activeColumn)}
        onScroll={onScroll}
        onKeyDown={(event) => runKey(gridCommands, cursor, event)}
        data-version={version}
      >
        <div class="grid-head" role="row" aria-rowindex={1} tabIndex={-1}>
          <span role="columnheader" tabIndex={-1} class="grid-entry">
            Entry
          </span>
          {columns.map((index, i) => (
            <HeaderCell
              key={index}
              name={info.branches[index]?.path ?? ''}
              column={i}
              order={order.value}
              onSort={(descending) => {
                order.value =
                  descending === undefined ? null : { column: i, descending, near: view.peek().row };
                if (descending === undefined) bring(view.peek().row);
              }}
            />
          ))}
        </div>
        <div
          class="grid-rows"
          style={
            block === null ? { height: `${rowsHeight}px`, transform: `translateY(${-offset}px)` } : undefined
          }
        >
          {shown.map((entry) => (
            <GridRow
              key={entry}
              entry={entry}
              columns={columns}
              page={pages.get(entry)}
              active={entry === activeEntry ? activeColumn : undefined}
              cellId={cellId}
              onOpen={onOpen}
              onChoose={(column) => {
                active.value = { entry, column };
                // The row of this cell is replaced when the view moves; the grid keeps the focus.
                scroller.current?.focus({ preventScroll: true });
              }}
            />
          ))}
        </div>
        {block === null && <div style={{ height: `${window.height - rowsHeight}px` }} />}
      </div>
      <div class="cell-line">
        <span>
          <strong>{activeName}</strong> of entry {formatCount(activeEntry)}:{' '}
          <output>{props.fullText(activeEntry, activeColumn) || '…'}</output>
        </span>
        <CopyButton label="Copy rows as TSV" text={rowsText} />
      </div>
    </>
  );
}

/** Says which entries are sorted, with a button for the order of the tree. */
function SortedNote(props: { block: number[]; entries: number; onBack(): void }): JSX.Element {
  const { block, entries, onBack } = props;
  return (
    <p class="hint">
      Only these {formatCount(block.length)} of {formatCount(entries)} entries are sorted: those from{' '}
      {formatCount(block.length === 0 ? 0 : Math.min(...block))} on.{' '}
      <button type="button" class="link" onClick={onBack}>
        Back to the order of the tree
      </button>
    </p>
  );
}

interface GridRowProps {
  entry: number;
  columns: number[];
  /** The page that holds the entry; undefined until it has arrived. */
  page: ReturnType<EntryPages['get']>;
  /** The active column, when the active cell is in this row. */
  active: number | undefined;
  cellId(entry: number, column: number): string;
  onOpen: ((entry: number) => void) | undefined;
  onChoose(column: number): void;
}

function GridRow({ entry, columns, page, active, cellId, onOpen, onChoose }: GridRowProps): JSX.Element {
  const textOf = (column: number): string => {
    if (page === undefined) return '';
    const cell = page.columns[column];
    if (cell?.column === undefined) return 'unreadable';
    return page.row < cell.column.length ? cellText(cell.column, page.row) : 'missing';
  };
  const errorOf = (column: number): ErrorRecord | undefined => {
    const cell = page?.columns[column];
    if (page === undefined || cell?.column === undefined) return cell?.error;
    return page.row < cell.column.length ? undefined : cell.missing;
  };
  return (
    <div
      class="grid-row"
      role="row"
      aria-rowindex={entry + 2}
      tabIndex={-1}
      onDblClick={onOpen && (() => onOpen(entry))}
    >
      <span role="rowheader" tabIndex={-1} class="grid-entry">
        {onOpen === undefined ? (
          formatCount(entry)
        ) : (
          <button
            type="button"
            class="link"
            tabIndex={-1}
            title={`Show entry ${formatCount(entry)} as a card`}
            onClick={() => onOpen(entry)}
          >
            {formatCount(entry)}
          </button>
        )}
      </span>
      {columns.map((index, i) => {
        const error = errorOf(i);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid move the active cell
          <span
            role="gridcell"
            tabIndex={-1}
            key={index}
            id={i === active ? cellId(entry, i) : undefined}
            class={`${error === undefined ? '' : 'bad'}${i === active ? ' active' : ''}`}
            title={error?.message}
            onClick={() => onChoose(i)}
          >
            {textOf(i)}
          </span>
        );
      })}
    </div>
  );
}

interface HeaderCellProps {
  name: string;
  column: number;
  order: Order | null;
  /** Undefined for the order of the tree. */
  onSort(descending: boolean | undefined): void;
}

/** A header cell. Clicks sort the visible page: ascending, descending, unsorted. */
function HeaderCell({ name, column, order, onSort }: HeaderCellProps): JSX.Element {
  const mine = order?.column === column ? order : null;
  const sort = mine === null ? 'none' : mine.descending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" tabIndex={-1} aria-sort={sort} data-column={column}>
      <button
        type="button"
        class="link"
        tabIndex={-1}
        title={`${name}: sort the page`}
        onClick={() => onSort(mine === null ? false : mine.descending ? undefined : true)}
      >
        {name}
        {mine !== null && (mine.descending ? ' ↓' : ' ↑')}
      </button>
    </span>
  );
}
