import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { EntryNumbers, Histogram } from '../../api/api';
import { formatCount } from '../../base/format';
import { modelOfHistogram } from '../../plot/histogram';
import type { AnyPlot, Range } from '../../plot/model';
import { filledWindow, type PlotWindow } from '../../plot/ranges';
import { parseDraw, withAxes, withoutTarget } from '../../query/compile/draw-spec';
import { settingsRange } from '../plot/branch-plot';
import { ExportMenu } from '../plot/export-menu';
import { FrequencyTable } from '../plot/frequency-table';
import { HistogramPanel } from '../plot/histogram-panel';
import { BelowHistogram, BelowPlot, NoPlot, usePlotChange } from '../plot/own-plot';
import { AxisFields, LookToggles } from '../plot/plot-controls';
import { Partial } from '../plot/results';
import type { ShownRange } from '../plot/use-ranges';
import type { Content, ViewerStore } from '../state/viewer-state';
import type { ViewProps } from '../view-tabs';
import { Placeholder } from '../widgets/progress';
import { Examples } from './examples';
import { NamedBranches } from './named-branches';
import { QueryBar } from './query-bar';

/** The query bar of a tree, and its drawing. */
export function QueryView({ store, tree, theme }: ViewProps): JSX.Element | null {
  if (tree === undefined) return null;
  const content = store.selection.content.value;
  return (
    <>
      <QueryBar key={tree.keyIndex} store={store} tree={tree.info} keyInfo={tree.key} />
      {content.kind === 'reading' && <Placeholder store={store} />}
      {content.kind === 'query' && <Drawn store={store} content={content} theme={theme} tree={tree} />}
      {content.kind === 'info' && <Examples store={store} tree={tree.info} />}
      {content.kind === 'info' && (
        <p class="hint">
          Write a branch or an expression of branches: <code>y:x</code> is y over x, and what stands behind{' '}
          <code>&gt;&gt;</code> says the bins, as in <code>h(100,0,50)</code>. The cut selects, and weighs.
        </p>
      )}
    </>
  );
}

interface DrawnProps {
  store: ViewerStore;
  content: Content & { kind: 'query' };
  theme: 'light' | 'dark';
  tree: NonNullable<ViewProps['tree']>;
}

function Drawn({ store, content, theme, tree }: DrawnProps): JSX.Element {
  const { result } = content;
  if (result.kind !== 'histogram') {
    return (
      <>
        <NoPlot store={store} why="this is no plot." />
        {result.kind === 'frequencies' ? (
          <FrequencyTable store={store} result={result} />
        ) : (
          <Entries store={store} result={result} />
        )}
      </>
    );
  }
  return <Filled store={store} content={content} result={result} theme={theme} tree={tree} />;
}

function Filled({ store, content, result, theme, tree }: DrawnProps & { result: Histogram }): JSX.Element {
  const { query, reading, stale } = content;
  const { expr, cut, profile } = query;
  const own = useMemo(() => modelOfHistogram(result), [result]);
  const draw = { expr, ...(cut.trim() && { cut }), ...(profile && { option: 'prof' }) };
  // A map made from three axes is a sum over the third.
  const takesLayers = result.axes[2] === undefined || profile;
  const isGiven = saysBins(expr) || store.plot.settings.value.range !== undefined;
  const filled = { tree: tree.info.path, draw, histogram: result, isGiven };
  const changed = usePlotChange(store, own);
  const change = takesLayers ? changed.change : undefined;
  const model = (takesLayers && changed.model) || own;
  const drawn = change?.own ?? result;
  const below = takesLayers ? (
    <BelowPlot
      {...{ store, tree: tree.info, shown: own, ...changed.told }}
      own={reading || stale ? undefined : { model: own, what: withoutTarget(expr), cut, filled }}
    />
  ) : (
    <NoPlot store={store} why="this is a sum over the third axis." />
  );
  const view = useWindow(store, content, result, own);
  const summed = result.axes[2] !== undefined && !profile;
  return (
    <HistogramPanel
      store={store}
      result={result}
      model={model}
      theme={theme}
      stale={stale || change?.reading === true}
      reading={reading && !stale}
      histograms={change?.histograms}
      window={view.window}
      refills={view.refills}
      range={view.range}
      onZoom={view.zoom}
      onReset={view.reset}
      controls={
        <>
          <div class="controls">
            <QueryAxes store={store} content={content} result={drawn} />
            <button type="button" disabled={!view.zoomed} onClick={view.reset}>
              Full range
            </button>
            <LookToggles store={store} model={model} />
            <ExportMenu
              store={store}
              keyInfo={tree.key}
              tree={tree.info}
              branches={[]}
              query={{ columns: withoutTarget(expr), cut }}
            />
          </div>
          {summed && (
            <p class="hint">
              Entries are added up over {result.axes[2]?.title}, the third axis.{' '}
              <button
                type="button"
                class="link"
                onClick={() => store.selection.drawQuery({ ...query, profile: true })}
              >
                Draw its mean
              </button>
            </p>
          )}
        </>
      }
      below={below}
      stats={change?.stats}
    >
      <NamedBranches tree={tree.info} expr={expr} cut={cut} />
      <BelowHistogram
        {...{ store, histogram: drawn, tree: tree.info, expr: withoutTarget(expr), cut, profile }}
        layers={change?.layers}
      />
    </HistogramPanel>
  );
}

/** Whether the text specifies the bins: "x>>h(10,0,1)". */
function saysBins(expr: string): boolean {
  return parseDraw(expr).axes.length > 0;
}

interface QueryAxesProps {
  store: ViewerStore;
  content: Content & { kind: 'query' };
  result: Histogram;
}

/** Fields for bins and ends of the axes. If the expression contains them, its text is changed. */
function QueryAxes({ store, content: { query, stale }, result }: QueryAxesProps): JSX.Element {
  const { axes } = result;
  const { bins, range, yBins, yRange } = store.plot.settings.value;
  const written = saysBins(query.expr);
  const change = (index: number, change: { bins?: number; range?: Range }) => {
    if (written) {
      const next = axes.map(({ bins, low, high }, i) => {
        const axis: { bins: number; range: Range } = { bins, range: [low, high] };
        return i === index ? { ...axis, ...change } : axis;
      });
      store.selection.drawQuery({ ...query, expr: withAxes(query.expr, next) }, 'keep');
    } else if (index === 0) store.selection.setSettings(change);
    else
      store.selection.setSettings({
        ...(change.bins !== undefined && { yBins: change.bins }),
        ...(change.range !== undefined && { yRange: change.range }),
      });
  };
  const asked = written
    ? [{}, {}]
    : [
        { bins, range },
        { bins: yBins, range: yRange },
      ];
  return (
    <>
      {axes.slice(0, 2).map((axis, i) => (
        <AxisFields
          key={i}
          {...(axes.length > 1 && { axis: i === 0 ? 'x' : 'y' })}
          shown={axis}
          asked={asked[i] ?? {}}
          stale={stale}
          onChange={(next) => change(i, next)}
        />
      ))}
    </>
  );
}

interface ShownWindow {
  /** The visible part, if the plot is zoomed without filling it again. */
  window: PlotWindow | undefined;
  zoomed: boolean;
  refills: 'whole' | 'part' | undefined;
  range: ShownRange;
  zoom(window: PlotWindow): void;
  /** Shows everything. */
  reset(): void;
}

/**
 * Returns the visible part of a drawing. If the text does not specify the bins, zooming fills them again. A map with
 * ROOT's automatic axes, which leave much space, begins with its filled part.
 */
function useWindow(
  store: ViewerStore,
  { query }: Content & { kind: 'query' },
  result: Histogram,
  model: AnyPlot,
): ShownWindow {
  const { range, yRange } = store.plot.settings.value;
  const local = useSignal<{ of: Histogram; window: PlotWindow } | undefined>(undefined);
  const fills = !saysBins(query.expr);
  const isChosen = fills && (range !== undefined || yRange !== undefined);
  const filled = useMemo(
    () => (fills && !isChosen ? filledWindow(model) : undefined),
    [fills, isChosen, model],
  );
  const isFlat = model.kind !== 'map';
  const beside = fills && isFlat ? { y: yRange } : filled;
  const window = local.value?.of === result ? local.value.window : beside;
  const look = (next: PlotWindow) => {
    local.value = { of: result, window: next };
  };
  return {
    window,
    zoomed: isChosen || window?.x !== undefined || window?.y !== undefined,
    refills: !fills ? undefined : isChosen && (!isFlat || range !== undefined) ? 'part' : 'whole',
    range: fills ? settingsRange(store) : { of: store.plot.turn.value, now: window ?? {}, show: look },
    zoom(next) {
      if (fills && isFlat) store.selection.setSettings({ ...(next.x && { range: next.x }), yRange: next.y });
      // If the bins were filled for a part, an axis that does not change keeps its ends.
      else if (fills) store.selection.setSettings({ range: next.x ?? range, yRange: next.y ?? yRange });
      else look(next);
    },
    reset() {
      if (isChosen) store.selection.setSettings({ range: undefined, yRange: undefined });
      else look({});
    },
  };
}

/** Number of entries that are listed at once. */
const LISTED = 1000;

function Entries({ store, result }: { store: ViewerStore; result: EntryNumbers }): JSX.Element {
  const { numbers, entries } = result;
  const shown = Array.from(numbers.subarray(0, LISTED), formatCount);
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.session.reload()} />
      <p class="summary">
        {formatCount(numbers.length)} of {formatCount(entries)} entries pass
        {numbers.length > LISTED ? `; the first ${formatCount(LISTED)}:` : ''}
      </p>
      <p class="entry-numbers">{shown.join('  ')}</p>
    </>
  );
}
