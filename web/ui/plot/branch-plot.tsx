import type { BranchInfo, Histogram, TreeInfo } from '../../api/api';
import { binsModel } from '../../plot/histogram';
import type { PlotModel } from '../../plot/model';
import type { PlotWindow } from '../../plot/ranges';
import { elementsTitle } from '../../query/compile/elements';
import type { ViewerStore } from '../state/viewer-state';
import { PlotView } from './plot-view';
import { Partial } from './results';
import { useShownPlot } from './shown-plot';
import type { ShownRange } from './use-ranges';

export interface BranchPlotProps {
  store: ViewerStore;
  tree: TreeInfo;
  branch: BranchInfo;
  histogram: Histogram;
  /** Whether another histogram was requested and has not arrived. */
  stale: boolean;
  theme: 'light' | 'dark';
}

/** Only the plot of a branch, as shown by an element with `view="plot"`. */
export function BranchPlot({ store, tree, branch, histogram, stale, theme }: BranchPlotProps): JSX.Element {
  const model = branchModel(histogram, elementsTitle(branch, tree));
  const zoom = branchZoom(store);
  useShownPlot(store, histogram, model, zoom.window);
  return (
    <div class="panel">
      <Partial note={histogram.partial} onAgain={() => store.session.reload()} />
      <PlotView model={model} look={store.plot.look.value} theme={theme} stale={stale} {...zoom} />
    </div>
  );
}

/** Returns how the plot of a branch zooms: along x it is filled again, along y only the view changes. */
export function branchZoom({ plot, selection }: ViewerStore) {
  const { range, yRange } = plot.settings.value;
  return {
    range: settingsRange({ plot, selection }),
    window: { y: yRange },
    refills: range === undefined ? ('whole' as const) : ('part' as const),
    onZoom: ({ x, y }: PlotWindow) => selection.setSettings({ ...(x && { range: x }), yRange: y }),
    onReset: () => selection.setSettings({ range: undefined, yRange: undefined }),
  };
}

/** Returns the part of a plot that is chosen by the settings: bins are filled in it, or it is only shown. */
export function settingsRange({ plot, selection }: Pick<ViewerStore, 'plot' | 'selection'>): ShownRange {
  const { range, yRange } = plot.settings.value;
  return {
    ...{ of: plot.turn.value, now: { x: range, y: yRange } },
    show: ({ x, y }) => selection.setSettings({ range: x, yRange: y }),
  };
}

const models = new WeakMap<Histogram, PlotModel>();

/** Returns the same model for the same result, so that a plot is only redrawn after a change. */
export function branchModel(result: Histogram, title?: string): PlotModel {
  let model = models.get(result);
  if (model === undefined) {
    model = binsModel(result);
    if (title !== undefined) model = { ...model, xTitle: title };
    models.set(result, model);
  }
  return model;
}
