import type { ComponentChildren } from 'preact';
import type { Histogram } from '../../api/api';
import type { AnyPlot } from '../../plot/model';
import type { PlotWindow } from '../../plot/ranges';
import type { ViewerStore } from '../state/viewer-state';
import { Cancelled } from '../widgets/cancelled';
import { type Fact, Facts } from '../widgets/definition-list';
import { BinsTable } from './bins-table';
import { SavePlot } from './plot-controls';
import type { PlotFigureProps } from './plot-figure';
import { PlotView } from './plot-view';
import { Provisional } from './provisional';
import { Partial } from './results';
import { useShownPlot } from './shown-plot';

interface HistogramPanelProps {
  store: ViewerStore;
  result: Histogram;
  /** The drawable form of the result. */
  model: AnyPlot;
  theme: 'light' | 'dark';
  /** Whether another histogram was requested and has not arrived. */
  stale: boolean;
  /** Whether more of it is being read. */
  reading?: boolean;
  /** The visible part, if the plot is zoomed without filling it again. */
  window?: PlotWindow | undefined;
  refills?: PlotFigureProps['refills'];
  range?: PlotFigureProps['range'];
  onZoom(window: PlotWindow): void;
  /** Shows everything again. Default: resets the zoom. */
  onReset?: (() => void) | undefined;
  /** Shown above the plot. */
  controls: ComponentChildren;
  /** Shown right below the plot. */
  below?: ComponentChildren;
  /** Replaces the statistics of the result. */
  stats?: ComponentChildren;
  /** All histograms of the plot. Default: the result. */
  histograms?: readonly Histogram[] | undefined;
  /** Shown between the statistics and the table of bins. */
  children?: ComponentChildren;
}

/** Shows a filled histogram: its plot, statistics and bins. */
export function HistogramPanel(props: HistogramPanelProps): JSX.Element {
  const {
    store,
    result,
    model,
    theme,
    stale,
    reading = false,
    window,
    refills,
    range,
    onZoom,
    onReset,
    controls,
    below,
    stats,
    histograms,
    children,
  } = props;
  const look = store.plot.look.value;
  useShownPlot(store, result, model, window, histograms);
  const content = store.selection.content.value;
  const isCancelled = 'cancelled' in content && content.cancelled === true;
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.session.reload()} />
      {result.notes?.map((note) => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
      {controls}
      <PlotView
        model={model}
        look={look}
        store={store}
        theme={theme}
        stale={stale}
        window={window}
        refills={refills}
        range={range}
        onZoom={onZoom}
        onReset={onReset ?? (() => onZoom({}))}
      >
        <SavePlot
          model={model}
          look={look}
          window={window}
          drawn={{ store, histograms: histograms ?? [result] }}
        />
      </PlotView>
      {isCancelled && <Cancelled hasPart onAgain={() => store.session.reload()} />}
      {reading && !isCancelled && <Provisional store={store} />}
      {below}
      {stats ?? <Facts class="stats" facts={model.stats.map((line): Fact => [line.label, line.value])} />}
      {children}
      {model.kind === 'bins' && <BinsTable model={model} />}
    </>
  );
}
