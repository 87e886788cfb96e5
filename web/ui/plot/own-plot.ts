import { useSignal } from '@preact/signals';
import type { DrawnTogether, FileId, Histogram, PlainObject } from '../../api/api';
import type { AnyPlot } from '../../plot/model';
import type { ViewerStore } from '../state/viewer-state';
import { slot } from '../widgets/slot';

/** A plot, and where its numbers come from. */
export interface OwnPlot {
  model: AnyPlot;
  /** The expression, or the path of a stored object. */
  what: string;
  cut: string;
  /** For a filled histogram: its tree, the request, the result, and whether the axes were given. */
  filled?: { tree: string; draw: DrawnTogether; histogram: Histogram; isGiven: boolean } | undefined;
  /** For a stored histogram: the object. */
  object?: PlainObject | undefined;
}

/** One of the layers that are drawn: filled from a tree, or a stored object. */
export interface DrawnLayer {
  /** Its name in the legend. */
  label: string;
  file: FileId;
  /** Address of the file; undefined for that of the plot. */
  src: string | undefined;
  /** The expression, or the path of the stored object. */
  what: string;
  /** Undefined for a stored object. */
  filled: { tree: string; draw: DrawnTogether } | undefined;
}

/** How a plot is changed, for example by layers over it. */
export interface PlotChange {
  /** The plot that is drawn instead. */
  model?: AnyPlot | undefined;
  /** The bins of the plot itself, as they are drawn. */
  own?: Histogram | undefined;
  /** All histograms that are drawn. */
  histograms?: readonly Histogram[] | undefined;
  /** The layers that are drawn, the plot itself among them. */
  layers?: readonly DrawnLayer[] | undefined;
  /** Shown instead of the statistics. */
  stats?: JSX.Element | undefined;
  /** Whether another change is being prepared. */
  reading: boolean;
}

/** Parts of features below a plot. They may change the plot. */
export const BelowPlot = slot('plot');

/** Parts of features below the statistics of a histogram that was filled from a tree. */
export const BelowHistogram = slot('histogram');

/** Notes of features where there is no plot. */
export const NoPlot = slot('no-plot');

const COMING: PlotChange = { reading: true };

/** Returns how the plot with the layers of the store is changed, and the function that `BelowPlot` calls for that. */
export function usePlotChange({ plot }: ViewerStore): {
  change: PlotChange | undefined;
  onChange(change: PlotChange | undefined): void;
} {
  const told = useSignal<PlotChange | undefined>(undefined);
  const isChanged = plot.layers.value !== '' && !BelowPlot.isEmpty;
  return {
    change: isChanged ? (told.value ?? COMING) : undefined,
    onChange: (change) => {
      told.value = change;
    },
  };
}
