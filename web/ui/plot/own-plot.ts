import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
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
  /** Its bins; undefined for points. */
  histogram?: Histogram | undefined;
  /** The stored object. */
  object?: PlainObject | undefined;
}

/** How a plot is changed, for example by layers over it. */
export interface PlotChange {
  /** The plot that is drawn instead. */
  model?: AnyPlot | undefined;
  /** Adds to the plot that is drawn, for example a function that was fitted. It is the same until it adds something else. */
  add?: ((plot: AnyPlot) => AnyPlot) | undefined;
  /** The histogram that `model` shows, if it was computed of that of the plot. */
  made?: Histogram | undefined;
  /** Why nothing that can be drawn was computed of the plot, although something was asked for: a sentence. */
  why?: string | undefined;
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

/** Receives how a part of a feature changes the plot; undefined if it does not. Parts are told apart by their names. */
export type ChangePlot = (part: string, change: PlotChange | undefined) => void;

const COMING: PlotChange = { reading: true };

/** A plot with all changes. */
interface ChangedPlot {
  /** The plot that is drawn; undefined if `alone` is. */
  model: AnyPlot | undefined;
  /** The plot that is drawn before anything was added to it. */
  plain: AnyPlot | undefined;
  change: PlotChange | undefined;
  /** The facts that the parts of `BelowPlot` are told about the plot as it is drawn. */
  told: { drawn: AnyPlot; onChange: ChangePlot } & Pick<PlotChange, 'made' | 'why' | 'layers' | 'reading'>;
}

/** Returns a plot as the parts of `BelowPlot` change it, and the function that they call for that. */
export function usePlotChange(
  { plot }: ViewerStore,
  alone: AnyPlot,
): ChangedPlot & { model: AnyPlot; plain: AnyPlot };
export function usePlotChange(store: ViewerStore, alone: AnyPlot | undefined): ChangedPlot;
export function usePlotChange({ plot }: ViewerStore, alone: AnyPlot | undefined): ChangedPlot {
  const parts = useSignal<Readonly<Record<string, PlotChange>>>({});
  const asked = (name: string, text: string) =>
    text !== '' && BelowPlot.ids.includes(name) ? (parts.value[name] ?? COMING) : undefined;
  // Layers are drawn over the plot itself, and not over what was computed of it.
  const change = asked('layers', plot.layers.value) ?? asked('calc', plot.steps.value);
  const plain = change?.model ?? alone;
  const adds = Object.values(parts.value).find((one) => one.add)?.add;
  const model = useMemo(() => (plain && adds ? adds(plain) : plain), [plain, adds]);
  const { made, why, layers, reading = false } = change ?? {};
  const onChange: ChangePlot = (part, next) => {
    const { [part]: _before, ...others } = parts.peek();
    parts.value = next === undefined ? others : { ...others, [part]: next };
  };
  return {
    ...{ model, plain, change },
    told: { drawn: plain ?? NOTHING, made, why, layers, reading, onChange },
  };
}

/** Placeholder for a plot that does not exist yet. */
export const NOTHING: AnyPlot = {
  kind: 'graph',
  ...{ title: '', xTitle: '', yTitle: '', stats: [] },
  ...{ x: new Float64Array(), y: new Float64Array() },
};
