import type { Tables } from './woff';

/** A font with TrueType outlines. Lengths are in its units, of which `unitsPerEm` are the size of the text. */
export interface TrueType {
  name: string;
  tables: Tables;
  unitsPerEm: number;
  ascent: number;
  descent: number;
  capHeight: number;
  /** xMin, yMin, xMax, yMax of all glyphs. */
  bounds: readonly [number, number, number, number];
  italicAngle: number;
  /** Returns the number of the glyph of a character; 0 if there is none. */
  glyphOf(code: number): number;
  advanceOf(glyph: number): number;
  sideOf(glyph: number): number;
  /** Returns the description of a glyph; empty for a space. */
  dataOf(glyph: number): Uint8Array;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads a font. Throws RangeError if it lacks a table. */
export function trueType(name: string, tables: Tables): TrueType {
  const table = (tag: string): DataView => {
    const bytes = tables.get(tag);
    if (bytes === undefined) throw new RangeError(`The font ${name} has no table ${tag}.`);
    return viewOf(bytes);
  };
  const [head, hhea, hmtx, os2, post] = ['head', 'hhea', 'hmtx', 'OS/2', 'post'].map(table) as [
    DataView,
    DataView,
    DataView,
    DataView,
    DataView,
  ];
  const glyf = tables.get('glyf') ?? new Uint8Array();
  const loca = table('loca');
  const isLong = head.getInt16(50) === 1;
  const placeOf = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  const widths = hhea.getUint16(34);
  const codes = glyphsByCode(table('cmap'));
  return {
    ...{ name, tables, unitsPerEm: head.getUint16(18), ascent: hhea.getInt16(4), descent: hhea.getInt16(6) },
    capHeight: os2.getUint16(0) >= 2 ? os2.getInt16(88) : hhea.getInt16(4),
    bounds: [36, 38, 40, 42].map((at) => head.getInt16(at)) as [number, number, number, number],
    italicAngle: post.getInt32(4) / 65_536,
    glyphOf: (code) => codes.get(code) ?? 0,
    advanceOf: (glyph) => hmtx.getUint16(4 * Math.min(glyph, widths - 1)),
    sideOf: (glyph) => hmtx.getInt16(glyph < widths ? 4 * glyph + 2 : 4 * widths + 2 * (glyph - widths)),
    dataOf: (glyph) => glyf.subarray(placeOf(glyph), placeOf(glyph + 1)),
  };
}

/** Reads the mapping of Unicode characters to glyphs: formats 4 and 12 of the table cmap. */
function glyphsByCode(cmap: DataView): Map<number, number> {
  const found = new Map<number, number>();
  const count = cmap.getUint16(2);
  for (let i = 0; i < count; i++) {
    const at = cmap.getUint32(4 + 8 * i + 4);
    const platform = cmap.getUint16(4 + 8 * i);
    if (platform !== 0 && platform !== 3) continue;
    const format = cmap.getUint16(at);
    if (format === 4) readSegments(cmap, at, found);
    if (format === 12) readGroups(cmap, at, found);
  }
  return found;
}

function readSegments(cmap: DataView, at: number, found: Map<number, number>): void {
  const size = cmap.getUint16(at + 6);
  for (let i = 0; i < size; i += 2) {
    const end = cmap.getUint16(at + 14 + i);
    const start = cmap.getUint16(at + 16 + size + i);
    const delta = cmap.getUint16(at + 16 + 2 * size + i);
    const place = at + 16 + 3 * size + i;
    const offset = cmap.getUint16(place);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = offset === 0 ? code : cmap.getUint16(place + offset + 2 * (code - start));
      if (offset === 0 || glyph !== 0) found.set(code, (glyph + delta) & 0xffff);
    }
  }
}

function readGroups(cmap: DataView, at: number, found: Map<number, number>): void {
  const groups = cmap.getUint32(at + 12);
  for (let i = 0; i < groups; i++) {
    const [start, end, glyph] = [0, 4, 8].map((k) => cmap.getUint32(at + 16 + 12 * i + k)) as [
      number,
      number,
      number,
    ];
    for (let code = start; code <= end; code++) found.set(code, glyph + code - start);
  }
}

/** Flags of a part of a composite glyph. */
const WORDS = 1;
const PLACED = 2;
const SCALED = 8;
const MORE = 32;
const SCALED_TWICE = 64;
const MATRIX = 128;

/** A part of a composite glyph: the number of the glyph is at `at` of the description. */
export interface Component {
  glyph: number;
  at: number;
  dx: number;
  dy: number;
  /** xx, xy, yx, yy. */
  matrix: readonly [number, number, number, number];
}

/** Returns the glyphs that a composite one consists of; none for another. */
export function componentsOf(data: Uint8Array): Component[] {
  if (data.length === 0 || viewOf(data).getInt16(0) >= 0) return [];
  const view = viewOf(data);
  const found: Component[] = [];
  let at = 10;
  for (let flags = MORE; (flags & MORE) !== 0; ) {
    flags = view.getUint16(at);
    const glyph = view.getUint16(at + 2);
    const own = at + 2;
    at += 4;
    const isWord = (flags & WORDS) !== 0;
    const [dx, dy] = isWord
      ? [view.getInt16(at), view.getInt16(at + 2)]
      : [view.getInt8(at), view.getInt8(at + 1)];
    at += isWord ? 4 : 2;
    const factor = () => {
      at += 2;
      return view.getInt16(at - 2) / 16_384;
    };
    let matrix: Component['matrix'] = [1, 0, 0, 1];
    if ((flags & SCALED) !== 0) {
      const by = factor();
      matrix = [by, 0, 0, by];
    } else if ((flags & SCALED_TWICE) !== 0) matrix = [factor(), 0, 0, factor()];
    else if ((flags & MATRIX) !== 0) matrix = [factor(), factor(), factor(), factor()];
    const isPlaced = (flags & PLACED) !== 0;
    found.push({ glyph, at: own, dx: isPlaced ? dx : 0, dy: isPlaced ? dy : 0, matrix });
  }
  return found;
}

/** A point of an outline. Two neighbouring points beside the curve have one on it in their middle. */
interface Point {
  x: number;
  y: number;
  isOn: boolean;
}

/** Calls for the parts of an outline; the control point of a curve comes first. */
export interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  curve(cx: number, cy: number, x: number, y: number): void;
  close(): void;
}

/** Maximum depth of composite glyphs. */
const MAX_DEPTH = 6;

/** Draws the outline of a glyph. */
export function drawGlyph(font: TrueType, glyph: number, pen: Pen, depth = 0): void {
  const data = font.dataOf(glyph);
  if (data.length === 0 || depth > MAX_DEPTH) return;
  for (const { glyph: part, dx, dy, matrix } of componentsOf(data)) {
    const [xx, xy, yx, yy] = matrix;
    const to = (x: number, y: number): [number, number] => [x * xx + y * yx + dx, x * xy + y * yy + dy];
    const moved: Pen = {
      move: (x, y) => pen.move(...to(x, y)),
      line: (x, y) => pen.line(...to(x, y)),
      curve: (cx, cy, x, y) => pen.curve(...to(cx, cy), ...to(x, y)),
      close: () => pen.close(),
    };
    drawGlyph(font, part, moved, depth + 1);
  }
  for (const contour of contoursOf(data)) drawContour(contour, pen);
}

function contoursOf(data: Uint8Array): Point[][] {
  const view = viewOf(data);
  const count = view.getInt16(0);
  if (count <= 0) return [];
  const ends = Array.from({ length: count }, (_, i) => view.getUint16(10 + 2 * i));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = 10 + 2 * count + 2 + view.getUint16(10 + 2 * count);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = view.getUint8(at++);
    const times = (flag & 8) !== 0 ? view.getUint8(at++) : 0;
    for (let i = 0; i <= times; i++) flags.push(flag);
  }
  /** Coordinates are steps: one byte with a sign in the flag, two bytes, or none. */
  const steps = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += view.getUint8(at++) * ((flag & same) !== 0 ? 1 : -1);
      else if ((flag & same) === 0) {
        value += view.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = steps(2, 16);
  const ys = steps(4, 32);
  let start = 0;
  return ends.map((end) => {
    const contour = flags
      .slice(start, end + 1)
      .map((flag, i): Point => ({ x: xs[start + i] ?? 0, y: ys[start + i] ?? 0, isOn: (flag & 1) !== 0 }));
    start = end + 1;
    return contour;
  });
}

function drawContour(points: readonly Point[], pen: Pen): void {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, isOn: true });
  const whole = points.flatMap((point, i) => {
    const next = points[(i + 1) % points.length] ?? point;
    return point.isOn || next.isOn ? [point] : [point, middle(point, next)];
  });
  const first = whole.findIndex(({ isOn }) => isOn);
  if (first < 0) return;
  const ring = [...whole.slice(first), ...whole.slice(0, first)];
  const [start] = ring;
  if (start === undefined) return;
  pen.move(start.x, start.y);
  for (let i = 1; i <= ring.length; i++) {
    const point = ring[i % ring.length] ?? start;
    if (point.isOn) {
      if (i < ring.length) pen.line(point.x, point.y);
      continue;
    }
    const next = ring[(i + 1) % ring.length] ?? start;
    pen.curve(point.x, point.y, next.x, next.y);
    i++;
  }
  pen.close();
}
