import { argumentError } from '../../../base/errors';
import { checkOptions } from '../../../base/options';
import {
  between,
  either,
  FLAG,
  group,
  listOf,
  oneOf,
  opaque,
  optional,
  type Params,
  TEXT,
  textLike,
  type ValuesOf,
  whole,
} from '../../../base/shape';

/*
 * A style is how a figure for a paper looks: one JSON document of these members, none of which is needed. What is missing is that of
 * its preset, which is such a document, too. Lengths are millimetres, fonts and lines are points (1/72 inch).
 */

/** Names of the presets. */
export const presetNames = ['plain', 'cms', 'atlas', 'lhcb', 'alice', 'belle2'] as const;
export type PresetName = (typeof presetNames)[number];

/** Widths of the columns of a journal, in mm. */
export const COLUMNS = { single: 86, double: 178 } as const;

const colour = textLike('a colour as "#1f7a5c"', /^#[0-9a-fA-F]{6}$/);
const ends = opaque<readonly [number, number]>(
  'two ascending numbers [low, high]',
  (value) =>
    Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1],
);
const range = { ...ends, schema: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } };
const points = between(2, 72);
const title = optional(TEXT, 'TEXT', 'the title, as TLatex; default: that of the plot');

const axis = {
  title,
  range: optional(range, '[LOW, HIGH]', 'the ends of the axis'),
  log: optional(FLAG, '', 'whether the axis is logarithmic'),
} as const satisfies Params;

export const corners = ['top right', 'top left', 'bottom right', 'bottom left', 'none'] as const;
/** The places of the label, in the order of the numbers that mplhep has for them (`loc`). */
export const labelPlaces = ['above', 'inside', 'lines', 'split', 'beside'] as const;
export const layerForms = ['line', 'filled', 'points', 'band', 'stacked'] as const;
export const lineForms = ['solid', 'dashed', 'dotted', 'dashdot', 'none'] as const;
export const markers = [
  ...['circle', 'square', 'triangle', 'diamond', 'cross'],
  ...['open circle', 'open square', 'open triangle', 'open diamond'],
] as const;
export const bandForms = ['none', 'hatched', 'filled'] as const;

const layer = {
  as: optional(
    oneOf(...layerForms),
    'FORM',
    'how it is drawn: as a line, filled, as points with error bars, as a band of its errors, or stacked on the stacked layers before it',
  ),
  label: optional(TEXT, 'TEXT', 'its name in the legend, as TLatex; empty for none'),
  colour: optional(colour, 'COLOUR', 'the colour of its line and its points'),
  fill: optional(colour, 'COLOUR', 'the colour of its filling; default: that of its line'),
  opacity: optional(between(0, 1), 'N', 'the opacity of its filling'),
  line: optional(oneOf(...lineForms), 'FORM', 'the form of its line'),
  width: optional(between(0, 10), 'PT', 'the width of its line'),
  marker: optional(oneOf(...markers), 'FORM', 'the form of its points'),
  size: optional(between(0.2, 20), 'PT', 'the size of its points'),
  errors: optional(FLAG, '', 'whether it has error bars'),
} as const satisfies Params;

/** The members of a style. */
export const STYLE = {
  preset: optional(
    oneOf(...presetNames),
    'NAME',
    'the style that has what is not said here; default "plain"',
  ),
  column: optional(
    oneOf('single', 'double'),
    'WIDTH',
    'one column of a journal, 86 mm, or two, 178 mm; `width` is used instead where it is given',
  ),
  width: optional(between(20, 1000), 'MM', 'the width of the figure'),
  height: optional(between(20, 1000), 'MM', 'the height of the figure; default: the width times `aspect`'),
  aspect: optional(
    between(0.1, 10),
    'N',
    'the height divided by the width, for a figure without a ratio panel',
  ),
  font: optional(
    group({
      family: optional(oneOf('sans', 'serif'), 'NAME', 'sans is as wide as Helvetica, serif as Times'),
      numbers: optional(points, 'PT', 'the size of the numbers of axes'),
      titles: optional(points, 'PT', 'the size of the titles of axes'),
      legend: optional(points, 'PT', 'the size of the legend'),
      label: optional(
        points,
        'PT',
        'the size of the text of the label; the name of the experiment is larger by 1.3',
      ),
    }),
    '{…}',
    'the fonts',
  ),
  title: optional(TEXT, 'TEXT', 'a title above the figure, as TLatex; default: none'),
  x: optional(group(axis), '{…}', 'the axis below'),
  y: optional(
    group({
      ...axis,
      room: optional(
        between(1, 20),
        'N',
        'how much longer the axis is than its contents need; default: so that legend and label cover none of them',
      ),
    }),
    '{…}',
    'the axis at the left',
  ),
  z: optional(group(axis), '{…}', 'the colours of a map'),
  ratio: optional(
    group({
      show: optional(
        oneOf('none', 'ratio', 'difference'),
        'WHAT',
        'the panel below: the other layers divided by the first or less the first; by the sum of the stacked layers where there are any',
      ),
      height: optional(between(0.1, 0.6), 'N', 'its height, as a part of the height of the figure'),
      title,
      range: optional(range, '[LOW, HIGH]', 'the ends of its axis'),
      lines: optional(
        listOf(between(-1e9, 1e9), 20),
        '[N, …]',
        'lines across it; default 1, or 0 for differences',
      ),
      band: optional(FLAG, '', 'whether a band shows the relative errors of the first'),
    }),
    '{…}',
    'the panel below the figure',
  ),
  legend: optional(
    group({
      place: optional(oneOf(...corners), 'CORNER', 'its corner; "none" for no legend'),
      columns: optional(whole(1, 4), 'N', 'the number of its columns'),
      title: optional(TEXT, 'TEXT', 'a line above it, as TLatex'),
    }),
    '{…}',
    'the names of the layers',
  ),
  label: optional(
    group({
      experiment: optional(TEXT, 'TEXT', 'the name of the experiment; empty for no label'),
      text: optional(TEXT, 'TEXT', 'the words after it, such as "Preliminary", "Simulation", "Private Work"'),
      extra: optional(
        TEXT,
        'TEXT',
        'a smaller line below them, or at the right edge where the label is above',
      ),
      place: optional(
        oneOf(...labelPlaces),
        'PLACE',
        'above the frame; inside on one line; inside on lines below each other; split, the name above and the words inside; or beside: inside with the luminosity below',
      ),
      bold: optional(FLAG, '', 'whether the name is bold'),
      italic: optional(oneOf('none', 'name', 'text'), 'PART', 'the part in italics'),
      luminosity: optional(either(between(0, 1e12), TEXT), 'N', 'the integrated luminosity'),
      unit: optional(TEXT, 'TEXT', 'its unit; default fb^{-1}'),
      energy: optional(
        either(between(0, 1e12), TEXT),
        'N',
        'the energy in the centre of mass: a number of TeV, or a text with its unit',
      ),
      year: optional(either(whole(1900, 9999), TEXT), 'YEAR', 'the year of the data'),
      right: optional(TEXT, 'TEXT', 'replaces luminosity, year and energy, as TLatex'),
    }),
    '{…}',
    'the label of the experiment',
  ),
  bands: optional(
    group({
      statistics: optional(
        oneOf(...bandForms),
        'FORM',
        'the errors of the first layer, if it is neither points nor stacked',
      ),
      total: optional(oneOf(...bandForms), 'FORM', 'the errors of the sum of the stacked layers'),
      label: optional(TEXT, 'TEXT', 'the name of the band in the legend'),
      colour: optional(colour, 'COLOUR', 'its colour'),
    }),
    '{…}',
    'bands of uncertainties',
  ),
  colours: optional(
    listOf(colour, 50, 1),
    '[COLOUR, …]',
    'the colours of layers that have none of their own, in this order',
  ),
  layers: optional(listOf(group(layer), 50), '[{…}, …]', 'how each layer is drawn, the lowest first'),
  lines: optional(between(0.1, 10), 'PT', 'the width of lines that have none of their own'),
  frame: optional(between(0.1, 5), 'PT', 'the width of the frame and its ticks'),
  ticks: optional(
    group({
      inward: optional(FLAG, '', 'whether ticks point into the frame'),
      sides: optional(oneOf('four', 'two'), 'SIDES', 'on four sides, or at the bottom and the left only'),
      minor: optional(FLAG, '', 'whether there are ticks between those with numbers'),
      length: optional(between(0.2, 20), 'PT', 'their length; the minor ones are half as long'),
    }),
    '{…}',
    'the ticks of the axes',
  ),
  grid: optional(FLAG, '', 'whether lines go through the plot at the ticks'),
  palette: optional(
    oneOf('own', 'diverging', 'bird', 'viridis', 'cividis', 'rainbow', 'grey'),
    'NAME',
    'the colours of a map',
  ),
} as const satisfies Params;

/** A style as it is written. */
export type Style = ValuesOf<typeof STYLE>;
export type LayerStyle = ValuesOf<typeof layer>;

/** Maximum length of the text of a style. */
const MAX_LENGTH = 100_000;

/** Throws ARGUMENT for a value that is not a style, with the member that is wrong. */
export function checkStyle(value: unknown): asserts value is Style {
  checkOptions('the style', value ?? null, STYLE);
}

/** Returns the style of a JSON text. Throws ARGUMENT. */
export function parseStyle(text: string): Style {
  if (text.length > MAX_LENGTH) throw argumentError(`A style has ${MAX_LENGTH} characters at most.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw argumentError(
      'The style is not JSON.',
      'Write {"preset": "cms", "label": {"text": "Preliminary"}}.',
    );
  }
  checkStyle(value);
  return value;
}

type Plain = { readonly [name: string]: unknown };
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of both, those of the second where both have one. Lists of layers are joined one by one. */
export function mergeStyles(first: Style, second: Style): Style {
  return merged(first, second) as Style;
}

function merged(first: unknown, second: unknown): unknown {
  if (second === undefined) return first;
  if (isPlain(first) && isPlain(second)) {
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    return Object.fromEntries(names.map((name) => [name, merged(first[name], second[name])]));
  }
  const areGroups = (list: unknown): list is Plain[] => Array.isArray(list) && list.every(isPlain);
  if (areGroups(first) && areGroups(second)) {
    const length = Math.max(first.length, second.length);
    return Array.from({ length }, (_, i) => merged(first[i], second[i]));
  }
  return second;
}
