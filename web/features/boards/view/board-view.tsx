import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TreeInfo } from '../../../api/api';
import { cyclePath } from '../../../model/keys';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import type { BoardProgress, OpenedBoard } from '../work/insight';
import { Board } from './board';
import { type BoardParams, formatBoardParams, parseBoardParams, plotsOfText } from './board-params';
import { droppedBranch, isRow } from './made-from';

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
  const key = `board ${path} ${JSON.stringify([plots, params.weight, lost.value])}`;
  /** The board of the entries that were read so far. */
  const soFar = useSignal<{ key: string; board: OpenedBoard } | undefined>(undefined);
  const [read, again] = useRead(store, open, key, 'Reading the values of the board', (_api, file, options) =>
    store.insight.openBoard(
      file,
      {
        tree: path,
        plots: plots.map((expr) => ({ expr })),
        weight: params.weight === '' ? undefined : params.weight,
      },
      {
        ...options,
        onProgress: (progress: BoardProgress) => {
          const { board, ...rest } = progress;
          if (board) soFar.value = { key, board };
          options.onProgress?.(rest);
        },
      },
    ),
  );
  useEffect(() => {
    if (read.state === 'ready') soFar.value = undefined;
  }, [read.state]);
  const set = (change: Partial<BoardParams>) =>
    store.selection.setView('board', formatBoardParams({ ...params, ...change }));
  const board =
    read.state === 'ready'
      ? read.value
      : read.state === 'reading' && soFar.value?.key === key
        ? soFar.value.board
        : undefined;
  const isOver = useSignal(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: plots can also be typed
    <div
      class={`board-view${isOver.value ? ' takes-plot' : ''}`}
      onDragOver={(event) => {
        if (!isRow(event)) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        isOver.value = false;
        const branch = droppedBranch(store, event, tree.keyIndex);
        if (branch === undefined) return;
        event.preventDefault();
        if (!plots.includes(branch)) set({ plots: [...plots, branch] });
      }}
    >
      <Settings {...{ plots, params, set }} />
      {read.state === 'failed' && <ErrorPane error={read.error} onRetry={again} />}
      {read.state === 'cancelled' && <Cancelled onAgain={again} />}
      {read.state === 'reading' && !board && <Placeholder store={store} />}
      {board && (
        <Board key={key} {...{ ...props, tree, plots, set, board, params }} onLost={() => lost.value++} />
      )}
    </div>
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
  const typed = useTyped(plots.join('  '), (text) => set({ plots: plotsOfText(text) }));
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
