import { printableText } from '../../base/text';
import { titleRuns } from './latex';

/** A colour of the palette, or one that is the same in every theme. */
export type Colour = Ink | `#${string}`;

/** One shape of a drawing. */
export type Shape =
  | {
      kind: 'path';
      d: string;
      stroke?: Colour;
      fill?: Colour;
      width?: number;
      /** Opacity of the whole shape; `fillOpacity` is the opacity of its fill only. */
      opacity?: number;
      fillOpacity?: number;
      dash?: string;
      /** Edges on whole pixels, without a seam to neighbours. */
      crisp?: boolean;
      /** Text under the pointer, in SVG. */
      title?: string;
    }
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: Colour; title?: string }
  | { kind: 'dots'; points: [x: number, y: number][]; radius: number; fill: Colour; open?: boolean }
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      fill?: Colour;
      anchor?: 'start' | 'middle' | 'end';
      /** Degrees by which the text is turned about its place, clockwise. */
      angle?: number;
      bold?: boolean;
      italic?: boolean;
      font?: keyof typeof FACES;
      /** In CSS pixels; default 12. */
      size?: number;
      /** A ROOT title: greek letters, raised and lowered parts. */
      latex?: boolean;
      /** The whole text, if it was cut. */
      title?: string;
    }
  /** Shapes that are visible only within the rectangle. */
  | { kind: 'clip'; x: number; y: number; width: number; height: number; shapes: Shape[] };

/**
 * Line colours, the plot's own first: alternately lighter and darker, so that people with any colour vision can
 * distinguish them.
 */
export type LineInk = 'line1' | 'line2' | 'line3' | 'line4' | 'line5' | 'line6';

export type Ink =
  | 'ink'
  | 'faint'
  | 'grid'
  | 'paper'
  | 'network'
  | 'disk'
  | 'memory'
  | 'store'
  | 'decode'
  | 'time'
  | 'other'
  | 'wait'
  | 'queue'
  | LineInk;

/** A picture that is the same as SVG text and in a page. Sizes in CSS pixels. */
export interface Drawing {
  width: number;
  height: number;
  title: string;
  shapes: Shape[];
}

/** Colours on paper; a page may use its own for the same names. */
export const PALETTE: Record<Ink, string> = {
  ink: '#1c2621',
  faint: '#55645c',
  grid: '#e4e8e2',
  paper: '#ffffff',
  network: '#1f7a5c',
  disk: '#1f7a5c',
  memory: '#d08a1d',
  store: '#7a4fb3',
  decode: '#9aa8a0',
  time: '#c0392b',
  other: '#8a99a6',
  wait: '#8fc7b1',
  queue: '#d5dcd7',
  line1: '#1f7a5c',
  line2: '#2b2478',
  line3: '#d6459f',
  line4: '#6b3300',
  line5: '#4596da',
  line6: '#a3940f',
};

export const DARK_PALETTE: Record<Ink, string> = {
  ink: '#e4eae6',
  faint: '#9db0a6',
  grid: '#2c3732',
  paper: '#161c19',
  network: '#4cc29a',
  disk: '#4cc29a',
  memory: '#e6ac4d',
  store: '#b394e6',
  decode: '#6c7c74',
  time: '#ef7b6e',
  other: '#78899a',
  wait: '#2f6b57',
  queue: '#3a4741',
  line1: '#63c79f',
  line2: '#a873f5',
  line3: '#f5ec6b',
  line4: '#ff9ec4',
  line5: '#b9e8ff',
  line6: '#d4682e',
};

/** Returns the colour name of the i-th of several lines. */
export function lineInk(i: number): LineInk {
  return `line${(i % 6) + 1}` as LineInk;
}

/** Font families besides the one of the picture. */
export const FACES = {
  sans: 'Helvetica, Arial, Liberation Sans, sans-serif',
  serif: 'Times, Liberation Serif, serif',
  mono: 'Courier, Liberation Mono, monospace',
};

/** Size of text for shapes that do not give one, in CSS pixels. */
export const TEXT_SIZE = 12;

/** The colour itself: the palette's colour of that name, or the given one. */
export function colourOf(colour: Colour, palette: Record<Ink, string>): string {
  return colour.startsWith('#') ? colour : palette[colour as Ink];
}

/** Writes a coordinate with two digits after the point. Coordinates that are far out of sight are limited. */
export function short(value: number): string {
  return String(Math.round(Math.min(1e6, Math.max(-1e6, value)) * 100) / 100);
}

/** The commands of paths that drawings have, and plain decimal numbers. */
const PLAIN_PATH = /^[MLHVCZhvaz0-9 .,-]*$/;

/** Whether the coordinates of a shape are finite. Stored numbers may be infinite or NaN, and sums may overflow. */
export function isSound(shape: Shape): boolean {
  switch (shape.kind) {
    case 'path':
      return PLAIN_PATH.test(shape.d);
    case 'dots':
      return shape.points.every(([x, y]) => !Number.isNaN(x) && !Number.isNaN(y));
    case 'rect':
      return ![shape.x, shape.y, shape.width, shape.height].some(Number.isNaN);
    case 'text':
      return ![shape.x, shape.y, shape.angle ?? 0].some(Number.isNaN);
    case 'clip':
      return shape.shapes.every(isSound);
  }
}

/**
 * Place of a drawing in a document with several. `id` is a unique prefix for names; a size other than its own scales
 * it.
 */
export interface SvgPlace {
  id: string;
  x?: number;
  y?: number;
  size?: { width: number | string; height: number | string };
  /** Elements after its title, as SVG. */
  head?: string;
  /** Names of fonts, the first one first. */
  fonts?: string;
}

/** A drawing as a self-contained SVG document on paper, or as a part of one; all text is escaped. */
export function drawingSvg({ width, height, title, shapes }: Drawing, place?: SvgPlace): string {
  const at = place?.x === undefined ? '' : `x="${short(place.x)}" y="${short(place.y ?? 0)}" `;
  const shown = place?.size ?? { width, height };
  const size = `${at}width="${shown.width}" height="${shown.height}" viewBox="0 0 ${width} ${height}"`;
  const names = place?.fonts ?? 'ui-sans-serif, system-ui, sans-serif';
  const font = `font-family="${escapeXml(names)}" font-size="${TEXT_SIZE}"`;
  const clips: string[] = [];
  const drawn = shapes.map((shape) => shapeSvg(shape, clips, place?.id));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} role="img">`,
    `<title>${escapeXml(title)}</title>`,
    ...(place?.head === undefined ? [] : [place.head]),
    ...(clips.length > 0 ? [`<defs>${clips.join('')}</defs>`] : []),
    `<rect width="${width}" height="${height}" fill="${PALETTE.paper}"/>`,
    ...drawn.filter((shape) => shape !== ''),
    '</svg>\n',
  ].join('\n');
}

/** Returns a shape as SVG, and adds the rectangles of clips to `clips`. */
export function shapeSvg(shape: Shape, clips: string[], prefix = ''): string {
  const named = (colour: Colour) => colourOf(colour, PALETTE);
  switch (shape.kind) {
    case 'path': {
      if (shape.d === '') return '';
      const start = `<path d="${shape.d}"${pathLook(shape)}`;
      return shape.title === undefined
        ? `${start}/>`
        : `${start}><title>${escapeXml(shape.title)}</title></path>`;
    }
    case 'rect': {
      const said = shape.title === undefined ? '' : `<title>${escapeXml(shape.title)}</title>`;
      return `<rect ${boxSvg(shape)} fill="${named(shape.fill)}">${said}</rect>`;
    }
    case 'dots':
      return `<path d="${dotsPath(shape.points, shape.radius)}" ${shape.open ? `fill="none" stroke="${named(shape.fill)}"` : `fill="${named(shape.fill)}"`}/>`;
    case 'text':
      return shape.text === '' ? '' : `<text ${textPlace(shape)}${textLook(shape)}>${textSvg(shape)}</text>`;
    case 'clip': {
      const id = `${prefix}clip${clips.length + 1}`;
      clips.push(`<clipPath id="${id}"><rect ${boxSvg(shape)}/></clipPath>`);
      const inner = shape.shapes.map((one) => shapeSvg(one, clips, prefix)).filter((one) => one !== '');
      return `<g clip-path="url(#${id})">\n${inner.join('\n')}\n</g>`;
    }
  }
}

/** Returns the attributes of a path except its `d`: colours, lines and opacity. */
export function pathLook(shape: Shape & { kind: 'path' }): string {
  const { stroke, width = 1, fill, dash, opacity, fillOpacity, crisp } = shape;
  const more = [
    stroke && `stroke="${colourOf(stroke, PALETTE)}" stroke-width="${width}" stroke-linejoin="round"`,
    dash && `stroke-dasharray="${dash}"`,
    opacity !== undefined && `opacity="${opacity}"`,
    fillOpacity !== undefined && `fill-opacity="${fillOpacity}"`,
    crisp && 'shape-rendering="crispEdges"',
  ].filter(Boolean);
  return [` fill="${fill ? colourOf(fill, PALETTE) : 'none'}"`, ...more].join(' ');
}

/** Returns the attributes of a text except its place: alignment, colour and font. */
export function textLook({ fill = 'ink', anchor = 'start', ...shape }: Shape & { kind: 'text' }): string {
  const { bold, italic, font, size } = shape;
  const more = [
    bold && 'font-weight="600"',
    italic && 'font-style="italic"',
    font && `font-family="${FACES[font]}"`,
    size !== undefined && `font-size="${size}"`,
  ].filter(Boolean);
  return [` text-anchor="${anchor}"`, `fill="${colourOf(fill, PALETTE)}"`, ...more].join(' ');
}

export function textPlace({ x, y, angle }: Shape & { kind: 'text' }): string {
  if (angle === undefined) return `x="${short(x)}" y="${short(y)}"`;
  return `transform="translate(${short(x)} ${short(y)}) rotate(${angle})"`;
}

function boxSvg({ x, y, width, height }: { x: number; y: number; width: number; height: number }): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

/** A part of a line of text, and how the pen moves before it, in CSS pixels. */
export interface TextMove {
  text: string;
  dx?: number | undefined;
  dy?: number | undefined;
  size?: number | undefined;
}

/** Returns a text with raised and lowered parts as moves of the pen. */
export function textMoves({ text, latex, size = TEXT_SIZE }: Shape & { kind: 'text' }): TextMove[] {
  if (!latex) return [{ text }];
  let up = 0;
  return titleRuns(text).map((run) => {
    const move: TextMove = { text: run.text };
    if (run.up !== up) move.dy = (up - run.up) * size;
    if (run.back !== 0) move.dx = -run.back * size;
    if (run.size !== 1) move.size = run.size * size;
    up = run.up;
    return move;
  });
}

/** Returns the content of a text element, with the whole text if it was cut. */
export function textSvg(shape: Shape & { kind: 'text' }): string {
  const moves = textMoves(shape);
  const whole = shape.title === undefined ? '' : `<title>${escapeXml(shape.title)}</title>`;
  const parts = moves
    .map(({ text, dx, dy, size }) => {
      const moved = [
        dx !== undefined && ` dx="${short(dx)}"`,
        dy !== undefined && ` dy="${short(dy)}"`,
        size !== undefined && ` font-size="${short(size)}"`,
      ].filter(Boolean);
      return moved.length === 0 && moves.length === 1
        ? escapeXml(text)
        : `<tspan${moved.join('')}>${escapeXml(text)}</tspan>`;
    })
    .join('');
  return whole + parts;
}

/** Text made safe for SVG content and attributes; characters that XML forbids become U+FFFD. */
export function escapeXml(value: string): string {
  return printableText(value)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** Returns small circles as one path. */
export function dotsPath(points: readonly [x: number, y: number][], radius: number): string {
  const r = short(radius);
  const across = short(2 * radius);
  return points
    .map(
      ([x, y]) =>
        `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`,
    )
    .join('');
}
