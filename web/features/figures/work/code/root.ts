import { cppText } from '../../../../base/literal';
import { RATIO_ENDS } from '../../../../plot/layers/below-panels';
import { POINT_ROOM } from '../../../../plot/model';
import { dataFrameFilling, type FilledNames, scaleLines } from '../../../snippets/work/programs-dataframe';
import { treeDrawFilling } from '../../../snippets/work/programs-own';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { normOf, type Use } from '../../../snippets/work/use';
import { luminosityText } from '../drawn/label';
import type { Style } from '../style';
import { type CodeFigure, type CodeLayer, insideHeight } from './code-layer';

/** Pixels of the canvas in a point (1/72 inch), so that sizes in pixels have some precision. */
const PIXELS = 4;
/** Sizes of text in a point: ROOT's sizes are larger than those of its fonts. */
const TEXT = Number((PIXELS / 0.934).toFixed(3));
/** Points in a millimetre. */
const POINTS = 72 / 25.4;

const MARKERS: Readonly<Record<CodeLayer['marker'], number>> = {
  circle: 20,
  square: 21,
  triangle: 22,
  diamond: 33,
  cross: 5,
  'open circle': 24,
  'open square': 25,
  'open triangle': 26,
  'open diamond': 27,
};
const LINES: Readonly<Record<CodeLayer['line'], number>> = {
  solid: 1,
  dashed: 2,
  dotted: 3,
  dashdot: 4,
  none: 1,
};
const PALETTES: Readonly<Record<NonNullable<Style['palette']>, string>> = {
  own: 'kViridis',
  diverging: 'kTemperatureMap',
  bird: 'kBird',
  viridis: 'kViridis',
  cividis: 'kCividis',
  rainbow: 'kRainbow',
  grey: 'kGreyScale',
};

/** Places in the canvas, as parts of its width and height. */
interface Places {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The lower end of the upper frame. */
  split: number;
  /** A point as a part of the width and of the height. */
  x: number;
  y: number;
}

/** A macro of ROOT that fills with RDataFrame, or with TTree::Draw where it has to, and draws. Throws Untranslated. */
export function rootProgram(figure: CodeFigure): string {
  const { use, style } = figure;
  if (use.axes.length > 2) throw new Untranslated('A histogram with three axes has no figure.');
  if (use.axes.length === 2 && use.layers.length > 1)
    throw new Untranslated('Maps over each other have no figure.');
  const { text, names, isResult } = filled(use);
  const norm = normOf(use);
  const scaled =
    norm === 'none'
      ? ''
      : scaleLines(norm, names)
          .map((line) => `${line}\n`)
          .join('');
  const layers = names
    .map((name, i) => `TH1 *layer${i + 1} = ${isResult ? `${name}.GetPtr()` : name};\n`)
    .join('');
  const places = placesOf(figure);
  const body = use.axes.length === 2 ? mapLines(figure) : binLines(figure);
  const pixels = (mm: number) => Math.round(mm * POINTS * PIXELS);
  return `${text}${scaled}${layers}
gStyle->SetOptStat(0);
gStyle->SetOptTitle(0);
gStyle->SetEndErrorSize(0);
gStyle->SetGridColor(kGray);
gStyle->SetGridStyle(1);
gStyle->SetHatchesLineWidth(4);
gStyle->SetHatchesSpacing(0.6);
gStyle->SetPalette(${PALETTES[style.palette]});
gStyle->SetPaperSize(${style.width / 10}, ${style.height / 10});  // cm
gStyle->SetLineScalePS(0.4);  // a line of the width 10 has one point (1/72 inch)
// The canvas has ${PIXELS} pixels for a point; fonts of precision 3 have their sizes in pixels
TCanvas canvas("figure", "", ${pixels(style.width)}, ${pixels(style.height)});
canvas.SetCanvasSize(${pixels(style.width)}, ${pixels(style.height)});
auto pad = [&](const char *name, double bottom, double top) {
   auto made = new TPad(name, "", 0, 0, 1, 1);
   made->SetFillStyle(4000);
   made->SetMargin(${three(places.left)}, ${three(places.right)}, bottom, top);
   made->SetTicks(${style.ticks.sides === 'four' ? '1, 1' : '0, 0'});
   made->SetFrameLineWidth(${lineWidth(style.frame)});
${style.grid ? '   made->SetGrid();\n' : ''}   made->Draw();
   made->cd();
   return made;
};
auto text = [&](double x, double y, int align, double points, const char *title, double angle = 0) {
   TLatex latex;
   latex.SetNDC();
   latex.SetTextFont(${fontOf(style)});
   latex.SetTextSize(${TEXT} * points);
   latex.SetTextAlign(align);
   latex.SetTextAngle(angle);
   latex.DrawLatex(x, y, title);
};
${axisFunction(figure, places)}${body}${labelLines(figure, places)}canvas.SaveAs("figure.pdf");
`;
}

/** The lines that fill: of RDataFrame, or of TTree::Draw for expressions that are not translated. */
function filled(use: Use): FilledNames & { isResult: boolean } {
  try {
    return { ...dataFrameFilling(use), isResult: true };
  } catch (thrown) {
    if (!(thrown instanceof Untranslated)) throw thrown;
    try {
      return { ...treeDrawFilling(use), isResult: false };
    } catch (other) {
      if (other instanceof Untranslated) throw thrown;
      throw other;
    }
  }
}

const three = (value: number): string => String(Number(value.toFixed(4)));
const lineWidth = (points: number): number => Math.max(1, Math.round(10 * points));
const fontOf = ({ font }: Style): number => (font?.family === 'serif' ? 133 : 43);

function placesOf({ style, below, use }: CodeFigure): Places {
  const { font, label } = style;
  const [x, y] = [1 / (style.width * POINTS), 1 / (style.height * POINTS)];
  const hasAbove =
    label.place === 'above' || label.place === 'split' || use.axes.length > 1
      ? label.experiment !== '' || (label.text ?? '') !== '' || luminosityText(style.label) !== ''
      : label.place !== 'beside' && luminosityText(style.label) !== '';
  const heading = style.title ? 1.6 * font.titles : 0;
  const top = (hasAbove ? 1.75 * font.label : 0.9 * font.numbers) + heading;
  const bottom = 1.5 * font.numbers + 1.9 * font.titles;
  const left = 3.2 * font.numbers + 1.7 * font.titles;
  const right = use.axes.length > 1 ? 4.2 * font.numbers + 1.8 * font.titles : 1.3 * font.numbers;
  const places = { left: left * x, right: right * x, top: top * y, bottom: bottom * y, x, y };
  const split =
    below === 'none' ? places.bottom : places.bottom + style.ratio.height * (1 - places.bottom - places.top);
  return { ...places, split };
}

/** A function that makes the axes of a pad, with the titles at their ends. */
function axisFunction({ style }: CodeFigure, { right, x, y }: Places): string {
  const { font, ticks } = style;
  const divisions = ticks.minor ? 510 : 10;
  const sign = ticks.inward ? '' : '-';
  return `auto axes = [&](TH1 *frame, double bottom, double top, const char *x, const char *y, bool isLowest) {
   for (auto axis : {frame->GetXaxis(), frame->GetYaxis()}) {
      axis->SetTitle("");
      axis->SetLabelFont(${fontOf(style)});
      axis->SetLabelSize(${three(TEXT * font.numbers)});
      axis->SetNdivisions(${divisions});
      axis->SetLabelOffset(${three(0.006 + (ticks.inward ? 0 : 0.006 + 1.3 * ticks.length * y))});
   }
   if (!isLowest) frame->GetXaxis()->SetLabelSize(0);
   if (top - bottom < 0.4) frame->GetYaxis()->SetNdivisions(${ticks.minor ? 505 : 5});
   frame->GetXaxis()->SetTickLength(${sign}${three(ticks.length * y)});
   frame->GetYaxis()->SetTickLength(${sign}${three(ticks.length * x)});
   if (isLowest) text(${three(1 - right)}, ${three(0.5 * font.titles * y)}, 31, ${font.titles}, x);
   text(${three(1.05 * font.titles * x)}, top, 31, ${font.titles}, y, 90);
};
`;
}

function binLines(figure: CodeFigure): string {
  const { style, use, below, layers, titles, log } = figure;
  const places = placesOf(figure);
  const [axis = { bins: 1, low: 0, high: 1 }] = use.axes;
  const [low, high] = style.x?.range ?? [axis.low, axis.high];
  const hasBelow = below !== 'none';
  const stacked = layers.flatMap(({ as }, i) => (as === 'stacked' ? [i] : []));
  const room = style.y.room ?? 1.3;
  const total = stacked.length > 0 ? totalLines(stacked) : '';
  const all = [...(total === '' ? [] : ['total']), ...layers.map((_, i) => `layer${i + 1}`)];
  const range = style.y.range
    ? `axes1->SetMinimum(${style.y.range[0]});
axes1->SetMaximum(${style.y.range[1]});
`
    : `double most = 0${log.y ? ', least = HUGE_VAL' : ''};
for (TH1 *one : std::initializer_list<TH1 *>{${all.join(', ')}})
   for (int bin = 1; bin <= one->GetNbinsX(); ++bin) {
      most = std::max(most, one->GetBinContent(bin) + one->GetBinError(bin));
${log.y ? '      if (one->GetBinContent(bin) > 0) least = std::min(least, one->GetBinContent(bin));\n' : ''}   }
axes1->SetMinimum(${log.y ? 'least / 2' : '0'});
axes1->SetMaximum(${log.y ? `most * std::pow(most / least, ${three(room - 1)})` : `${room} * most`});
`;
  return `${total}auto upper = pad("upper", ${three(places.split)}, ${three(places.top)});
${logLines('upper', log)}auto axes1 = new TH1D("axes1", "", 1, ${low}, ${high});
${range}axes1->Draw("axis");
${style.grid ? 'axes1->Draw("axig same");\n' : ''}axes(axes1, ${three(places.split)}, ${three(1 - places.top)}, ${cppText(titles.x)}, ${cppText(titles.y)}, ${!hasBelow});
${layers.map((layer, i) => layerLines(layer, `layer${i + 1}`, stacked.length > 0)).join('')}${stackLines(stacked)}${bandLines(figure, stacked)}${topLines(figure)}upper->RedrawAxis();
${legendLines(figure, stacked, places)}${hasBelow ? belowLines(figure, stacked, places, [low, high]) : ''}`;
}

const logLines = (name: string, { x, y }: CodeFigure['log']): string =>
  `${x ? `${name}->SetLogx();\n` : ''}${y ? `${name}->SetLogy();\n` : ''}`;

/** The sum of the stacked layers. */
function totalLines(stacked: readonly number[]): string {
  const [first = 0, ...others] = stacked;
  return `auto total = static_cast<TH1 *>(layer${first + 1}->Clone("total"));
total->Sumw2();
${others.map((i) => `total->Add(layer${i + 1});\n`).join('')}`;
}

/** Lines that set the look of a layer. */
function layerLines(layer: CodeLayer, name: string, hasStack: boolean): string {
  const { as, colour, fill, opacity, line, width, marker, size } = layer;
  const ink = `TColor::GetColor("${colour}")`;
  const area = `TColor::GetColor("${fill}"), ${opacity}`;
  const lines = [
    `${name}->SetLineColor(${ink});`,
    `${name}->SetLineWidth(${line === 'none' ? 0 : lineWidth(width)});`,
    ...(LINES[line] === 1 ? [] : [`${name}->SetLineStyle(${LINES[line]});`]),
    ...(as === 'points'
      ? [
          `${name}->SetLineWidth(${lineWidth(width)});`,
          `${name}->SetMarkerColor(${ink});`,
          `${name}->SetMarkerStyle(${MARKERS[marker]});`,
          `${name}->SetMarkerSize(${three((PIXELS * size) / 8)});`,
        ]
      : [`${name}->SetMarkerStyle(1);`]),
    ...(as === 'filled' || as === 'stacked' || as === 'band' ? [`${name}->SetFillColorAlpha(${area});`] : []),
  ];
  // Points and stacked layers are drawn later.
  const isLater = as === 'stacked' || (as === 'points' && hasStack);
  return [...lines, ...(isLater ? [] : drawLines(layer, name))].map((one) => `${one}\n`).join('');
}

/** Lines that draw a layer. */
function drawLines({ as, errors, line, width }: CodeLayer, name: string): string[] {
  if (as === 'points') return [`${name}->Draw("${errors ? 'e1 x0' : 'p'} same");`];
  if (as === 'band')
    return [
      `${name}->Draw("e2 same");`,
      ...(line === 'none'
        ? []
        : [
            `auto ${name}_line = static_cast<TH1 *>(${name}->Clone("${name}_line"));`,
            `${name}_line->SetFillStyle(0);`,
            `${name}_line->SetLineWidth(${lineWidth(width)});`,
            `${name}_line->Draw("hist same");`,
          ]),
    ];
  return [`${name}->Draw("hist same");`, ...(errors ? [`${name}->Draw("e0 same");`] : [])];
}

/** Draws the stacked layers on each other. */
function stackLines(stacked: readonly number[]): string {
  if (stacked.length === 0) return '';
  return `auto stack = new THStack("stack", "");
${stacked.map((i) => `stack->Add(layer${i + 1});\n`).join('')}stack->Draw("hist same");
`;
}

/** Draws points over a stack and its band. */
function topLines({ layers }: CodeFigure): string {
  const hasStack = layers.some(({ as }) => as === 'stacked');
  if (!hasStack) return '';
  return layers
    .flatMap((layer, i) => (layer.as === 'points' ? drawLines(layer, `layer${i + 1}`) : []))
    .map((line) => `${line}\n`)
    .join('');
}

const bandLook = (name: string, form: string, colour: string): string =>
  `${name}->SetFillColor${form === 'filled' ? `Alpha(TColor::GetColor("${colour}"), 0.35)` : `(TColor::GetColor("${colour}"))`};
${name}->SetFillStyle(${form === 'filled' ? 1001 : 3354});
${name}->SetLineWidth(0);
${name}->SetMarkerStyle(1);
`;

function bandForm({ style, layers }: CodeFigure, stacked: readonly number[]): string {
  if (stacked.length > 0) return style.bands.total;
  return layers[0]?.as === 'points' ? 'none' : style.bands.statistics;
}

function bandLines(figure: CodeFigure, stacked: readonly number[]): string {
  const form = bandForm(figure, stacked);
  if (form === 'none') return '';
  const of = stacked.length > 0 ? 'total' : 'layer1';
  return `auto band = static_cast<TH1 *>(${of}->Clone("band"));
${bandLook('band', form, figure.style.bands.colour)}band->Draw("e2 same");
`;
}

function belowLines(
  figure: CodeFigure,
  stacked: readonly number[],
  places: Places,
  [low, high]: readonly [number, number],
): string {
  const { style, layers, below, titles } = figure;
  const level = below === 'ratio' ? 1 : 0;
  const lines = style.ratio.lines ?? [level];
  const reference = stacked.length > 0 ? 'total' : 'layer1';
  const compared = layers.flatMap((layer, i) =>
    layer.as === 'stacked' || (stacked.length === 0 && i === 0)
      ? []
      : [{ layer, name: `layer${i + 1}`, own: `below${i + 1}` }],
  );
  const { band, title, range } = style.ratio;
  const divisor = band ? 'exact' : 'reference';
  // The range is that of the bins that are seen. A ratio to an empty bin is 0 without an error.
  const seen =
    (below === 'ratio' ? 'reference->GetBinContent(bin) != 0 && ' : '') +
    (style.x?.range
      ? `one->GetXaxis()->GetBinUpEdge(bin) > ${low} && one->GetXaxis()->GetBinLowEdge(bin) < ${high} && `
      : '');
  const room = POINT_ROOM;
  const found = range
    ? ''
    : `double lowest = ${band ? level - room : 'HUGE_VAL'}, highest = ${band ? level + room : '-HUGE_VAL'};
for (TH1 *one : std::initializer_list<TH1 *>{${compared.map(({ own }) => own).join(', ')}}) {
   double low = HUGE_VAL, high = -HUGE_VAL;
   for (int bin = 1; bin <= one->GetNbinsX(); ++bin)
      if (${seen}(one->GetBinContent(bin) != 0 || one->GetBinError(bin) != 0)) {
         low = std::min(low, one->GetBinContent(bin) - one->GetBinError(bin));
         high = std::max(high, one->GetBinContent(bin) + one->GetBinError(bin));
      }
   const double span = high > low ? high - low : high != 0 ? std::abs(high) : 1;
   lowest = std::min(lowest, high < low ? 0 : low - ${room} * span);
   highest = std::max(highest, high < low ? 1 : high + ${room} * span);
}
if (highest < lowest) lowest = 0, highest = 1;
`;
  const { low: least, least: most, high: farthest } = RATIO_ENDS;
  const [from, to] = range
    ? [String(range[0]), String(range[1])]
    : below === 'ratio'
      ? [
          `std::max(lowest, ${three(least)}.)`,
          `std::min(std::max(highest, ${three(most)}), ${three(farthest)}.)`,
        ]
      : ['std::min(lowest, 0.)', 'std::max(highest, 0.)'];
  const around = band
    ? `auto around = static_cast<TH1 *>(reference->Clone("around"));
for (int bin = 1; bin <= around->GetNbinsX(); ++bin) {
   const double content = reference->GetBinContent(bin);
   around->SetBinContent(bin, ${level});
   around->SetBinError(bin, ${below === 'ratio' ? 'content == 0 ? 0 : reference->GetBinError(bin) / std::abs(content)' : 'reference->GetBinError(bin)'});
}
${bandLook('around', style.bands.total === 'filled' || style.bands.statistics === 'filled' ? 'filled' : 'hatched', style.bands.colour)}around->Draw("e2 same");
`
    : '';
  const made = compared
    .map(
      ({ layer, name, own }) => `auto ${own} = static_cast<TH1 *>(${name}->Clone("${own}"));
${own}->Sumw2();
${own}->${below === 'ratio' ? `Divide(${divisor})` : `Add(${divisor}, -1)`};
${own}->SetLineStyle(1);
${own}->SetLineWidth(${lineWidth(layer.width)});
${own}->SetMarkerColor(TColor::GetColor("${layer.colour}"));
${own}->SetMarkerStyle(${MARKERS[layer.marker]});
${own}->SetMarkerSize(${three((PIXELS * layer.size) / 8)});
`,
    )
    .join('');
  const exact = band
    ? `auto exact = static_cast<TH1 *>(reference->Clone("exact"));
for (int bin = 0; bin <= exact->GetNbinsX() + 1; ++bin) exact->SetBinError(bin, 0);
`
    : '';
  return `TH1 *reference = ${reference};
${exact}${made}${found}auto lower = pad("lower", ${three(places.bottom)}, ${three(1 - places.split)});
${figure.log.x ? 'lower->SetLogx();\n' : ''}auto axes2 = new TH1D("axes2", "", 1, ${low}, ${high});
axes2->SetMinimum(${from});
axes2->SetMaximum(${to});
axes2->Draw("axis");
axes(axes2, ${three(places.bottom)}, ${three(places.split)}, ${cppText(titles.x)}, ${cppText(title ?? (below === 'ratio' ? 'Ratio' : 'Difference'))}, true);
${lines
  .map(
    (one, i) => `auto line${i + 1} = new TLine(${low}, ${one}, ${high}, ${one});
line${i + 1}->SetLineColor(kGray + 1);
line${i + 1}->SetLineWidth(5);
line${i + 1}->Draw();
`,
  )
  .join(
    '',
  )}${around}${compared.map(({ own }) => `${own}->Draw("e1 x0 same");\n`).join('')}lower->RedrawAxis();
`;
}

function legendLines(figure: CodeFigure, stacked: readonly number[], places: Places): string {
  const { style, layers } = figure;
  const { place, columns, title = '' } = style.legend;
  const entries: [name: string, label: string, option: string][] = layers.flatMap(
    ({ label, as }, i): [string, string, string][] =>
      label === ''
        ? []
        : [
            [
              `layer${i + 1}`,
              label,
              as === 'points' ? 'pe' : as === 'line' ? 'l' : as === 'band' ? 'f' : 'lf',
            ],
          ],
  );
  const ordered = [
    ...entries.filter(([name]) => !stacked.includes(Number(name.slice(5)) - 1)),
    ...entries.filter(([name]) => stacked.includes(Number(name.slice(5)) - 1)).reverse(),
  ];
  const bandLabel = style.bands.label ?? '';
  if (bandForm(figure, stacked) !== 'none' && bandLabel !== '') ordered.push(['band', bandLabel, 'f']);
  if (place === 'none' || (ordered.length === 0 && title === '')) return '';
  const size = style.font.legend;
  const rows = Math.ceil(ordered.length / columns) + (title === '' ? 0 : 1);
  const longest = Math.max(title.length, ...ordered.map(([, label]) => label.length));
  const wide = Math.min(
    0.62 * (1 - places.left - places.right),
    columns * (0.5 * longest + 3.4) * size * places.x,
  );
  const tall = 1.3 * rows * size * places.y;
  const margin = 0.9 * size;
  const left = place.endsWith('left')
    ? places.left + margin * places.x
    : 1 - places.right - margin * places.x - wide;
  // Below a label that stands in the same corner.
  const inside = place === 'top left' ? insideHeight(style) : 0;
  const top = place.startsWith('top')
    ? 1 - places.top - (margin + inside) * places.y
    : places.split + margin * places.y + tall;
  const swatch = Math.min(0.6, (2.4 * size * places.x * columns) / wide);
  return `auto legend = new TLegend(${three(left)}, ${three(top - tall)}, ${three(left + wide)}, ${three(top)});
legend->SetBorderSize(0);
legend->SetFillStyle(0);
legend->SetTextFont(${fontOf(style)});
legend->SetTextSize(${three(TEXT * size)});
legend->SetNColumns(${columns});
legend->SetMargin(${three(swatch)});
${title === '' ? '' : `legend->SetHeader(${cppText(`#bf{${title}}`)});\n`}${ordered.map(([name, label, option]) => `legend->AddEntry(${name}, ${cppText(label)}, "${option}");\n`).join('')}legend->Draw();
`;
}

function mapLines(figure: CodeFigure): string {
  const { style, titles, log } = figure;
  const places = placesOf(figure);
  const { x, y, z } = style;
  const zoom = (axis: string, range: readonly [number, number] | undefined): string =>
    range ? `layer1->Get${axis}axis()->SetRangeUser(${range[0]}, ${range[1]});\n` : '';
  return `auto upper = pad("upper", ${three(places.split)}, ${three(places.top)});
${log.x ? 'upper->SetLogx();\n' : ''}${log.y ? 'upper->SetLogz();\n' : ''}${zoom('X', x?.range)}${zoom('Y', y.range)}${z?.range ? `layer1->SetMinimum(${z.range[0]});\nlayer1->SetMaximum(${z.range[1]});\n` : ''}layer1->SetContour(99);
layer1->GetZaxis()->SetLabelFont(${fontOf(style)});
layer1->GetZaxis()->SetLabelSize(${three(TEXT * style.font.numbers)});
layer1->Draw("colz");
axes(layer1, ${three(places.split)}, ${three(1 - places.top)}, ${cppText(titles.x)}, ${cppText(titles.y)}, true);
text(${three(1 - 0.4 * style.font.titles * places.x)}, ${three(1 - places.top)}, 31, ${style.font.titles}, ${cppText(titles.z)}, 90);
`;
}

/** The label of the experiment above the frame or inside it, and the title. */
function labelLines(figure: CodeFigure, places: Places): string {
  const { style, use } = figure;
  const { label, font, title = '' } = style;
  const { experiment, text: words = '', extra = '', bold, italic } = label;
  const place = use.axes.length > 1 ? 'above' : label.place;
  const right = luminosityText(style.label);
  const dressed = (text: string, isBold: boolean, isItalic: boolean): string => {
    if (text === '') return '';
    const slanted = isItalic ? `#it{${text}}` : text;
    return isBold ? `#bf{${slanted}}` : slanted;
  };
  const name = experiment === '' ? '' : `#scale[1.3]{${dressed(experiment, bold, italic === 'name')}}`;
  const said = dressed(words, false, italic === 'text');
  const lines: string[] = [];
  const put = (x: number, y: number, align: number, points: number, text: string, angle = 0): void => {
    if (text !== '')
      lines.push(
        `text(${three(x)}, ${three(y)}, ${align}, ${Number(points.toFixed(2))}, ${cppText(text)}${angle === 0 ? '' : `, ${angle}`});\n`,
      );
  };
  const above = 1 - places.top + 0.35 * font.label * places.y;
  const margin = Math.max(style.ticks.inward ? style.ticks.length + 1.5 : 3, 0.04 * style.height * POINTS);
  const size = font.label;
  const both = [name, said].filter(Boolean).join(' ');
  const inside: [text: string, points: number, tall: number][] = [];
  if (place === 'above') put(places.left, above, 11, size, both);
  if (place === 'split') {
    put(places.left, above, 11, size, name);
    inside.push([said, size, 1]);
  }
  if (place === 'inside' || place === 'beside') inside.push([both, size, 1.3]);
  if (place === 'lines') inside.push([name, size, 1.3], [said, size, 1]);
  if (place === 'beside') inside.push([right, size / 1.1, 1]);
  else put(1 - places.right, above, 31, size / 1.1, right);
  if (place === 'above')
    put(1 - places.right + 0.5 * size * places.x, 1 - places.top, 11, size / 1.3, extra, -90);
  else inside.push([extra, size / 1.3, 1]);
  let y = 1 - places.top - margin * places.y;
  for (const [text, points, tall] of inside.filter(([one]) => one !== '')) {
    put(places.left + margin * places.x, y, 13, points, text);
    y -= 1.25 * tall * points * places.y;
  }
  if (title !== '') put(places.left, 1 - 0.3 * font.titles * places.y, 13, font.titles, `#bf{${title}}`);
  return lines.length === 0 ? '' : `canvas.cd();\n${lines.join('')}`;
}
