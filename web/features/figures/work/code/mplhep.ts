import { quotedText } from '../../../../base/literal';
import { RATIO_ENDS } from '../../../../plot/layers/below-panels';
import { POINT_ROOM } from '../../../../plot/model';
import { uprootProgram } from '../../../snippets/work/programs-uproot';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { luminosityText } from '../drawn/label';
import type { Style } from '../style';
import { type CodeFigure, type CodeLayer, insideHeight } from './code-layer';
import { mathtextOf } from './mathtext';

/** Experiments of which mplhep has labels, by their names. */
const MODULES: Readonly<Record<string, string>> = {
  CMS: 'cms',
  ATLAS: 'atlas',
  LHCb: 'lhcb',
  ALICE: 'alice',
};
const MARKERS: Readonly<Record<CodeLayer['marker'], string>> = {
  circle: 'o',
  square: 's',
  triangle: '^',
  diamond: 'D',
  cross: 'x',
  'open circle': 'o',
  'open square': 's',
  'open triangle': '^',
  'open diamond': 'D',
};
const LINES: Readonly<Record<CodeLayer['line'], string>> = {
  solid: '-',
  dashed: '--',
  dotted: ':',
  dashdot: '-.',
  none: 'none',
};
const PALETTES: Readonly<Record<NonNullable<Style['palette']>, string>> = {
  own: 'viridis',
  diverging: 'RdBu_r',
  bird: 'viridis',
  viridis: 'viridis',
  cividis: 'cividis',
  rainbow: 'turbo',
  grey: 'Greys',
};
const PLACES = ['above', 'inside', 'lines', 'split', 'beside'];

const text = (title: string): string => quotedText(mathtextOf(title));
const truth = (one: boolean): string => (one ? 'True' : 'False');

/** A program that fills with uproot and hist, and draws with matplotlib and mplhep. Throws Untranslated. */
export function mplhepProgram(figure: CodeFigure): string {
  const { use } = figure;
  if (use.layers.some((layer) => layer.tree !== undefined && layer.profile))
    throw new Untranslated('hist has no errors of profiles as ROOT computes them.');
  if (use.axes.length > 2) throw new Untranslated('A histogram with three axes has no figure.');
  if (use.axes.length === 2 && use.layers.length > 1)
    throw new Untranslated('Maps over each other have no figure.');
  const filling = uprootProgram(use, 'bins').replace(
    'import awkward as ak\nimport hist\nimport numpy as np\nimport uproot\n',
    'import awkward as ak\nimport hist\nimport matplotlib.pyplot as plt\nimport mplhep\nimport numpy as np\nimport uproot\nfrom matplotlib import font_manager\n',
  );
  const own = use.layers.length === 1 ? `layers = [("", h)]\n` : '';
  const body = use.axes.length === 2 ? mapLines(figure) : binLines(figure);
  return `${filling}${own}
${paramLines(figure)}${body}${labelLines(figure)}figure.savefig("figure.pdf")
`;
}

/** Fonts, lines and ticks. */
function paramLines({ style }: CodeFigure): string {
  const { font, ticks, frame, grid, lines } = style;
  const fonts =
    font.family === 'serif'
      ? '["TeX Gyre Termes", "Times New Roman", "DejaVu Serif"]'
      : '["TeX Gyre Heros", "Helvetica", "Arial", "DejaVu Sans"]';
  const four = truth(ticks.sides === 'four');
  const members = [
    // Matplotlib complains of every text for each family that is not there.
    ['font.family', `[name for name in ${fonts} if name in installed]`],
    ['mathtext.default', '"regular"'],
    ['pdf.fonttype', '42'],
    ['font.size', font.label],
    ['axes.labelsize', font.titles],
    ['xtick.labelsize', font.numbers],
    ['ytick.labelsize', font.numbers],
    ['legend.fontsize', font.legend],
    ['legend.title_fontsize', font.legend],
    ['axes.linewidth', frame],
    ['lines.linewidth', lines],
    ['hatch.linewidth', 0.4],
    ['axes.grid', truth(grid)],
    ['grid.linewidth', 0.4],
    ...['x', 'y'].flatMap((axis) => [
      [`${axis}tick.direction`, ticks.inward ? '"in"' : '"out"'],
      [`${axis}tick.${axis === 'x' ? 'top' : 'right'}`, four],
      [`${axis}tick.minor.visible`, truth(ticks.minor)],
      [`${axis}tick.major.size`, ticks.length],
      [`${axis}tick.minor.size`, ticks.length / 2],
      [`${axis}tick.major.width`, frame],
      [`${axis}tick.minor.width`, frame],
    ]),
  ];
  return `installed = set(font_manager.get_font_names())
plt.rcParams.update(
    {
${members.map(([name, value]) => `        "${name}": ${value},\n`).join('')}    }
)
mm = 1 / 25.4
`;
}

function binLines(figure: CodeFigure): string {
  const { style, use, below, layers, titles, log } = figure;
  const size = `figsize=(${style.width} * mm, ${style.height} * mm), layout="constrained"`;
  const hasBelow = below !== 'none';
  const { height } = style.ratio;
  const opening = hasBelow
    ? `figure, (ax, below) = plt.subplots(2, 1, sharex=True, height_ratios=[${1 - height}, ${height}], ${size})
figure.get_layout_engine().set(hspace=0, h_pad=0.02, w_pad=0.02)
`
    : `figure, ax = plt.subplots(${size})
figure.get_layout_engine().set(h_pad=0.03, w_pad=0.03)
`;
  const stacked = layers.flatMap(({ as }, i) => (as === 'stacked' ? [i] : []));
  const [axis = { low: 0, high: 1 }] = use.axes;
  const [low, high] = style.x?.range ?? [axis.low, axis.high];
  const [least, most] = style.y.range ?? [undefined, undefined];
  const room = style.y.room ?? 1.3;
  const all = stacked.length > 0 ? '[total, *(h for _, h in layers)]' : '[h for _, h in layers]';
  const limits =
    least !== undefined
      ? `ax.set_ylim(${least}, ${most})\n`
      : log.y
        ? `contents = np.concatenate([h.values() for h in ${all}])
smallest, largest = np.min(contents[contents > 0]), np.max(contents)
ax.set_ylim(smallest / 2, largest * (largest / smallest) ** ${Number((room - 1).toFixed(6))})
`
        : `ax.set_ylim(0, ${room} * max(np.max(h.values() + errors(h)) for h in ${all}))\n`;
  const lowest = hasBelow ? 'below' : 'ax';
  return `

def errors(h):
    return np.sqrt(h.variances())

${hasBelow ? comparedText(figure) : ''}
${opening}${stacked.length > 0 ? `total = sum(h for _, h in [${stacked.map((i) => `layers[${i}]`).join(', ')}])\n` : ''}${layerLines(figure, stacked)}${bandLines(figure, stacked)}${log.x ? 'ax.set_xscale("log")\n' : ''}${log.y ? 'ax.set_yscale("log")\n' : ''}ax.set_xlim(${low}, ${high})
${limits}ax.set_ylabel(${text(titles.y)}, loc="top")
${hasBelow ? `ax.set_xlabel("")\n${belowLines(figure, stacked)}` : ''}${lowest}.set_xlabel(${text(titles.x)}, loc="right")
${legendLines(figure)}`;
}

/** Draws each layer; stacked ones together. */
function layerLines({ layers }: CodeFigure, stacked: readonly number[]): string {
  const lines: string[] = [];
  const common = 'ax=ax, flow="none"';
  if (stacked.length > 0) {
    const each = (of: (layer: CodeLayer) => string): string =>
      `[${stacked.map((i) => of(layers[i] as CodeLayer)).join(', ')}]`;
    lines.push(
      `mplhep.histplot([layers[i][1] for i in [${stacked.join(', ')}]], stack=True, histtype="fill", yerr=False, sort=None, ` +
        `facecolor=${each(fillOf)}, edgecolor=${each(({ colour }) => `"${colour}"`)}, linewidth=${each(({ line, width }) => String(line === 'none' ? 0 : width))}, ` +
        `label=${each(({ label }) => text(label))}, ${common})`,
    );
  }
  layers.forEach((layer, i) => {
    if (layer.as === 'stacked') return;
    const { colour, line, width, label } = layer;
    const h = `layers[${i}][1]`;
    const named = label === '' ? '' : `, label=${text(label)}`;
    const lined = `linewidth=${line === 'none' ? 0 : width}, linestyle="${line === 'none' ? '-' : LINES[line]}"`;
    const withErrors = (show: boolean): string => `yerr=${show ? `errors(${h})` : 'False'}`;
    if (layer.as === 'points')
      lines.push(
        `mplhep.histplot(${h}, histtype="errorbar", ${withErrors(layer.errors)}, color="${colour}", ${markerOf(layer)}, elinewidth=${width}${named}, ${common})`,
      );
    else if (layer.as === 'band')
      lines.push(
        `mplhep.histplot(${h}, histtype="band", yerr=errors(${h}), facecolor=${fillOf(layer)}, edgecolor="none", linewidth=0, hatch=""${named}, ${common})`,
        ...(line === 'none'
          ? []
          : [`mplhep.histplot(${h}, histtype="step", yerr=False, color="${colour}", ${lined}, ${common})`]),
      );
    else if (layer.as === 'filled')
      lines.push(
        `mplhep.histplot(${h}, histtype="fill", yerr=False, facecolor=${fillOf(layer)}, edgecolor="${colour}", ${lined}${named}, ${common})`,
        ...(layer.errors
          ? [
              `mplhep.histplot(${h}, histtype="errorbar", ${withErrors(true)}, color="${colour}", marker="", ${common})`,
            ]
          : []),
      );
    else
      lines.push(
        `mplhep.histplot(${h}, histtype="step", ${withErrors(layer.errors)}, color="${colour}", ${lined}${named}, ${common})`,
      );
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** A colour with its opacity. */
const fillOf = ({ fill, opacity }: CodeLayer): string =>
  opacity === 1 ? `"${fill}"` : `("${fill}", ${opacity})`;

function markerOf({ marker, size, colour }: CodeLayer): string {
  const open = marker.startsWith('open') ? `, markerfacecolor="white", markeredgecolor="${colour}"` : '';
  return `marker="${MARKERS[marker]}", markersize=${size}${open}`;
}

/** The form of the band of errors, and the histogram that has them; undefined for none. */
function bandOf({ style, layers }: CodeFigure, stacked: readonly number[]) {
  const form = stacked.length > 0 ? style.bands.total : style.bands.statistics;
  if (form === 'none' || (stacked.length === 0 && layers[0]?.as === 'points')) return undefined;
  return { form, of: stacked.length > 0 ? 'total' : 'layers[0][1]' };
}

function bandLook(form: string, colour: string): string {
  return form === 'hatched'
    ? `facecolor="none", edgecolor="${colour}", hatch="//////", linewidth=0`
    : `facecolor=("${colour}", 0.35), edgecolor="none", hatch="", linewidth=0`;
}

function bandLines(figure: CodeFigure, stacked: readonly number[]): string {
  const band = bandOf(figure, stacked);
  if (band === undefined) return '';
  const { label = '', colour } = figure.style.bands;
  const named = label === '' ? '' : `, label=${text(label)}`;
  return `mplhep.histplot(${band.of}, histtype="band", yerr=errors(${band.of}), ${bandLook(band.form, colour)}${named}, ax=ax, flow="none")\n`;
}

/** The function that compares a layer with the reference, with the errors that TH1::Divide and TH1::Add give. */
function comparedText({ below, style }: CodeFigure): string {
  // A band shows the errors of the reference.
  const others = style.ratio.band ? '0' : 'reference.variances()';
  const shown = `
# As in the figure, there are no points at 0 without an error: these bins are empty.
def shown(values, deviations):
    return np.where((values == 0) & (deviations == 0), np.nan, values), deviations

`;
  const text =
    below === 'ratio'
      ? `
def compared(h, reference):
    a, b, others = h.values(), reference.values(), ${others}
    with np.errstate(divide="ignore", invalid="ignore"):
        return shown(np.where(b == 0, np.nan, a / b), np.where(b == 0, 0, np.sqrt(h.variances() * b**2 + others * a**2) / b**2))

`
      : `
def compared(h, reference):
    return shown(h.values() - reference.values(), np.sqrt(h.variances() + ${others}))

`;
  return `${shown}${text}${style.ratio.range ? '' : rangeText(below)}`;
}

/** The function that returns the range of the panel below as the figure has it. */
function rangeText(below: CodeFigure['below']): string {
  const { low, least, high } = RATIO_ENDS;
  const ends =
    below === 'ratio' ? `max(low, ${low}), min(max(high, ${least}), ${high})` : 'min(low, 0), max(high, 0)';
  return `
def with_room(ends):
    ends = ends[np.isfinite(ends)]
    if len(ends) == 0:
        return 0, 1
    low, high = np.min(ends), np.max(ends)
    room = ${POINT_ROOM} * (high - low or abs(high) or 1)
    return low - room, high + room


def panel_range(parts):
    ends = [with_room(part) for part in parts] or [(0, 1)]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    return ${ends}

`;
}

function belowLines(figure: CodeFigure, stacked: readonly number[]): string {
  const { style, layers, below } = figure;
  const { title, range, band } = style.ratio;
  const level = below === 'ratio' ? 1 : 0;
  const lines = style.ratio.lines ?? [level];
  const reference = stacked.length > 0 ? 'total' : 'layers[0][1]';
  // The range is that of the bins that are seen.
  const inside = style.x?.range
    ? [
        `edges = reference.axes[0].edges`,
        `inside = (edges[1:] > ${style.x.range[0]}) & (edges[:-1] < ${style.x.range[1]})`,
      ]
    : [];
  const seen = (values: string) => (inside.length > 0 ? `${values}[:, inside]` : values);
  const shown = layers.flatMap((layer, i) => {
    if (layer.as === 'stacked' || (stacked.length === 0 && i === 0)) return [];
    return [
      `values, deviations = compared(layers[${i}][1], reference)`,
      ...(range ? [] : [`parts.append(${seen('np.array([values - deviations, values + deviations])')})`]),
      `below.errorbar(reference.axes[0].centers, values, deviations, linestyle="none", color="${layer.colour}", ${markerOf(layer)}, elinewidth=${layer.width})`,
    ];
  });
  const relative =
    below === 'ratio'
      ? 'np.where(reference.values() == 0, np.nan, errors(reference) / np.abs(np.where(reference.values() == 0, 1, reference.values())))'
      : 'errors(reference)';
  const around = band
    ? [
        `relative = ${relative}`,
        `below.stairs(${level} + relative, reference.axes[0].edges, baseline=${level} - relative, fill=True, ${bandLook(style.bands.total === 'filled' || style.bands.statistics === 'filled' ? 'filled' : 'hatched', style.bands.colour)})`,
      ]
    : [];
  const named = title ?? (below === 'ratio' ? 'Ratio' : 'Difference');
  return [
    `reference = ${reference}`,
    ...around,
    ...lines.map((one) => `below.axhline(${one}, color="#888888", linewidth=0.5)`),
    ...(range ? [] : [`parts = [${band ? `np.array([${level}])` : ''}]`, ...inside]),
    ...shown,
    range ? `below.set_ylim(${range[0]}, ${range[1]})` : 'below.set_ylim(panel_range(parts))',
    `below.set_ylabel(${text(named)}, loc="center")`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function legendLines({ style, layers, below }: CodeFigure): string {
  const { place, columns, title = '' } = style.legend;
  const has = layers.some(({ label }) => label !== '') || (style.bands.label ?? '') !== '';
  if (place === 'none' || (!has && title === '')) return '';
  const [side, end] = place.split(' ');
  const where = `${side === 'top' ? 'upper' : 'lower'} ${end}`;
  const named = title === '' ? '' : `, title=${text(title)}`;
  const inside = where === 'upper left' ? insideHeight(style) : 0;
  // Below a label that stands in the same corner.
  const tall = 0.8 * style.height * (72 / 25.4) * (below === 'none' ? 1 : 1 - style.ratio.height);
  const at = inside === 0 ? '' : `, bbox_to_anchor=(0, ${Number((1 - inside / tall - 0.03).toFixed(3))})`;
  return `ax.legend(loc="${where}"${at}, ncols=${columns}${named}, frameon=False)\n`;
}

function mapLines({ style, titles, log }: CodeFigure): string {
  const { palette, x, y, z } = style;
  const norm = log.y
    ? `, norm="log"${z?.range ? `, vmin=${z.range[0]}, vmax=${z.range[1]}` : ''}`
    : z?.range
      ? `, vmin=${z.range[0]}, vmax=${z.range[1]}`
      : '';
  return `figure, ax = plt.subplots(figsize=(${style.width} * mm, ${style.height} * mm), layout="constrained")
figure.get_layout_engine().set(h_pad=0.03, w_pad=0.03)
h = layers[0][1]
cells = ax.pcolormesh(*(axis.edges for axis in h.axes), np.ma.masked_equal(h.values().T, 0), cmap="${PALETTES[palette]}"${norm}, rasterized=True)
figure.colorbar(cells, ax=ax).set_label(${text(titles.z)}, loc="top")
${log.x ? 'ax.set_xscale("log")\n' : ''}${x?.range ? `ax.set_xlim(${x.range[0]}, ${x.range[1]})\n` : ''}${y.range ? `ax.set_ylim(${y.range[0]}, ${y.range[1]})\n` : ''}ax.set_xlabel(${text(titles.x)}, loc="right")
ax.set_ylabel(${text(titles.y)}, loc="top")
`;
}

/** The label of the experiment, and the title. */
function labelLines(figure: CodeFigure): string {
  const { style, use } = figure;
  const { label, font, title = '' } = style;
  const heading =
    title === '' ? '' : `figure.suptitle(${text(title)}, fontsize=${font.titles}, fontweight="bold")\n`;
  const right = luminosityText(style.label);
  const { experiment, text: words = '', extra = '', bold, italic } = label;
  if (experiment === '' && words === '')
    return right === ''
      ? heading
      : `${heading}ax.set_title(${text(right)}, loc="right", fontsize=${font.label})\n`;
  // Over the colours of a map nothing can be read.
  const place = use.axes.length > 1 ? 'above' : label.place;
  const name = Object.hasOwn(MODULES, experiment) ? MODULES[experiment] : undefined;
  const call = name === undefined ? 'mplhep.label.exp_label' : `mplhep.${name}.label`;
  const options = [
    ...(name === undefined ? [`exp=${quotedText(experiment)}`] : []),
    // With a smaller line below, mplhep would say "Supplementary" before the text.
    ...(extra === '' ? [`text=${text(words)}`] : [`llabel=${text(words)}`, `supp=${text(extra)}`]),
    `loc=${PLACES.indexOf(place)}`,
    'data=True',
    ...rightOptions(style, name),
    `fontsize=(${[1.3, 1, 1 / 1.1, 1 / 1.3].map((one) => Number((one * font.label).toFixed(2))).join(', ')})`,
    `fontweight=("${bold ? 'bold' : 'normal'}", "normal", "normal", "normal")`,
    `fontstyle=("${italic === 'name' ? 'italic' : 'normal'}", "${italic === 'text' ? 'italic' : 'normal'}", "normal", "normal")`,
    'ax=ax',
  ];
  return `${heading}${call}(${options.join(', ')})\n`;
}

/** Luminosity, year and energy as mplhep takes them, or the text in their place. */
function rightOptions(style: CodeFigure['style'], module: string | undefined): string[] {
  const { right, luminosity, unit, year, energy } = style.label;
  // The label of ALICE has nothing at the right by itself.
  if (right !== undefined || unit !== 'fb^{-1}' || module === 'alice')
    return [`rlabel=${text(luminosityText(style.label))}`];
  const value = (one: number | string | undefined): string =>
    one === undefined || one === '' ? 'None' : typeof one === 'number' ? String(one) : text(one);
  return [`lumi=${value(luminosity)}`, `year=${value(year)}`, `com=${value(energy)}`];
}
