import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import type { BrushedBoard, OpenedBoard } from '../work/insight';
import {
  type BoardParams,
  brushesOf,
  fittingBrushes,
  formatBoardParams,
  type PlotBrush,
  parseBoardParams,
} from './board-params';
import { BoardPlot } from './board-plot';
import { Chip } from './chip';

/** Number of plots of a board that names none. */
const FIRST = 6;

/** The view `board` of a tree: plots of which brushes select the entries of all others. */
export function BoardView(props: ViewProps): JSX.Element | null {
  const { store, open, tree } = props;
  if (!tree) return null;
  const params = parseBoardParams(
    store.selection.view.value === 'board' ? store.selection.viewParams.value : '',
  );
  const plots = params.plots.length > 0 ? params.plots : firstPlots(tree.info);
  const path = cyclePath(tree.key);
  /** Counts the readings of a board that the worker keeps no more. */
  const lost = useSignal(0);
  const [read, again] = useRead(
    store,
    open,
    `board ${path} ${JSON.stringify([plots, params.weight, lost.value])}`,
    'Reading the values of the board',
    (_api, file, options) =>
      store.insight.openBoard(
        file,
        {
          tree: path,
          plots: plots.map((expr) => ({ expr })),
          weight: params.weight === '' ? undefined : params.weight,
        },
        options,
      ),
  );
  const set = (change: Partial<BoardParams>) =>
    store.selection.setView('board', formatBoardParams({ ...params, ...change }));
  return (
    <>
      <Settings {...{ plots, params, set }} />
      {read.state === 'failed' && <ErrorPane error={read.error} onRetry={again} />}
      {read.state === 'cancelled' && <Cancelled onAgain={again} />}
      {read.state === 'reading' && <Placeholder store={store} />}
      {read.state === 'ready' && (
        <Board
          key={read.value.id}
          {...{ ...props, plots, set }}
          board={read.value}
          params={{ ...params, brushes: fittingBrushes(params.brushes, read.value) }}
          onLost={() => lost.value++}
        />
      )}
    </>
  );
}

/** Returns the first branches of numbers of a tree. */
const firstPlots = ({ branches }: TreeInfo): string[] =>
  branches
    .filter(({ kind, storedBytes }) => kind === 'number' && storedBytes > 0)
    .slice(0, FIRST)
    .map(({ path }) => path);

interface SettingsProps {
  plots: readonly string[];
  params: BoardParams;
  set(change: Partial<BoardParams>): void;
}

/** The plots as words, as the wall has them, and the weight. */
function Settings({ plots, params, set }: SettingsProps): JSX.Element {
  const typed = useTyped(plots.join('  '), (text) =>
    set({ plots: text.split(/\s{2,}|;/).flatMap(splitWords), brushes: [] }),
  );
  const weight = useTyped(params.weight, (text) => set({ weight: text }));
  return (
    <div class="controls board-controls">
      <label class="field board-plots">
        Plots
        <input type="text" spellcheck={false} {...typed} aria-describedby="board-plots-hint" />
      </label>
      <label class="field">
        Weight
        <input type="text" spellcheck={false} {...weight} placeholder="1" />
      </label>
      <p class="hint" id="board-plots-hint">
        Expressions with spaces between them, y:x for a map. Drag in a plot to select: all others follow.
      </p>
    </div>
  );
}

/** Splits a text at spaces that are not in brackets. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const sign of text) {
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (/\s/.test(sign) && depth <= 0) {
      words.push(word);
      word = '';
    } else word += sign;
  }
  return [...words, word].filter((one) => one !== '');
}

interface BoardProps extends ViewProps, SettingsProps {
  board: OpenedBoard;
  /** Called if the worker does not keep the board any more. */
  onLost(): void;
}

function Board({ store, theme, board, plots, params, set, onLost }: BoardProps): JSX.Element {
  const brushes = useSignal<readonly PlotBrush[]>(params.brushes);
  /** The brushes without the drag that is under way: chips that come meanwhile would move the plots. */
  const settled = useSignal(params.brushes);
  const shown = useSignal<BrushedBoard>({ state: board.state, cut: '', cuts: [] });
  const error = useSignal<ErrorRecord | undefined>(undefined);
  const undone = useSignal<(readonly PlotBrush[])[]>([]);
  const asking = useRef({ isBusy: false, isStale: false });
  const ask = async (): Promise<void> => {
    const now = asking.current;
    now.isStale = true;
    if (now.isBusy) return;
    now.isBusy = true;
    // While one answer is under way, only the last of further moves counts.
    while (now.isStale) {
      now.isStale = false;
      try {
        shown.value = await store.insight.brushBoard(board.id, brushesOf(brushes.peek(), board));
        error.value = undefined;
      } catch (thrown) {
        const { code, ...record } = toXylemError(thrown).toRecord();
        if (code === 'NOT_FOUND') onLost();
        else error.value = { code, ...record };
      }
    }
    now.isBusy = false;
  };
  const change = (next: readonly PlotBrush[], isDone: boolean, before = brushes.peek()): void => {
    if (isDone) undone.value = [...undone.peek().slice(-50), before];
    brushes.value = next;
    void ask();
    if (!isDone) return;
    settled.value = next;
    set({ brushes: next });
  };
  /** The brushes before the drag that is under way. */
  const dragged = useRef<readonly PlotBrush[] | undefined>(undefined);
  const onBrush = (plot: number, ranges: PlotBrush['ranges'] | undefined, isDone: boolean): void => {
    dragged.current ??= brushes.peek();
    const before = dragged.current;
    if (isDone) dragged.current = undefined;
    const own = before.find((one) => one.plot === plot);
    const others = before.filter((one) => one.plot !== plot);
    if (ranges === undefined) {
      change(others, isDone, before);
      return;
    }
    const made: PlotBrush = { inverted: false, asks: { least: 1 }, ...own, off: false, plot, ranges };
    change(own ? before.map((one) => (one === own ? made : one)) : [...others, made], isDone, before);
  };
  // Brushes of a link, or after going back.
  const wanted = formatBoardParams({ ...params, plots: [], weight: '' });
  useEffect(() => {
    if (
      formatBoardParams({ plots: [], weight: '', brushes: brushes.peek() }) === wanted &&
      shown.peek().cuts.length > 0
    )
      return;
    brushes.value = params.brushes;
    settled.value = params.brushes;
    void ask();
  }, [wanted, board.id]);
  const { state, cut } = shown.value;
  const chips = settled.value;
  const active = chips.filter(({ off }) => !off);
  const replace = (at: number, next: PlotBrush | undefined) =>
    change(
      brushes.peek().flatMap((one, i) => (i === at ? (next ?? []) : one)),
      true,
    );
  const undo = () => {
    const last = undone.peek().at(-1);
    if (last === undefined) return;
    undone.value = undone.peek().slice(0, -1);
    brushes.value = last;
    settled.value = last;
    void ask();
    set({ brushes: last });
  };
  return (
    <>
      <div class="board-bar">
        <p role="status" class="board-selected">
          <strong>{formatCount(state.selected)}</strong> of {formatCount(board.entries)} entries
          {board.entries > 0 && ` (${((100 * state.selected) / board.entries).toFixed(2)} %)`}
          {params.weight !== '' && `, weights ${Number(state.weight.toPrecision(6))}`}
        </p>
        <ul class="board-chips" aria-label="Brushes">
          {chips.map((brush, i) => (
            <Chip
              key={`${brush.plot}`}
              {...{ board, brush }}
              title={plots[brush.plot] ?? ''}
              share={
                brush.off ? undefined : (state.alone[active.indexOf(brush)] ?? 0) / Math.max(1, board.entries)
              }
              onChange={(next) => replace(i, next)}
            />
          ))}
        </ul>
        <div class="buttons">
          <button type="button" disabled={undone.value.length === 0} onClick={undo}>
            Undo
          </button>
          <button type="button" disabled={chips.length === 0} onClick={() => change([], true)}>
            Remove all
          </button>
          <button
            type="button"
            disabled={cut === ''}
            onClick={() => store.selection.drawQuery({ expr: plots[0] ?? '', cut, profile: false })}
          >
            Draw with this cut
          </button>
        </div>
        {cut !== '' && chips.length > 0 && (
          <p class="board-cut">
            Cut: <code>{cut}</code>
          </p>
        )}
      </div>
      {error.value && <ErrorPane error={error.value} />}
      {board.partial && (
        <p class="hint bad" role="alert">
          {formatCount(board.partial.failed)} of {formatCount(board.partial.total)} parts could not be read:{' '}
          {board.partial.errors[0]?.message}
        </p>
      )}
      <div class="board">
        {board.plots.map((_, index) => (
          <BoardPlot
            key={plots[index]}
            {...{ board, index, theme }}
            title={plots[index] ?? ''}
            all={board.state.plots[index] ?? EMPTY}
            selected={state.plots[index] ?? EMPTY}
            brush={brushes.value.find(({ plot }) => plot === index)}
            onBrush={(ranges, isDone) => onBrush(index, ranges, isDone)}
          />
        ))}
      </div>
    </>
  );
}

const EMPTY = { sums: new Float64Array(), fills: 0 };
