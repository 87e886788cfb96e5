import type { Box } from '../../../../plot/drawing/axes';
import type { Shape } from '../../../../plot/drawing/drawing';
import { titleWidth } from '../../../../plot/drawing/latex';
import type { WholeStyle } from '../presets';
import type { Block } from './legend';
import { pixelsPerPoint } from './look';

/** Sizes of the parts of a label, relative to its text, as mplhep has them. */
const NAME = 1.3;
const LUMINOSITY = 1 / 1.1;
const EXTRA = 1 / 1.3;

/** Lines of the label: their texts and sizes in pixels. */
interface Line {
  text: string;
  size: number;
}

/** Whether the label has a line above the frame. */
export function isAbove({ label }: WholeStyle): boolean {
  const hasName = label.experiment !== '' || (label.text ?? '') !== '';
  return (hasName && (label.place === 'above' || label.place === 'split')) || aboveRight({ label }) !== '';
}

/** Height of the line above the frame, in pixels. */
export function roomAbove(style: WholeStyle): number {
  return isAbove(style) ? 1.15 * NAME * style.font.label * pixelsPerPoint(style) : 0;
}

/** Returns the text above the right end of the frame; empty where it is inside. */
function aboveRight({ label }: Pick<WholeStyle, 'label'>): string {
  return label.place === 'beside' ? '' : luminosityText(label);
}

/** Returns luminosity, year and energy as mplhep writes them: "138 fb^{-1}, 2018 (13 TeV)", or with the root of s inside. */
export function luminosityText({
  place,
  luminosity,
  unit,
  year,
  energy,
  right,
}: WholeStyle['label']): string {
  if (right !== undefined) return right;
  const amount = luminosity === undefined || luminosity === '' ? '' : `${luminosity} ${unit}`;
  const hasUnit = typeof energy === 'string' && /[a-z]/i.test(energy);
  const root = energy === undefined || energy === '' ? '' : hasUnit ? energy : `${energy} TeV`;
  if (place === 'beside') return [root === '' ? '' : `#sqrt{s} = ${root}`, amount].filter(Boolean).join(', ');
  const first = [amount, year === undefined ? '' : String(year)].filter(Boolean).join(', ');
  return [first, root === '' ? '' : `(${root})`].filter(Boolean).join(' ');
}

/** Draws the label of the experiment above the frame or inside it. `shift` leaves room for the power of ten of y. */
export function labelBlocks(
  style: WholeStyle,
  frame: Box,
  margin: number,
  shift: number,
): { above: Shape[]; inside?: Block } {
  const { label } = style;
  const size = style.font.label * pixelsPerPoint(style);
  const { place, bold, italic, experiment, text = '', extra = '' } = label;
  const name = dressed(experiment, { scale: NAME, bold, italic: italic === 'name' });
  const words = dressed(text, { italic: italic === 'text' });
  const right = luminosityText(label);
  const above: Shape[] = [];
  const put = (x: number, words: string, size: number, anchor: 'start' | 'end') => {
    if (words !== '')
      above.push({ kind: 'text', x, y: frame.top - 0.32 * size - 1, text: words, size, anchor, latex: true });
  };
  const lines: Line[] = [];
  if (place === 'above') put(frame.left + shift, joined(name, words), size, 'start');
  if (place === 'split') put(frame.left + shift, name, size, 'start');
  if (place === 'inside' || place === 'beside') lines.push({ text: joined(name, words), size: NAME * size });
  if (place === 'lines') lines.push({ text: name, size: NAME * size }, { text: words, size });
  if (place === 'split') lines.push({ text: words, size });
  if (place === 'beside') lines.push({ text: right, size: LUMINOSITY * size });
  else put(frame.right, right, LUMINOSITY * size, 'end');
  if (place === 'above' && extra !== '')
    above.push({
      ...{ kind: 'text', text: extra, size: EXTRA * size, anchor: 'end', angle: -90, latex: true },
      ...{ x: frame.right + 4 + 0.75 * EXTRA * size, y: frame.top },
    });
  if (place !== 'above') lines.push({ text: extra, size: EXTRA * size });
  const inside = insideBlock(
    lines.filter((line) => line.text !== ''),
    size,
    frame,
    margin,
  );
  return inside ? { above, inside } : { above };
}

/** Lines in the upper left corner. The size of a line is that of its tallest part. */
function insideBlock(lines: readonly Line[], size: number, frame: Box, margin: number): Block | undefined {
  if (lines.length === 0) return undefined;
  let y = frame.top + margin;
  let wide = 0;
  const left = frame.left + margin;
  const shapes = lines.map((line): Shape => {
    y += 0.76 * line.size;
    const own = line.size > size ? size : line.size;
    wide = Math.max(wide, titleWidth(line.text) * line.size);
    const shape = { kind: 'text', x: left, y, text: line.text, size: own, latex: true } as const;
    y += 0.44 * line.size;
    return shape;
  });
  return { box: { left, right: left + wide, top: frame.top + margin, bottom: y }, shapes };
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');

/** Wraps a text in the commands of TLatex for its look. */
function dressed(
  text: string,
  { scale = 1, bold = false, italic = false }: { scale?: number; bold?: boolean; italic?: boolean },
): string {
  if (text === '') return '';
  const slanted = italic ? `#it{${text}}` : text;
  const heavy = bold ? `#bf{${slanted}}` : slanted;
  return scale === 1 ? heavy : `#scale[${scale}]{${heavy}}`;
}
