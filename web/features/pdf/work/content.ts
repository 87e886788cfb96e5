import {
  type Colour,
  colourOf,
  type Drawing,
  type FACES,
  PALETTE,
  type Shape,
  short,
  TEXT_SIZE,
} from '../../../plot/drawing/drawing';
import { textPieces } from './text';

/** A drawing in a page: its place, and its size if it is scaled. */
export interface PlacedDrawing {
  drawing: Drawing;
  x: number;
  y: number;
  size?: { width: number; height: number } | undefined;
}

/** Objects that pages refer to by name. */
export interface Resources {
  /** Names of the fonts that every reader has, in the order of their names F0, F1, … */
  fonts: string[];
  /** Opacities of fills and of lines, in the order of their names G0, G1, … */
  opacities: string[];
  /** Number of characters that these fonts lack. */
  missing: number;
  /** Sets texts in fonts that the document has within, instead of those that every reader has. */
  setText?: ((shape: Shape & { kind: 'text' }) => SetText) | undefined;
}

/** A text that was set. Lengths are in pixels. */
export interface SetText {
  /** Where it starts, and the cosine and sine of the angle by which it is turned, clockwise. */
  x: number;
  y: number;
  cos: number;
  sin: number;
  /** Numbers of glyphs in the font of this index, with their place along the line and above it. */
  pieces: { font: number; numbers: number[]; size: number; x: number; up: number }[];
}

/** Returns the instructions of a page for these drawings. One unit is a CSS pixel; y points down. */
export function pageContent(placed: readonly PlacedDrawing[], resources: Resources): string {
  return placed
    .map(({ drawing, x, y, size }) => {
      const scale = size ? Math.min(size.width / drawing.width, size.height / drawing.height) : 1;
      const left = x + (size ? (size.width - drawing.width * scale) / 2 : 0);
      const top = y + (size ? (size.height - drawing.height * scale) / 2 : 0);
      const shapes = drawing.shapes.map((shape) => shapeText(shape, resources)).filter(Boolean);
      return [`q ${number(scale)} 0 0 ${number(scale)} ${short(left)} ${short(top)} cm`, ...shapes, 'Q'].join(
        '\n',
      );
    })
    .join('\n');
}

/** Formats a number without an exponent, which PDF does not allow. */
function number(value: number): string {
  return String(Math.round(Math.min(1e6, Math.max(-1e6, value)) * 1e5) / 1e5);
}

function shapeText(shape: Shape, resources: Resources): string {
  switch (shape.kind) {
    case 'path':
      return pathText(shape, resources);
    case 'rect':
      return `${colour(shape.fill, 'rg')} ${boxText(shape)} f`;
    case 'dots': {
      const circles = shape.points.map(([x, y]) => circleText(x, y, shape.radius)).join(' ');
      return shape.open
        ? `1 w ${colour(shape.fill, 'RG')} ${circles} S`
        : `${colour(shape.fill, 'rg')} ${circles} f`;
    }
    case 'text':
      return textText(shape, resources);
    case 'clip': {
      const inner = shape.shapes.map((one) => shapeText(one, resources)).filter(Boolean);
      return [`q ${boxText(shape)} W n`, ...inner, 'Q'].join('\n');
    }
  }
}

function boxText({ x, y, width, height }: { x: number; y: number; width: number; height: number }): string {
  return `${short(x)} ${short(y)} ${short(width)} ${short(height)} re`;
}

function colour(named: Colour, operator: 'rg' | 'RG'): string {
  const hex = colourOf(named, PALETTE);
  const parts = [1, 3, 5].map((at) => number(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return `${parts.join(' ')} ${operator}`;
}

function pathText(shape: Shape & { kind: 'path' }, resources: Resources): string {
  const { d, stroke, fill, width = 1, opacity = 1, fillOpacity = 1, dash, crisp } = shape;
  const path = pathOperators(d);
  if (path === '' || (stroke === undefined && fill === undefined)) return '';
  // Readers smooth edges: without a thin line of the same colour the ground shows between neighbours.
  const edge = stroke ?? (crisp ? fill : undefined);
  const parts = ['q 1 j'];
  if (opacity * fillOpacity < 1 || opacity < 1)
    parts.push(
      `/G${indexOf(resources.opacities, `/ca ${number(opacity * fillOpacity)} /CA ${number(opacity)}`)} gs`,
    );
  if (fill) parts.push(colour(fill, 'rg'));
  if (edge) parts.push(colour(edge, 'RG'), `${number(stroke ? width : 0.3)} w`);
  if (dash) parts.push(`[${dash.split(/[ ,]+/).join(' ')}] 0 d`);
  return [...parts, path, fill ? (edge ? 'B' : 'f') : 'S', 'Q'].join(' ');
}

/** Converts an SVG path with the commands of drawings: M, L, H, V, h, v, C, Z. */
function pathOperators(d: string): string {
  const out: string[] = [];
  let [x, y] = [0, 0];
  const to = (operator: 'm' | 'l') => out.push(`${short(x)} ${short(y)} ${operator}`);
  for (const [, command = '', rest = ''] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const values = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const take = (count: number, use: (values: number[]) => void) => {
      for (let i = 0; i + count <= values.length; i += count) use(values.slice(i, i + count));
    };
    if (command === 'M' || command === 'L') {
      let operator: 'm' | 'l' = command === 'M' ? 'm' : 'l';
      take(2, ([left = 0, top = 0]) => {
        [x, y] = [left, top];
        to(operator);
        operator = 'l';
      });
    } else if (/[HVhv]/.test(command)) {
      take(1, ([by = 0]) => {
        if (command === 'H') x = by;
        else if (command === 'h') x += by;
        else if (command === 'V') y = by;
        else y += by;
        to('l');
      });
    } else if (command === 'C') {
      take(6, (curve) => {
        [x = 0, y = 0] = curve.slice(4);
        out.push(`${curve.map(short).join(' ')} c`);
      });
    } else if (/z/i.test(command)) out.push('h');
    else throw new RangeError(`A drawing has a path with "${command}".`);
  }
  return out.join(' ');
}

/** A circle as four curves. */
function circleText(x: number, y: number, r: number): string {
  const k = r * 0.5523;
  const curve = (...values: number[]) => `${values.map(short).join(' ')} c`;
  return [
    `${short(x + r)} ${short(y)} m`,
    curve(x + r, y + k, x + k, y + r, x, y + r),
    curve(x - k, y + r, x - r, y + k, x - r, y),
    curve(x - r, y - k, x - k, y - r, x, y - r),
    curve(x + k, y - r, x + r, y - k, x + r, y),
  ].join(' ');
}

function textText(shape: Shape & { kind: 'text' }, resources: Resources): string {
  const {
    x,
    y,
    text,
    fill = 'ink',
    anchor = 'start',
    angle = 0,
    bold,
    italic,
    font,
    size = TEXT_SIZE,
  } = shape;
  if (text === '') return '';
  if (resources.setText) return setTextText(resources.setText(shape), colour(fill, 'rg'));
  const factor = font === 'mono' ? 1.1 : font === 'serif' ? 0.92 : bold ? 1.05 : 1;
  const { pieces, width, missing } = textPieces(text, shape.latex === true, factor);
  resources.missing += missing;
  const from = anchor === 'start' ? 0 : anchor === 'middle' ? -width / 2 : -width;
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const own = fontName(font ?? 'sans', bold === true, italic === true);
  const shown = pieces.map((piece) => {
    const [along, up] = [(from + piece.x) * size, piece.up * size];
    const place = [cos, sin, sin, -cos, x + along * cos + up * sin, y + along * sin - up * cos].map(number);
    const hex = piece.codes.map((code) => code.toString(16).padStart(2, '0')).join('');
    const name = indexOf(resources.fonts, piece.isSymbol ? 'Symbol' : own);
    return `/F${name} ${number(piece.size * size)} Tf ${place.join(' ')} Tm <${hex}> Tj`;
  });
  return `BT ${colour(fill, 'rg')} ${shown.join(' ')} ET`;
}

function setTextText({ x, y, cos, sin, pieces }: SetText, ink: string): string {
  const shown = pieces.map(({ font, numbers, size, x: along, up }) => {
    const place = [cos, sin, sin, -cos, x + along * cos + up * sin, y + along * sin - up * cos].map(number);
    const hex = numbers.map((one) => one.toString(16).padStart(4, '0')).join('');
    return `/E${font} ${number(size)} Tf ${place.join(' ')} Tm <${hex}> Tj`;
  });
  return shown.length === 0 ? '' : `BT ${ink} ${shown.join(' ')} ET`;
}

function fontName(face: keyof typeof FACES, bold: boolean, italic: boolean): string {
  if (face === 'serif') return `Times-${(bold ? 'Bold' : '') + (italic ? 'Italic' : '') || 'Roman'}`;
  const more = (bold ? 'Bold' : '') + (italic ? 'Oblique' : '');
  return `${face === 'mono' ? 'Courier' : 'Helvetica'}${more && `-${more}`}`;
}

/** Returns the index of a text in a list, and adds it if it is new. */
function indexOf(list: string[], text: string): number {
  const at = list.indexOf(text);
  return at >= 0 ? at : list.push(text) - 1;
}
