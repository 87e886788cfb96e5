import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import type { ViewProps } from '../../../ui/view-tabs';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Check } from '../../../ui/widgets/segmented-control';
import { useTyped } from '../../../ui/widgets/use-typed';
import { entryText } from '../work/brushes';
import { chipsOfCut } from '../work/chips';
import type { OpenedBoard } from '../work/insight';
import { type BoardModel, createBoardModel } from './board-model';
import { type BoardParams, brushesOf, type Chip, newChip } from './board-params';
import { BoardPlot } from './board-plot';
import { ChipItem } from './chip';
import { UseCut } from './use-cut';

interface BoardProps extends ViewProps {
  tree: NonNullable<ViewProps['tree']>;
  board: OpenedBoard;
  plots: readonly string[];
  params: BoardParams;
  set(change: Partial<BoardParams>): void;
  /** Called if the worker does not keep the board any more. */
  onLost(): void;
}

/** Plots of which brushes select the entries of all others, and the brushes as chips. */
export function Board(props: BoardProps): JSX.Element {
  const { store, open, tree, theme, board, plots, params, set, onLost } = props;
  const latest = { set, onLost };
  const hooks = useMemo(() => ({ current: latest }), []);
  hooks.current = latest;
  const model = useMemo(
    () =>
      createBoardModel(store, board, params.chips, {
        onChips: (chips) => hooks.current.set({ chips }),
        onLost: () => hooks.current.onLost(),
      }),
    [],
  );
  useEffect(() => {
    if (model.board.peek() !== board) model.renew(board);
  }, [board]);
  // Brushes of a link, or after going back.
  const wanted = JSON.stringify(params.chips, withInfinite);
  useEffect(() => {
    const isNew = model.shown.peek().cuts.length === 0;
    if (isNew || JSON.stringify(model.settled.peek(), withInfinite) !== wanted) model.follow(params.chips);
  }, [wanted]);
  return (
    <>
      <BoardBar {...{ store, open, tree, model, plots, params, set }} />
      {model.error.value && <ErrorPane error={model.error.value} />}
      <Notes board={model.board.value} />
      <div class="board" aria-busy={model.isBusy.value}>
        {plots.map((title, index) => (
          <BoardPlot
            key={title}
            {...{ store, model, index, theme, title }}
            follows={params.follows}
            isWeighted={params.weight !== ''}
            fit={params.fits[title] ?? ''}
            onFit={(fit) => set({ fits: { ...params.fits, [title]: fit } })}
          />
        ))}
      </div>
    </>
  );
}

/** JSON has no infinite numbers. */
const withInfinite = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

/** Says what is missing: entries that are still to be read, that a sample leaves out, or that could not be read. */
function Notes({ board }: { board: OpenedBoard }): JSX.Element {
  const { left = 0, entries, sampled, partial } = board;
  return (
    <>
      {left > 0 && (
        <p class="hint" role="status">
          The first {formatCount(entries)} of {formatCount(entries + left)} entries. The others are being
          read.
        </p>
      )}
      {sampled && (
        <p class="hint bad" role="status">
          A sample: {formatCount(sampled.count)} of {formatCount(sampled.of)} entries, because the values of
          all take more memory than a board has. Counts are those of the sample. Entries that were read:{' '}
          {sampled.ranges
            .slice(0, 4)
            .map(([from, to]) => `${from}:${to}`)
            .join(', ')}
          {sampled.ranges.length > 4 && `, and ${sampled.ranges.length - 4} more ranges`}.
        </p>
      )}
      {partial && (
        <div class="hint bad" role="alert">
          <p>
            {formatCount(partial.failed)} of {formatCount(partial.total)} parts could not be read. They are in
            no count.
          </p>
          <ul>
            {partial.errors.slice(0, 5).map(({ message, where }, i) => (
              <li key={i}>
                {where?.url ? `${where.url}: ` : ''}
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

type BarProps = Pick<BoardProps, 'store' | 'open' | 'tree' | 'plots' | 'params' | 'set'> & {
  model: BoardModel;
};

/** Counts, chips, the cut as a text, and what is done with it. */
function BoardBar({ store, open, tree, model, plots, params, set }: BarProps): JSX.Element {
  const board = model.board.value;
  const chips = model.settled.value;
  const { alone } = model.shown.value.state;
  const active = chips.filter(({ off }) => !off);
  const used = useSignal<string | undefined>(undefined);
  const replace = (at: number, next: Chip | undefined) =>
    model.set(chips.flatMap((one, i) => (i === at ? (next ?? []) : one)));
  const cutOf = (chip: Chip): string => {
    const [brush] = brushesOf([chip], board);
    const isList = brush?.conditions.some(({ column }) => board.columns[column]?.isList) === true;
    return brush
      ? entryText(
          brush,
          board.columns.map(({ expr }) => expr),
          isList,
        )
      : '';
  };
  return (
    <div class="board-bar">
      <Selected model={model} isWeighted={params.weight !== ''} />
      <ul class="board-chips" aria-label="Brushes">
        {chips.map((chip, i) => (
          <ChipItem
            key={i}
            {...{ board, chip }}
            share={chip.off ? undefined : (alone[active.indexOf(chip)] ?? 0) / Math.max(1, board.entries)}
            onChange={(next) => replace(i, next)}
            onUse={() => {
              used.value = cutOf(chip);
            }}
          />
        ))}
      </ul>
      <div class="buttons">
        <button type="button" disabled={!model.canUndo.value} onClick={() => model.undo()}>
          Undo
        </button>
        <button type="button" disabled={chips.length === 0} onClick={() => model.set([])}>
          Remove all
        </button>
        <Check
          label="Axes follow the selection"
          on={params.follows}
          onChange={(follows) => set({ follows })}
        />
      </div>
      <CutField {...{ store, open, tree, model }} />
      <UseCut
        {...{ store, open, tree }}
        cut={used.value ?? model.shown.value.cut}
        expr={plots[0] ?? ''}
        weight={params.weight}
        isAlone={used.value !== undefined}
        onAll={() => {
          used.value = undefined;
        }}
      />
    </div>
  );
}

/** Time in ms after which a count is announced. While a brush is dragged, only the last one is. */
const ANNOUNCED = 600;

/** The number of selected entries. What is seen follows each move; what is announced comes when it rests. */
function Selected({ model, isWeighted }: { model: BoardModel; isWeighted: boolean }): JSX.Element {
  const { entries } = model.board.value;
  const { selected, weight } = model.shown.value.state;
  const said = useSignal('');
  const share = entries > 0 ? `${((100 * selected) / entries).toFixed(2)} %` : '';
  useEffect(() => {
    const timer = setTimeout(() => {
      said.value = `${formatCount(selected)} of ${formatCount(entries)} entries selected`;
    }, ANNOUNCED);
    return () => clearTimeout(timer);
  }, [selected, entries]);
  // A selection of a link may name a branch that is not there. What the others select is not that of the link.
  if (model.error.value)
    return <p class="board-selected">Nothing is counted, because a selection has a mistake.</p>;
  return (
    <>
      <p class="board-selected">
        <strong>{formatCount(selected)}</strong> of {formatCount(entries)} entries
        {share !== '' && ` (${share})`}
        {isWeighted && `, weights ${Number(weight.toPrecision(6))}`}
      </p>
      <p class="hidden" role="status">
        {said.value}
      </p>
    </>
  );
}

/** The cut as a text. A text that is typed becomes chips. */
function CutField({
  store,
  open,
  tree,
  model,
}: Pick<BarProps, 'store' | 'open' | 'tree' | 'model'>): JSX.Element {
  const mistake = useSignal<ErrorRecord | undefined>(undefined);
  const { cut } = model.shown.value;
  const apply = async (text: string): Promise<void> => {
    mistake.value = undefined;
    if (text === cut) return;
    try {
      const board = model.board.peek();
      const maps = board.plots
        .filter(({ columns }) => columns.length === 2)
        .map(({ columns }) => columns.map((column) => board.columns[column]?.expr ?? ''));
      const loops = (exprs: readonly string[]) =>
        store.insight.loopsOf(open.info.id, cyclePath(tree.key), exprs);
      const chips = await chipsOfCut(text, loops, maps);
      model.set(chips.map(({ selects, ...choices }) => ({ ...newChip(selects), ...choices })));
    } catch (thrown) {
      mistake.value = toXylemError(thrown).toRecord();
    }
  };
  const typed = useTyped(cut, (text) => void apply(text));
  return (
    <div class="board-cut">
      <label class="field">
        Cut
        <input type="text" spellcheck={false} placeholder="nMuon==2 && Muon_pt[0]>25" {...typed} />
      </label>
      {mistake.value && (
        <p class="hint bad" role="alert">
          {mistake.value.message} {mistake.value.fix}
        </p>
      )}
    </div>
  );
}
