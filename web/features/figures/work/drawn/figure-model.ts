import type { Colour } from '../../../../plot/drawing/drawing';
import {
  type AnyPlot,
  type Curve,
  countErrors,
  type GraphModel,
  type MapModel,
  type Overlay,
  type PlotModel,
  type Series,
} from '../../../../plot/model';
import type { WholeStyle } from '../presets';
import type { Style } from '../style';
import { belowOf } from './below';
import { binsOf, highest, type Layer, layersIn, overlayOf, stackOf } from './layers';
import { type Look, lookOf } from './look';
import { type BandLook, type Bins, bandInLook, seriesInLook } from './paint';

/** One line of the legend: a layer, or a band. */
export interface Entry {
  title: string;
  look?: Look | undefined;
  hasErrors?: boolean | undefined;
  band?: BandLook | undefined;
}

/** A plot in the looks of a style. */
export interface FigureModel {
  model: AnyPlot;
  entries: Entry[];
  /** The names of the layers, in the order of the layers of a style. */
  layers: string[];
  /** The heights up to which bins have contents, which a legend should not cover. */
  bins: Bins[];
}

/** Returns the style with the panel below that the plot has, unless the style says another. */
export function withPanelOf(model: AnyPlot, style: Style): Style {
  const show = model.kind === 'map' ? undefined : model.below?.kind;
  return show === undefined || style.ratio?.show !== undefined
    ? style
    : { ...style, ratio: { ...style.ratio, show } };
}

/** Returns a plot as a style draws it. Throws ARGUMENT for layers that cannot be stacked. */
export function figureModel(given: AnyPlot, style: WholeStyle): FigureModel {
  const { x, y, title = '' } = style;
  const titles = { title, xTitle: x?.title ?? given.xTitle, yTitle: y.title ?? given.yTitle };
  const model = {
    ...given,
    ...titles,
    curves: undefined,
    functions: undefined,
    stats: [],
    text: false,
    label: given.label ?? given.title,
  };
  const curves = (given.curves ?? []).map(asSeries);
  if (model.kind === 'map')
    return { model: mapIn({ ...model, text: given.text }, style), entries: [], layers: [], bins: [] };
  const base = binsOf(model);
  return base ? binsFigure(model, base, curves, style) : graphFigure(model as GraphModel, curves, style);
}

const asSeries = ({ title, x, y }: Curve): Series => ({ title, x, y, dots: false });

function mapIn(model: MapModel, { z }: WholeStyle): MapModel {
  const zTitle = z?.title ?? model.zTitle;
  return { ...model, zTitle, ...(z?.range && { limits: { low: z.range[0], high: z.range[1] } }) };
}

function binsFigure(
  model: PlotModel | GraphModel,
  base: PlotModel,
  curves: readonly Series[],
  style: WholeStyle,
): FigureModel {
  const layers = layersIn(model, base, style);
  const sums = stackOf(layers);
  const others = layers.filter(({ look }) => look.as !== 'stacked');
  const band = bandOf(layers, sums.at(-1), style);
  const series = [...(base.points ?? []), ...curves].map((one, i) => styled(one, style, layers.length + i));
  // A band stands for error bars.
  const drawn = [
    ...[...sums].reverse().map(overlayOf),
    ...(band ? [band.drawn] : []),
    ...others.map((layer) => overlayOf(layer === band?.of ? { ...layer, hasErrors: false } : layer)),
  ];
  const [first = { title: '', values: new Float64Array() }, ...overlays] = drawn;
  const { low } = model.limits ?? {};
  const entries: Entry[] = [
    ...others,
    ...layers.filter(({ look }) => look.as === 'stacked').reverse(),
    ...series.map(({ entry }) => entry),
    ...(band ? [{ title: style.bands.label ?? '', band: band.look }] : []),
  ];
  const { title, xTitle, yTitle } = model;
  return {
    model: {
      ...{ ...base, ...first, edges: first.edges ?? base.edges, overlays },
      ...{ title, xTitle, yTitle, stats: [], text: false, curves: undefined, functions: undefined },
      points: series.map(({ drawn }) => drawn),
      limits: model.kind === 'graph' ? { low } : base.limits,
      below: belowOf(layers, sums.at(-1), style, { ...base, xTitle }),
    },
    entries: entriesOf(entries, style),
    layers: [...layers, ...series.map(({ entry }) => entry)].map(({ title: name }) => name),
    bins: [...sums, ...others].map(highest),
  };
}

/** Leaves out entries without a name, and the only layer of a plot unless the style names it. */
function entriesOf(entries: readonly Entry[], { layers }: WholeStyle): Entry[] {
  const isNamed = layers?.[0]?.label !== undefined;
  return entries.filter(({ title }) => title !== '' && (entries.length > 1 || isNamed));
}

/** Returns the band of errors: of the sum of the stacked layers, or of the first layer. */
function bandOf(
  layers: readonly Layer[],
  total: Layer | undefined,
  { bands }: WholeStyle,
): { of: Layer; look: BandLook; drawn: Overlay } | undefined {
  const form = total ? bands.total : bands.statistics;
  const of = total ?? layers[0];
  if (of === undefined || form === 'none' || (!total && of.look.as === 'points')) return undefined;
  const { edges, title } = of;
  const bins = { edges, values: of.values, errors: total ? of.errors : countErrors(of.own) };
  const look: BandLook = { colour: bands.colour as Colour, form };
  // The axis reaches to the upper end of the band.
  const values = bins.values.map((value, i) => value + (bins.errors?.[i] || 0));
  const drawn: Overlay = {
    title,
    edges,
    values,
    hidesErrors: true,
    paint: (_, frame) => bandInLook(bins, look, frame),
  };
  return { of, look, drawn };
}

function styled(series: Series, style: WholeStyle, i: number): { drawn: Series; entry: Entry } {
  const isFunction = series.dots === false && series.errors === undefined;
  const look = lookOf(style, i, { as: isFunction ? 'line' : 'points', ink: series.ink, dash: series.dash });
  const title = style.layers?.[i]?.label ?? series.title;
  const hasErrors = series.errors !== undefined && look.as === 'points' && look.errors !== false;
  return {
    drawn: { ...series, title, ink: look.colour, shapes: (one, _, frame) => seriesInLook(one, look, frame) },
    entry: { title, look, hasErrors },
  };
}

function graphFigure(model: GraphModel, curves: readonly Series[], style: WholeStyle): FigureModel {
  const { overlays = [] } = model;
  const own: Series = { ...model, title: model.label ?? '', stats: undefined };
  const [first, ...others] = [own, ...overlays, ...curves].map((series, i) =>
    // Boxes of candles and the like are drawn in their own way.
    series.shapes ? { drawn: series, entry: { title: '' } } : styled(series, style, i),
  );
  if (first === undefined) throw new RangeError('A graph has points.');
  const { title: _, stats: __, ...drawn } = first.drawn;
  return {
    model: { ...model, ...drawn, overlays: others.map((one) => one.drawn) },
    layers: [first, ...others].map(({ entry }) => entry.title),
    entries: entriesOf(
      [first, ...others].map(({ entry }) => entry),
      style,
    ),
    bins: [],
  };
}
