import type { Frequencies, Histogram, PlainObject } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { XylemReader } from '../../api/reader';
import { unsupported } from '../../base/data-errors';
import { argumentError, XylemError } from '../../base/errors';
import { checkOptions } from '../../base/options';
import { FLAG, NUMBER, OBJECT, opaque, PAIR, TEXT } from '../../base/shape';
import { slotOf } from '../../base/slot';
import { type BinContents, givenHistogram, isNumbers } from '../../bins/given-histogram';
import { errorOf } from '../../core/tape';
import * as features from '../../features/plot';
import type { PlotPart } from '../../features/work-part';
import { drawingSvg } from '../drawing/drawing';
import { modelOfHistogram } from '../histogram';
import { LOOKS, type OverMap, overMaps } from '../layers/choices';
import { entryOf, lookNames, lookOf, type PlotLook, type PlotLookTexts } from '../look/look';
import type { AnyPlot, GraphModel, PointErrors, Range } from '../model';
import type { PlotWindow } from '../ranges';
import { withBins } from '../rebin';
import { plotPicture } from '../svg';

export { type ErrorCode, XylemError } from '../../base/errors';
export type { BinContents, PlotLookTexts };

const SIDES = ['left', 'right', 'down', 'up'] as const;

/** Points with or without errors, as `file.graph` of the library gives them. */
export interface PlotPoints {
  kind: 'graph';
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** Lengths of the error bars, in units of the axes, from the point to each side. */
  errors?: Readonly<Record<'left' | 'right' | 'down' | 'up', ArrayLike<number>>> | undefined;
  /** Whether a line joins the points. Default false. */
  joined?: boolean | undefined;
  title?: string | undefined;
  xTitle?: string | undefined;
  yTitle?: string | undefined;
}

/**
 * Something to draw: the result of `draw`, `file.histogram`, `file.graph` or `file.object` of the library, or bins
 * and points of a program.
 */
export type Plottable = Histogram | Frequencies | BinContents | PlotPoints | PlainObject;

/** A layer of a plot. The first one is the lowest. */
export interface PlotLayer {
  plot: Plottable;
  /** Its name beside the plot. */
  label: string;
  /** Number of its colour and dashes, 1 to 24. Default: its place in the list. */
  colour?: number | undefined;
  /** How a map lies over another one. Default "boxes". */
  as?: OverMap | undefined;
}

/** Options of a plot. The look is given by the same texts as in links and for the element (docs/embedding.md). */
export interface PlotOptions extends PlotLookTexts {
  /** Size of the picture in CSS pixels, 100 to 10000. Default 720 by 480; with a panel below, 720 by 600. */
  width?: number | undefined;
  height?: number | undefined;
  /** Replace the titles of the object, as TLatex. */
  title?: string | undefined;
  xTitle?: string | undefined;
  yTitle?: string | undefined;
  /** Whether the statistics stand beside the plot. Default true. */
  stats?: boolean | undefined;
  /**
   * The visible part, [low, high] in units of the axes. Default: everything, or the part that the object itself
   * specifies.
   */
  xRange?: readonly [low: number, high: number] | undefined;
  yRange?: readonly [low: number, high: number] | undefined;
  /** Computes functions stored with an object, such as fits. Without it they are only named. */
  reader?: XylemReader | undefined;
}

const PIXELS = opaque<number>(
  'a number from 100 to 10000',
  (value) => NUMBER.is(value) && value >= 100 && value <= 10_000,
);
const ASCENDING = opaque<Range>('two ascending numbers', (value) => PAIR.is(value) && value[0] < value[1]);
const READER = opaque<XylemReader>(
  'the reader of a file',
  (value) => typeof Object(value).functionValues === 'function',
);
const NUMBERS = opaque<ArrayLike<number>>('a list of numbers', isNumbers);
const TITLES = { title: TEXT, xTitle: TEXT, yTitle: TEXT };

const OPTIONS = {
  ...{ ...TITLES, width: PIXELS, height: PIXELS, stats: FLAG },
  ...{ xRange: ASCENDING, yRange: ASCENDING, reader: READER },
  ...Object.fromEntries(
    lookNames.map((name) => [
      name,
      opaque<string>(
        'a text as links have it: docs/plot.md',
        (value) => value === '' || (TEXT.is(value) && entryOf(name).parse(value) !== undefined),
      ),
    ]),
  ),
};

/** The members of points, besides those that `file.graph` gives. */
const POINTS = { ...TITLES, x: NUMBERS, y: NUMBERS, joined: FLAG, errors: OBJECT };

/**
 * Returns a plot as a self-contained SVG document with white background; with `figure`, as a figure for a paper. Throws ARGUMENT for inconsistent options and
 * numbers, UNSUPPORTED for an object that cannot be drawn (also a canvas) and for layers that cannot be combined, and
 * CORRUPT for an object with inconsistent members.
 */
export async function plotSvg(
  plot: Plottable | readonly PlotLayer[],
  options: PlotOptions = {},
): Promise<string> {
  checkOptions('plotSvg', options, OPTIONS);
  const look = lookOf((name, { parse }) => options[name] && parse(options[name]));
  const { title, xTitle, yTitle, stats, width, height } = options;
  const window = { x: rangeOf(options.xRange), y: rangeOf(options.yRange) };
  const model = isLayers(plot) ? await layersModel(plot, look, options) : await modelOf(plot, look, options);
  if (!isLayers(plot) && (look.norm !== 'none' || look.below !== 'none'))
    throw argumentError('norm and below are for several layers.', 'Give a list of { plot, label }.');
  if (look.figure !== '') return await figureOf(model, look, window, options);
  const own = { title, xTitle, yTitle, stats, width, height };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const picture = plotPicture(model, { ...look, ...given, window });
  if (picture.why !== undefined) throw unsupported(picture.why, 'Choose a part by xRange and yRange.');
  return drawingSvg(picture);
}

/** Draws a figure for a paper, whose size is that of its style. */
async function figureOf(
  model: AnyPlot,
  look: PlotLook,
  window: PlotWindow,
  options: PlotOptions,
): Promise<string> {
  const { title = model.title, xTitle = model.xTitle, yTitle = model.yTitle, width, height } = options;
  if (width !== undefined || height !== undefined)
    throw argumentError('The size of a figure is in its style.', 'Give width and height in mm there.');
  const figureSvg = await slotOf<PlotPart, 'figureSvg'>(features, 'figureSvg', 'figures')();
  return await figureSvg({ ...model, title, xTitle, yTitle }, look, window);
}

function isLayers(plot: Plottable | readonly PlotLayer[]): plot is readonly PlotLayer[] {
  return Array.isArray(plot);
}

const rangeOf = (range: readonly [number, number] | undefined): Range | undefined => range && [...range];

async function layersModel(
  layers: readonly PlotLayer[],
  look: PlotLook,
  options: PlotOptions,
): Promise<AnyPlot> {
  if (layers.length === 0) throw argumentError('The list of layers is empty.');
  const [{ layered }, { lineLook }] = await Promise.all([
    import('../layers/layered'),
    import('../layers/lines'),
  ]);
  const parts = await Promise.all(
    layers.map(async (layer) => {
      const { plot, label, colour, as } = Object(layer) as PlotLayer;
      if (colour !== undefined && !(Number.isInteger(colour) && colour >= 1 && colour <= LOOKS))
        throw argumentError(`colour is ${colour}: it has to be a whole number from 1 to ${LOOKS}.`);
      if (as !== undefined && !overMaps.includes(as))
        throw argumentError(`as is ${String(as)}: it has to be ${overMaps.join(' or ')}.`);
      if (typeof label !== 'string') throw argumentError('A layer has no label.');
      const model = await modelOf(plot, look, options);
      return { model, label, as, ...(colour !== undefined && lineLook(colour - 1)) };
    }),
  );
  const { model, refused, why } = layered(parts, look);
  const [first = why] = refused.values();
  if (first === undefined) return model;
  throw unsupported(first);
}

async function modelOf(plot: Plottable, look: PlotLook, options: PlotOptions): Promise<AnyPlot> {
  const given = Object(plot) as Partial<PlainObject & PlotPoints>;
  if (typeof given._typename === 'string') return objectModel(plot as PlainObject, look, options);
  if (given.kind === 'graph') return pointsModel(plot as PlotPoints);
  const histogram = givenHistogram(plot as Histogram | Frequencies | BinContents);
  const title = 'kind' in given ? histogram.title || histogram.name : histogram.title;
  return withBins({ ...modelOfHistogram(histogram), title }, look.rebin);
}

function pointsModel(points: PlotPoints): GraphModel {
  const { x, errors, joined = false, title = '', xTitle = '', yTitle = '' } = points;
  const own = Object.entries(POINTS).map(([name]) => [name, points[name as keyof PlotPoints]]);
  checkOptions('the points', Object.fromEntries(own), POINTS);
  const list = (name: string, given: ArrayLike<number>): Float64Array => {
    if (!NUMBERS.is(given)) throw argumentError(`The ${name} of points are not numbers.`);
    const numbers = Float64Array.from(given);
    if (numbers.length === x.length) return numbers;
    throw argumentError(`There are ${x.length} x, and ${numbers.length} ${name}.`);
  };
  const sides = errors && SIDES.map((side) => [side, list(side, errors[side])] as const);
  return {
    ...{ kind: 'graph', title, xTitle, yTitle, stats: [], joined, x: list('x', x), y: list('y', points.y) },
    errors: sides && (Object.fromEntries(sides) as unknown as PointErrors),
  };
}

async function objectModel(
  object: PlainObject,
  { how, rebin }: PlotLook,
  { reader }: PlotOptions,
): Promise<AnyPlot> {
  const broken = errorOf(object);
  if (broken !== undefined) throw unsupported(`The object cannot be decoded: ${broken}.`);
  const [{ drawnObject, loadKinds }, { samplesWithin }] = await Promise.all([
    import('../stored/stored'),
    import('../stored/functions'),
  ]);
  if (reader === undefined && /^TF[123]$/.test(object._typename))
    throw argumentError(`A ${object._typename} has no values of its own.`, 'Give { reader: file.reader }.');
  await loadKinds(object, how);
  const engine = reader as (XylemReader & EngineApi) | undefined;
  const samples = engine
    ? await samplesWithin([object], (wanted) => engine.functionValues(wanted))
    : new Map();
  const { model, why } = drawnObject(object, samples, how);
  if (model !== undefined) return withBins(model, rebin);
  throw why === undefined ? unsupported(`A ${object._typename} is not drawn.`) : new XylemError(why);
}
