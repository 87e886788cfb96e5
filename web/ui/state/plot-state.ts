import type { BelowKind } from '../../plot/layers/below';
import type { Normalise } from '../../plot/layers/choices';
import type { LogAxes, Range } from '../../plot/model';

/** Begins the name that a layer has for a file without an address. */
export const LOCAL = 'local:';

/** Ways to show a stored object. */
export const objectWays = ['plot', 'items', 'value', 'members', 'jsroot'] as const;
export type ObjectWay = (typeof objectWays)[number];

export interface DrawSettings {
  /** Number of bins of x; undefined for the default of ROOT, which depends on the number of axes. */
  bins?: number | undefined;
  /** Number of bins of y, for plots with two axes. */
  yBins?: number | undefined;
  /** Range of x: a branch or an expression is filled in this range, a stored plot is zoomed to it. */
  range?: Range | undefined;
  /** Range of y: of two axes of bins as that of x, else what is shown of the contents. */
  yRange?: Range | undefined;
}

export interface PlotLook {
  log: LogAxes;
  /** Error bars of √n on counts that have none of their own. */
  errors: boolean;
  /** Neighbouring bins of stored histograms that are drawn as one. */
  rebin: number;
  /** How the contents of layers are scaled. */
  normalise: Normalise;
  /** The panel below layers. */
  below: BelowKind | 'none';
  /** How a stored object is drawn: an option of ROOT's, or the axes of a projection. */
  how: string;
}

export const plainLook: PlotLook = {
  ...{ log: { x: false, y: false }, errors: false, rebin: 1, how: '' },
  ...{ normalise: 'none', below: 'none' },
};

/** The state of a plot in a link. Each field is a text; missing fields have their default. */
export const plotFields = [
  'bins',
  'range',
  'log',
  'errors',
  'rebin',
  'how',
  'as',
  'layers',
  'norm',
  'below',
] as const;
export type PlotField = (typeof plotFields)[number];
export type PlotState = { [F in PlotField]?: string | undefined };

/** Place of a plot; each has choices of its own. */
export type PlotPlace = 'branch' | 'query' | 'object';
const common = ['range', 'log', 'errors', 'layers', 'norm', 'below'] as const;
const fieldsOf: Record<PlotPlace, readonly PlotField[]> = {
  branch: ['bins', ...common],
  query: ['bins', ...common],
  object: [...common, 'rebin', 'how', 'as'],
};

export interface PlotChoices {
  settings: DrawSettings;
  look: PlotLook;
  /** Way to show an object; undefined for the default of the object. */
  way: ObjectWay | undefined;
  /** The layers of the plot, as links have them (plot/layers/layer-spec.ts); empty for the plot alone. */
  layers: string;
}

export const MAX_BINS = 100_000;
const MAX_REBIN = 1000;

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** "50", or of two axes "50,40". */
function binsOf(text: string): { bins: number; yBins?: number } | undefined {
  const [bins, yBins, ...more] = text.split(',').map((part) => wholeNumber(part, 1, MAX_BINS));
  if (bins === undefined || more.length > 0) return undefined;
  if (!text.includes(',')) return { bins };
  return yBins === undefined ? undefined : { bins, yBins };
}

/** "low,high", or with that of y "low,high,low,high"; ",,low,high" is that of y alone. */
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

const valid: Record<PlotField, (text: string) => boolean> = {
  bins: (text) => binsOf(text) !== undefined,
  range: (text) => rangesOf(text) !== undefined,
  log: (text) => /^(x|y|xy)$/.test(text),
  errors: (text) => text === '1',
  // Where it is wrong, the plot says so.
  layers: () => true,
  norm: (text) => text === 'area' || text === 'max' || text === 'first',
  below: (text) => text === 'ratio' || text === 'difference',
  rebin: (text) => wholeNumber(text, 2, MAX_REBIN) !== undefined,
  how: (text) => text.length <= 200,
  as: (text) => objectWays.some((way) => way === text),
};

export function isPlotField(field: string): field is PlotField {
  return field in valid;
}

/** Whether the field of a link can have this value; otherwise it is ignored. */
export function fitsPlotField(field: PlotField, text: string): boolean {
  return valid[field](text);
}

/** The choices that a link makes at this place. */
export function takePlotState(given: PlotState, place: PlotPlace): PlotChoices {
  const fields = fieldsOf[place];
  const text = (field: PlotField): string => {
    const value = given[field];
    return fields.includes(field) && value !== undefined && valid[field](value) ? value : '';
  };
  const log = text('log');
  return {
    settings: { ...binsOf(text('bins')), ...rangesOf(text('range')) },
    look: {
      log: { x: log.includes('x'), y: log.includes('y') },
      errors: text('errors') === '1',
      normalise: (text('norm') || 'none') as Normalise,
      below: (text('below') || 'none') as PlotLook['below'],
      rebin: wholeNumber(text('rebin'), 2, MAX_REBIN) ?? plainLook.rebin,
      how: text('how'),
    },
    way: objectWays.find((way) => way === text('as')),
    layers: text('layers'),
  };
}

/** The text that `takePlotState` reads: the fields that differ from their default. */
export function plotStateOf({ settings, look, way, layers }: PlotChoices, place: PlotPlace): PlotState {
  const { bins, yBins, range, yRange } = settings;
  const { log, errors, normalise, below, rebin, how } = look;
  const texts: Record<PlotField, string> = {
    bins: bins === undefined ? '' : [bins, ...(yBins === undefined ? [] : [yBins])].join(','),
    range: [...(range ?? (yRange ? ['', ''] : [])), ...(yRange ?? [])].join(','),
    log: `${log.x ? 'x' : ''}${log.y ? 'y' : ''}`,
    errors: errors ? '1' : '',
    layers,
    norm: normalise === 'none' ? '' : normalise,
    below: below === 'none' ? '' : below,
    rebin: rebin === plainLook.rebin ? '' : String(rebin),
    how,
    as: way ?? '',
  };
  const state: PlotState = {};
  for (const field of fieldsOf[place]) if (texts[field] !== '') state[field] = texts[field];
  return state;
}
