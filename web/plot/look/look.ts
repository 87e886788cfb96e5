import { palettes } from '../drawing/colour-scale';
import type { LogAxes } from '../model';
import { formatNotes, type PlotNote, parseNotes } from './notes';

// How plots look is this table, and that of `controls.ts` beside it: links, the element, notebooks, the controls of the page,
// its commands and the options of `xylem draw` are made of them. This one is loaded before anything that draws.

/** Look of a plot as texts: fields of links, attributes and properties of the element, arguments of `xylem.view`. */
export interface PlotLookTexts {
  /** Logarithmic axes: `x`, `y` or `xy`; for a map `y` is the colour scale. */
  log?: string | undefined;
  /** `1`: error bars on counts. */
  errors?: string | undefined;
  /** Number of bins of a stored histogram that are drawn as one. */
  rebin?: string | undefined;
  /** The way in which a stored object is drawn: `nostack` of a THStack, or the axes of a projection (`x,y;z=2:5`). */
  how?: string | undefined;
  /** Scale of layers: `area` (sum 1), `max` (largest 1), `first` (sum of the first). */
  norm?: string | undefined;
  /** Panel below layers: `ratio` or `difference` to the first. */
  below?: string | undefined;
  /** Colours of maps: `diverging`, `bird`, `viridis`, `cividis`, `rainbow` or `grey`. */
  palette?: string | undefined;
  /** `1`: the statistics in the plot, as ROOT's box. */
  statbox?: string | undefined;
  /** Notes, each on a line: `x,y: text`, or `x,y>px,py: text` with an arrow to a point; values of the axes. */
  notes?: string | undefined;
  /** The style of a figure for a paper: the name of a preset, or its JSON (docs/features/figures.md). */
  figure?: string | undefined;
  /** The fit of a function, which the page draws on the plot: `gaus; range=80:100; options=L` (docs/features/fits.md). */
  fit?: string | undefined;
}

/** One choice of how a plot looks. */
export interface LookEntry<V> {
  /** The default value. Links leave it out. */
  plain: V;
  /** Parses a text; undefined if it is not valid. */
  parse(text: string): V | undefined;
  /** Returns the text that `parse` reads. */
  text(value: V): string;
  /** The plots to which it applies: plots of stored objects, or plots with layers. Default: all. */
  of?: 'stored' | 'layers';
  /** Whether it is kept when another plot is shown. Default: no. */
  stays?: boolean;
}

const onOff: LookEntry<boolean> = {
  plain: false,
  parse: (text) => (text === '1' ? true : undefined),
  text: (on) => (on ? '1' : ''),
};

function oneOf<W extends string>(words: readonly [plain: W, ...W[]]): LookEntry<W> {
  return { plain: words[0], parse: (text) => words.find((word) => word === text), text: String };
}

/** Scales of layers, and panels below them. The first is the default. */
export const normalisations = ['none', 'area', 'max', 'first'] as const;
export const belows = ['none', 'ratio', 'difference'] as const;

/** Maximum length of a style in a link. A longer one is only in a file. */
export const MAX_STYLE = 4000;

/** Returns the text of a style: a name or an object in JSON. Whether it is a style is told where it is drawn. */
function figureOf(text: string): string | undefined {
  const isStyle = /^[a-z0-9]{1,20}$/.test(text) || (text.startsWith('{') && text.endsWith('}'));
  return isStyle && text.length <= MAX_STYLE ? text : undefined;
}

/** Returns the text of a fit. Whether it is one is told where it is fitted. */
const fitIn = (text: string): string | undefined =>
  /[\p{L}\d[(]/u.test(text) && text.length <= MAX_STYLE ? text : undefined;

export const PLOT_LOOK = {
  log: {
    plain: { x: false, y: false },
    parse: (text) => (/^(x|y|xy)$/.test(text) ? { x: text.includes('x'), y: text.includes('y') } : undefined),
    text: ({ x, y }) => `${x ? 'x' : ''}${y ? 'y' : ''}`,
  } as LookEntry<LogAxes>,
  errors: { ...onOff, stays: true },
  rebin: {
    ...{ plain: 1, parse: (text) => wholeNumber(text, 1, 1000), text: String, of: 'stored' },
  } as LookEntry<number>,
  how: {
    ...{ plain: '', parse: (text) => (text.length <= 200 ? text : undefined), text: String, of: 'stored' },
  } as LookEntry<string>,
  norm: { ...oneOf(normalisations), of: 'layers', stays: true },
  below: { ...oneOf(belows), of: 'layers', stays: true },
  palette: { ...oneOf(palettes), stays: true },
  statbox: { ...onOff, stays: true },
  figure: {
    ...{ plain: '', parse: figureOf, text: (style) => (style.length <= MAX_STYLE ? style : '') },
  } as LookEntry<string>,
  fit: {
    ...{ plain: '', parse: fitIn, text: (fit) => (fit.length <= MAX_STYLE ? fit : '') },
  } as LookEntry<string>,
  notes: { plain: [], parse: parseNotes, text: formatNotes } as LookEntry<readonly PlotNote[]>,
} as const satisfies { [Name in keyof PlotLookTexts]-?: unknown };

export type LookName = keyof typeof PLOT_LOOK;
/** How a plot looks. */
export type PlotLook = { [Name in LookName]: (typeof PLOT_LOOK)[Name]['plain'] };

export const lookNames = Object.keys(PLOT_LOOK) as LookName[];
/** The fields of a plot in a link, which are attributes of the element, too. */
export const plotFields = ['bins', 'range', ...lookNames, 'as', 'layers', 'steps'] as const;
export type PlotField = (typeof plotFields)[number];

export function isLookName(name: string): name is LookName {
  return Object.hasOwn(PLOT_LOOK, name);
}

export function entryOf(name: LookName): LookEntry<unknown> {
  return PLOT_LOOK[name];
}

/** Returns the look in which each choice has the value from `of`, or its default. */
export function lookOf(of: (name: LookName, entry: LookEntry<unknown>) => unknown): PlotLook {
  const values = lookNames.map((name) => [name, of(name, entryOf(name)) ?? entryOf(name).plain]);
  return Object.fromEntries(values) as PlotLook;
}

export const plainLook = lookOf(() => undefined);

/** Returns the text of a choice in links; empty for the default. */
export function lookText(name: LookName, value: unknown): string {
  const { text, plain } = entryOf(name);
  return text(value) === text(plain) ? '' : text(value);
}

/** Parses a number of digits; undefined if it is not from `least` to `most`. */
export function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
