import type { LogAxes } from '../plot/model';

/** How a stored object can be shown. */
export const objectWays = ['plot', 'members', 'jsroot'] as const;
export type ObjectWay = (typeof objectWays)[number];

export interface DrawSettings {
  bins: number;
  range: [low: number, high: number] | undefined;
}

/** How plots are drawn, whatever they show. */
export interface PlotLook {
  log: LogAxes;
  /** Error bars of √n on counts that have none of their own. */
  errors: boolean;
  /** Neighbouring bins of stored histograms that are drawn as one. */
  rebin: number;
  /** What is compared is scaled to the area of the plot. */
  sameArea: boolean;
}

export const plainLook: PlotLook = { log: { x: false, y: false }, errors: false, rebin: 1, sameArea: false };

/** What a link says of a plot. Each field is a text, and what it does not say is as at first. */
export const plotFields = ['bins', 'range', 'log', 'errors', 'area', 'rebin', 'as'] as const;
export type PlotField = (typeof plotFields)[number];
export type PlotState = { [F in PlotField]?: string | undefined };

/** Where a plot stands; each has choices of its own. */
export type PlotPlace = 'branch' | 'query' | 'object';
const fieldsOf: Record<PlotPlace, readonly PlotField[]> = {
  branch: ['bins', 'range', 'log', 'errors', 'area'],
  query: ['range', 'log', 'errors'],
  object: ['log', 'errors', 'rebin', 'as'],
};

/** All that is chosen of plots. */
export interface PlotChoices {
  settings: DrawSettings;
  look: PlotLook;
  /** How an object is shown; undefined as fits it. */
  way: ObjectWay | undefined;
}

export const plainBins = 100;
export const mostBins = 100_000;
const mostRebin = 1000;

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

function rangeOf(text: string): [low: number, high: number] | undefined {
  const [low, high, ...rest] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (low === undefined || high === undefined || rest.length > 0) return undefined;
  return Number.isFinite(low) && Number.isFinite(high) && low < high ? [low, high] : undefined;
}

const valid: Record<PlotField, (text: string) => boolean> = {
  bins: (text) => wholeNumber(text, 1, mostBins) !== undefined,
  range: (text) => rangeOf(text) !== undefined,
  log: (text) => /^(x|y|xy)$/.test(text),
  errors: (text) => text === '1',
  area: (text) => text === '1',
  rebin: (text) => wholeNumber(text, 2, mostRebin) !== undefined,
  as: (text) => objectWays.some((way) => way === text),
};

export function isPlotField(field: string): field is PlotField {
  return field in valid;
}

/** Whether the field of a link can have this value; one that cannot is as if it were not there. */
export function fitsPlotField(field: PlotField, text: string): boolean {
  return valid[field](text);
}

/** The choices that a link makes at this place; those of other places stay as they are now. */
export function takePlotState(given: PlotState, place: PlotPlace, now: PlotChoices): PlotChoices {
  const fields = fieldsOf[place];
  const text = (field: PlotField): string => {
    const value = given[field];
    return fields.includes(field) && value !== undefined && valid[field](value) ? value : '';
  };
  const own = <T>(field: PlotField, taken: T, kept: T): T => (fields.includes(field) ? taken : kept);
  const log = text('log');
  return {
    settings: {
      bins: own('bins', wholeNumber(text('bins'), 1, mostBins) ?? plainBins, now.settings.bins),
      range: rangeOf(text('range')),
    },
    look: {
      log: { x: log.includes('x'), y: log.includes('y') },
      errors: text('errors') === '1',
      sameArea: own('area', text('area') === '1', now.look.sameArea),
      rebin: own('rebin', wholeNumber(text('rebin'), 2, mostRebin) ?? plainLook.rebin, now.look.rebin),
    },
    way: objectWays.find((way) => way === text('as')),
  };
}

/** What `takePlotState` reads: of each field what is not as at first. */
export function plotStateOf({ settings, look, way }: PlotChoices, place: PlotPlace): PlotState {
  const { bins, range } = settings;
  const { log, errors, sameArea, rebin } = look;
  const texts: Record<PlotField, string> = {
    bins: bins === plainBins ? '' : String(bins),
    range: range === undefined ? '' : range.join(','),
    log: `${log.x ? 'x' : ''}${log.y ? 'y' : ''}`,
    errors: errors ? '1' : '',
    area: sameArea ? '1' : '',
    rebin: rebin === plainLook.rebin ? '' : String(rebin),
    as: way ?? '',
  };
  const state: PlotState = {};
  for (const field of fieldsOf[place]) if (texts[field] !== '') state[field] = texts[field];
  return state;
}
