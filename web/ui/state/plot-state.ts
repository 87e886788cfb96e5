import {
  entryOf,
  isLookName,
  type LookName,
  lookOf,
  lookText,
  type PlotField,
  type PlotLook,
  plotFields,
  wholeNumber,
} from '../../plot/look/look';
import type { Range } from '../../plot/model';

/** Prefix of the name that a layer has for a file without an address. */
export const LOCAL = 'local:';

/** A way to show a stored object: "plot", "items", "value", "members", or the name of one that a feature gives. */
export type ObjectWay = string;

export interface DrawSettings {
  /** Number of x bins; undefined for ROOT's default, which depends on the number of axes. */
  bins?: number | undefined;
  /** Number of y bins, for plots with two axes. */
  yBins?: number | undefined;
  /** Range of x. A branch or expression is filled in this range; a stored plot is zoomed to it. */
  range?: Range | undefined;
  /** Range of y: the range of the bins if there are two axes, otherwise the visible range of the contents. */
  yRange?: Range | undefined;
}

/** The state of a plot in a link. Each field is a text; missing fields have their defaults. */
export type PlotState = { [F in PlotField]?: string | undefined };

/** Place of a plot. Each has its own choices. */
export type PlotPlace = 'branch' | 'query' | 'object';

function isFieldOf(field: PlotField, place: PlotPlace): boolean {
  if (field === 'bins') return place !== 'object';
  if (field === 'as') return place === 'object';
  return place === 'object' || !(isLookName(field) && entryOf(field).of === 'stored');
}

export interface PlotChoices {
  settings: DrawSettings;
  look: PlotLook;
  /** Way to show an object; undefined for the default of the object. */
  way: ObjectWay | undefined;
  /** The layers of the plot, as in a link (plot/layers/layer-spec.ts); empty if there are none. */
  layers: string;
  /** Steps of arithmetic with the histogram, as in a link: expressions of it with "|" between; empty if there are none. */
  steps: string;
}

export const MAX_BINS = 100_000;

/** Parses "50", or for two axes "50,40". */
function binsOf(text: string): { bins: number; yBins?: number } | undefined {
  const [bins, yBins, ...more] = text.split(',').map((part) => wholeNumber(part, 1, MAX_BINS));
  if (bins === undefined || more.length > 0) return undefined;
  if (!text.includes(',')) return { bins };
  return yBins === undefined ? undefined : { bins, yBins };
}

/** Parses "low,high", with a range of y "low,high,low,high"; ",,low,high" is only a range of y. */
function rangesOf(text: string): { range?: Range; yRange?: Range } | undefined {
  if (text.startsWith(',,')) {
    const y = rangesOf(text.slice(2))?.range;
    return y && { yRange: y };
  }
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [low = 0, high = 0, yLow, yHigh = 0] = numbers;
  const fits = (from: number, to: number) => Number.isFinite(from) && Number.isFinite(to) && from < to;
  if (!fits(low, high) || (numbers.length !== 2 && numbers.length !== 4)) return undefined;
  if (yLow === undefined) return { range: [low, high] };
  return fits(yLow, yHigh) ? { range: [low, high], yRange: [yLow, yHigh] } : undefined;
}

const valid: Record<Exclude<PlotField, LookName>, (text: string) => boolean> = {
  bins: (text) => binsOf(text) !== undefined,
  range: (text) => rangesOf(text) !== undefined,
  // If it is wrong, the plot says so.
  layers: () => true,
  steps: (text) => text.length <= 10_000,
  // An object that cannot be shown in this way is shown in its first one.
  as: (text) => /^[a-z]+$/.test(text),
};

export function isPlotField(field: string): field is PlotField {
  return plotFields.some((one) => one === field);
}

/** Whether the field of a link can have this value. Otherwise it is ignored. */
export function fitsPlotField(field: PlotField, text: string): boolean {
  if (!isLookName(field)) return valid[field](text);
  const value = entryOf(field).parse(text);
  return value !== undefined && lookText(field, value) !== '';
}

/** Returns the choices in a link for this place. */
export function takePlotState(given: PlotState, place: PlotPlace): PlotChoices {
  const text = (field: PlotField): string => {
    const value = given[field];
    return value !== undefined && isFieldOf(field, place) && fitsPlotField(field, value) ? value : '';
  };
  return {
    settings: { ...binsOf(text('bins')), ...rangesOf(text('range')) },
    look: lookOf((name, { parse }) => parse(text(name))),
    way: text('as') || undefined,
    layers: text('layers'),
    steps: text('steps'),
  };
}

/** Returns the state that `takePlotState` reads: the fields that differ from their defaults. */
export function plotStateOf(
  { settings, look, way, layers, steps }: PlotChoices,
  place: PlotPlace,
): PlotState {
  const { bins, yBins, range, yRange } = settings;
  const texts: Record<Exclude<PlotField, LookName>, string> = {
    bins: bins === undefined ? '' : [bins, ...(yBins === undefined ? [] : [yBins])].join(','),
    range: [...(range ?? (yRange ? ['', ''] : [])), ...(yRange ?? [])].join(','),
    layers,
    steps,
    as: way ?? '',
  };
  const state: PlotState = {};
  for (const field of plotFields) {
    const text = isLookName(field) ? lookText(field, look[field]) : texts[field];
    if (text !== '' && isFieldOf(field, place)) state[field] = text;
  }
  return state;
}
