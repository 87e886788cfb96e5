import { argumentError } from '../../../base/errors';
import { didYouMean, nearest } from '../../../base/suggest';
import { COLUMNS, mergeStyles, type PresetName, parseStyle, presetNames, type Style } from './style';

/*
 * The presets. Sizes of fonts, colours and the forms of labels of CMS, ATLAS, LHCb and ALICE are those of mplhep 1.3, scaled from the
 * width of its figures to a column of 86 mm; mplhep has none of Belle II.
 */

const PLAIN = {
  ...{ column: 'single', aspect: 0.75, lines: 0.8, frame: 0.5, grid: false, palette: 'viridis' },
  font: { family: 'sans', numbers: 7, titles: 8, legend: 7, label: 8 },
  colours: ['#1f7a5c', '#2b2478', '#d6459f', '#6b3300', '#4596da', '#a3940f'],
  y: {},
  ratio: { show: 'none', height: 0.28 },
  legend: { place: 'top right', columns: 1 },
  label: { experiment: '', place: 'above', bold: true, italic: 'text', unit: 'fb^{-1}' },
  bands: { statistics: 'none', total: 'hatched', colour: '#55645c', label: 'Stat. unc.' },
  ticks: { inward: true, sides: 'four', minor: true, length: 4 },
} as const satisfies Style;

const OTHERS: Readonly<Record<Exclude<PresetName, 'plain'>, Style>> = {
  cms: {
    ...{ aspect: 1, frame: 0.7, lines: 1 },
    font: { numbers: 7.3, titles: 8.8, legend: 7.3, label: 8.8 },
    colours: ['#5790fc', '#f89c20', '#e42536', '#964a8b', '#9c9ca1', '#7a21dd'],
    label: { experiment: 'CMS', place: 'above', italic: 'text' },
  },
  atlas: {
    ...{ aspect: 0.75, frame: 0.5, lines: 0.9 },
    font: { numbers: 7.1, titles: 8.5, legend: 7.1, label: 8 },
    colours: ['#d55e00', '#56b4e9', '#e69f00', '#f0e442', '#009e73', '#cc79a7', '#0072b2'],
    label: { experiment: 'ATLAS', place: 'beside', italic: 'name' },
    ticks: { length: 5 },
  },
  lhcb: {
    ...{ aspect: 0.75, frame: 0.6, lines: 1 },
    font: { family: 'serif', numbers: 8.4, titles: 9, legend: 7.9, label: 7.9 },
    colours: ['#0078ff', '#ff6600', '#0aafb6', '#ff3333', '#0000ff', '#00cc00', '#bf8040', '#ff33cc'],
    label: { experiment: 'LHCb', place: 'inside', bold: false, italic: 'none' },
  },
  alice: {
    ...{ aspect: 0.75, frame: 0.5, lines: 0.8 },
    font: { numbers: 7.1, titles: 9, legend: 7.5, label: 7.9 },
    colours: ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f'],
    label: { experiment: 'ALICE', place: 'inside', italic: 'none' },
  },
  belle2: {
    ...{ aspect: 0.75, frame: 0.5, lines: 0.9 },
    font: { numbers: 7.3, titles: 8.5, legend: 7.3, label: 8 },
    colours: ['#1f77b4', '#d62728', '#2ca02c', '#ff7f0e', '#9467bd', '#8c564b'],
    label: { experiment: 'Belle II', place: 'beside', italic: 'none' },
  },
};

/** Returns the style that a text is or names: a preset, or JSON. Throws ARGUMENT. */
export function namedStyle(text: string): Style {
  const preset = presetNames.find((name) => name === text);
  if (preset) return { preset };
  if (text.trimStart().startsWith('{')) return parseStyle(text);
  const like = didYouMean(nearest(text, presetNames));
  throw argumentError(
    `There is no style "${text.slice(0, 60)}".`,
    like ?? `There are ${presetNames.join(', ')}, and JSON.`,
  );
}

/** Returns a preset with all that it has. */
export function presetStyle(name: PresetName): Style {
  return name === 'plain' ? PLAIN : mergeStyles(PLAIN, OTHERS[name]);
}

/** Returns a style with what it does not say, from its preset. Titles, ranges and layers may still be missing. */
export function wholeStyle(style: Style): WholeStyle {
  const whole = mergeStyles(presetStyle(style.preset ?? 'plain'), style) as Omit<
    WholeStyle,
    'width' | 'height'
  > &
    Style;
  const width = whole.width ?? COLUMNS[whole.column];
  const more = whole.ratio.show === 'none' ? 0 : whole.ratio.height;
  return { ...whole, width, height: whole.height ?? Math.round(10 * width * whole.aspect * (1 + more)) / 10 };
}

type Has<T, K extends keyof T> = { [Name in K]-?: NonNullable<T[Name]> } & Omit<T, K>;
type Part<Name extends keyof Style, K extends keyof NonNullable<Style[Name]>> = Has<
  NonNullable<Style[Name]>,
  K
>;

/** A style in which every member has a value that each figure needs. */
export type WholeStyle = Omit<Style, keyof typeof PLAIN | 'width' | 'height'> &
  Has<
    Style,
    'column' | 'width' | 'height' | 'aspect' | 'lines' | 'frame' | 'grid' | 'palette' | 'colours'
  > & {
    font: Part<'font', 'family' | 'numbers' | 'titles' | 'legend' | 'label'>;
    y: NonNullable<Style['y']>;
    ratio: Part<'ratio', 'show' | 'height'>;
    legend: Part<'legend', 'place' | 'columns'>;
    label: Part<'label', 'experiment' | 'place' | 'bold' | 'italic' | 'unit'>;
    bands: Part<'bands', 'statistics' | 'total' | 'colour'>;
    ticks: Part<'ticks', 'inward' | 'sides' | 'minor' | 'length'>;
  };
