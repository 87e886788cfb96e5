import { useMemo } from 'preact/hooks';
import type { PlainObject } from '../../api/api';
import { readableLatex } from '../../plot/drawing/latex';
import type { AnyPlot, StatLine } from '../../plot/model';
import { curveInks } from '../../plot/panels';
import type { PlotWindow } from '../../plot/ranges';
import { withBins } from '../../plot/rebin';
import { hasManyAxes, isBinsClass, isMapClass } from '../../plot/stored/classes';
import { drawnObject } from '../../plot/stored/stored';
import { PLAIN } from '../../plot/stored/style';
import { BinsTable, PointsTable } from '../plot/bins-table';
import { settingsRange } from '../plot/branch-plot';
import { BelowPlot, NOTHING, usePlotChange } from '../plot/own-plot';
import { LookChoices, LookToggles, SavePlot } from '../plot/plot-controls';
import { swatchOf } from '../plot/plot-legend';
import { PlotView } from '../plot/plot-view';
import { useShownPlot } from '../plot/shown-plot';
import type { ViewerStore } from '../state/viewer-state';
import { type Fact, Facts } from '../widgets/definition-list';
import { lazy } from '../widgets/lazy';
import type { DrawnHowProps } from './drawn-how';
import { useSamples } from './samples';

interface StoredPlotProps {
  store: ViewerStore;
  object: PlainObject;
  theme: 'light' | 'dark';
  /** The tabs that choose how the object is shown. */
  tabs: JSX.Element;
}

/** A stored histogram, graph or function: its plot, statistics, and a description of its functions. */
export function StoredPlot({ store, object, theme, tabs }: StoredPlotProps): JSX.Element {
  const look = store.plot.look.value;
  // Several layers have the lines of layers, which can be told from each other.
  const how = isBinsClass(object._typename) && store.plot.layers.value !== '' ? PLAIN : look.how;
  const samples = useSamples(store, object, how);
  const { model: stored, why: mistake } = useMemo(
    () => (samples === undefined ? {} : drawnObject(object, samples, how)),
    [object, samples, how],
  );
  const chosen = store.selection.chosen.value;
  const path = chosen?.kind === 'key' ? chosen.key.path : '';
  const what = [path, store.plot.part.value].filter(Boolean).join('/');
  const own = useMemo(() => stored && { model: stored, what, cut: '', object }, [stored, what, object]);
  const alone = useMemo(() => withBins(stored ?? NOTHING, look.rebin), [stored, look.rebin]);
  const { model, plain, change, told } = usePlotChange(store, stored && alone);
  const histograms = change?.histograms;
  const { range, yRange } = store.plot.settings.value;
  const window: PlotWindow = { x: range, y: yRange };
  useShownPlot(store, object, model, window, histograms);
  if (model === undefined || plain === undefined || stored === undefined) {
    return (
      <>
        <div class="controls">
          {tabs}
          {samples && <How store={store} object={object} />}
        </div>
        {samples === undefined ? (
          <div class="placeholder" aria-busy="true" />
        ) : (
          <p class="hint bad" role="alert">
            {mistake && `${mistake.message} ${mistake.fix ?? ''}`}
          </p>
        )}
      </>
    );
  }
  const zoom = (next: PlotWindow) => store.selection.setSettings({ range: next.x, yRange: next.y });
  // The object itself shows only a part. A second double click shows everything.
  const whole = wholeWindow(stored);
  const zoomed = range !== undefined || yRange !== undefined;
  const reset = () => zoom(zoomed || whole === undefined ? {} : whole);
  return (
    <>
      <div class="controls">
        {tabs}
        <LookChoices store={store} model={stored} of="stored" />
        <How store={store} object={object} />
        <LookToggles store={store} model={model} />
        {(zoomed || whole !== undefined) && (
          <button type="button" onClick={reset}>
            {zoomed && whole !== undefined ? 'Range of the file' : 'Full range'}
          </button>
        )}
      </div>
      <PlotView
        {...{ store, model, look, theme, window }}
        range={settingsRange(store)}
        stale={change?.reading === true}
        onZoom={zoom}
        onReset={reset}
      >
        <SavePlot model={model} look={look} window={window} drawn={histograms && { store, histograms }} />
      </PlotView>
      <BelowPlot {...{ store, shown: alone, own, ...told }} />
      {change?.stats ?? <Lines lines={model.stats} />}
      <Functions model={plain} theme={theme} />
      {model.kind === 'bins' && <BinsTable model={model} />}
      {model.kind === 'graph' && <PointsTable model={model} />}
    </>
  );
}

/** Choices that exist only for some classes. */
const DrawnHow = lazy<DrawnHowProps>(() => import('./drawn-how').then((loaded) => loaded.DrawnHow));

/** The choice of how an object is drawn, if there is one. */
function How(props: DrawnHowProps): JSX.Element | null {
  const { _typename: kind } = props.object;
  return kind === 'THStack' || isBinsClass(kind) || isMapClass(kind) || hasManyAxes(kind) ? (
    <DrawnHow {...props} />
  ) : null;
}

function Lines({ lines }: { lines: readonly StatLine[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return <Facts class="stats" facts={lines.map((line): Fact => [readableLatex(line.label), line.value])} />;
}

/** Functions on a plot, in the colours of their lines: fits with their quality and parameters. */
function Functions({ model, theme }: { model: AnyPlot; theme: 'light' | 'dark' }): JSX.Element | null {
  const { functions = [], curves = [] } = model;
  if (functions.length === 0) return null;
  const inks = curveInks(model);
  return (
    <>
      {functions.map(({ title, lines, why }, i) => (
        <section class="function" key={i} aria-label={`Function ${readableLatex(title)}`}>
          <h3>
            {why === undefined && i < curves.length && (
              <span class="line-swatch" style={{ background: swatchOf(inks[i] ?? 'ink', theme) }} />
            )}
            {readableLatex(title)}
          </h3>
          {why !== undefined && <p class="hint">Not drawn: {why}</p>}
          <Lines lines={lines} />
        </section>
      ))}
    </>
  );
}

/** Returns the whole range of an object that shows only a part of itself; undefined if it shows everything. */
function wholeWindow(model: AnyPlot): PlotWindow | undefined {
  if (model.kind === 'graph') return undefined;
  const y = model.kind === 'map' ? model.yRange : undefined;
  if (model.xRange === undefined && y === undefined) return undefined;
  const ends = (edges: Float64Array): [number, number] => [edges[0] ?? 0, edges.at(-1) ?? 1];
  return model.kind === 'map' ? { x: ends(model.xEdges), y: ends(model.yEdges) } : { x: ends(model.edges) };
}
