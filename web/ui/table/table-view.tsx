import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { fullText } from '../../export/cell-text';
import { cyclePath } from '../../model/keys';
import { ExportMenu } from '../plot/export-menu';
import { cardOf } from '../state/entry-link';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { ErrorPane } from '../widgets/error-pane';
import { ColumnChooser } from './column-chooser';
import { EntryGrid } from './entry-grid';
import { createEntryPages } from './entry-pages';
import { formatTableState, parseTableState, type TableState } from './table-state';

/** A table of a tree's entries with any branches and any number of rows. Only visible entries are read. */
export function TableView({ tree, ...props }: ViewProps): JSX.Element | null {
  if (tree === undefined) return null;
  if (tree.info.entries === 0) return <p class="hint">This tree has no entries.</p>;
  return <Table key={tree.keyIndex} {...props} tree={tree} />;
}

/** Time in ms after the last scroll before the visible entries are read. */
const REST_TIME = 60;

function Table({ store, tree }: ViewProps & { tree: NonNullable<ViewProps['tree']> }): JSX.Element {
  const info = tree.info;
  const state = useComputed(() => parseTableState(store.selection.viewParams.value, info));
  const { columns } = state.value;
  const goal = useSignal({ entry: state.peek().at });
  const shownColumns = columns.join(' ');
  const pages = useMemo(() => createEntryPages(info.entries), [info, shownColumns]);
  const version = useSignal(0);
  const failure = useSignal<ErrorRecord | null>(null);
  const latest = useRef(0);
  const timer = useRef(0);
  const asked = useRef<[number, number]>([0, 0]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      store.activities.cancel('table');
    },
    [],
  );

  const change = (next: Partial<TableState>) => {
    store.selection.setView('table', formatTableState({ ...state.peek(), ...next }, info));
  };
  const read = () => {
    const range = pages.missing(...asked.current);
    if (range === undefined) return;
    failure.value = null;
    const run = ++latest.current;
    store.session
      .call(
        'table',
        `Reading entries ${formatCount(range[0])} to ${formatCount(range[1] - 1)}`,
        (api, file, options) =>
          api.arrays(file, { tree: cyclePath(tree.key), branches: columns, entries: range }, options),
      )
      .then(
        (results) => {
          pages.put(range, results);
          version.value++;
        },
        (thrown: unknown) => {
          // A read that a later one replaced is not a failure.
          if (run !== latest.current) return;
          // Also cancels a read that waits for the end of a scroll.
          clearTimeout(timer.current);
          failure.value = toXylemError(thrown).toRecord();
        },
      );
  };
  /** For listeners of the viewer. */
  const chosen = useRef(goal.peek().entry);
  const tell = () => {
    const [from, to] = asked.current;
    const paths = columns.map((index) => info.branches[index]?.path ?? '');
    store.rows.value = { path: info.path, columns: paths, from, to, entry: chosen.current };
  };
  const need = (from: number, to: number) => {
    const moved = from !== asked.current[0];
    asked.current = [from, to];
    tell();
    // The notice of a cancelled or failed read changes the number of visible rows, which is not a reason to read
    // again.
    if (failure.peek() !== null && !moved) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(read, REST_TIME) as unknown as number;
  };

  return (
    <div class="entry-table">
      <div class="controls">
        <ColumnChooser tree={info} chosen={columns} onChange={(next) => change({ columns: next })} />
        <GoTo
          info={info}
          onGo={(entry) => {
            goal.value = { entry };
            change({ at: entry });
          }}
        />
        <ExportMenu store={store} keyInfo={tree.key} tree={info} branches={columns} />
      </div>
      {failure.value?.code === 'ABORTED' && <Cancelled onAgain={read} />}
      {failure.value !== null && failure.value.code !== 'ABORTED' && (
        <ErrorPane error={failure.value} onRetry={read} />
      )}
      <EntryGrid
        key={shownColumns}
        info={info}
        columns={columns}
        goal={goal.value}
        pages={pages}
        version={version.value}
        onSeen={need}
        onChosen={(entry) => {
          chosen.current = entry;
          tell();
        }}
        onMoved={(entry) => change({ at: entry })}
        onOpen={cardOf(store)}
        fullText={(entry, index) => {
          const page = pages.get(entry);
          const column = page?.columns[index]?.column;
          if (column === undefined || page === undefined || page.row >= column.length) return '';
          return fullText(column, page.row);
        }}
      />
    </div>
  );
}

function GoTo({ info, onGo }: { info: TreeInfo; onGo(entry: number): void }): JSX.Element {
  const draft = useSignal('');
  const value = Number(draft.value.replace(/[, _]/g, ''));
  const wrong = draft.value !== '' && !(Number.isInteger(value) && value >= 0 && value < info.entries);
  return (
    <form
      class="number-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.value !== '' && !wrong) onGo(value);
      }}
    >
      <label>
        <span>Go to entry </span>
        <input
          type="text"
          inputMode="numeric"
          size={10}
          placeholder={`0 to ${formatCount(info.entries - 1)}`}
          value={draft.value}
          aria-invalid={wrong}
          title={wrong ? `A whole number from 0 to ${info.entries - 1}` : undefined}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit">Go</button>
    </form>
  );
}
