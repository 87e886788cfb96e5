import { tableCrc32 } from '../../../../base/crc32';
import { drawingSvg } from '../../../../plot/drawing/drawing';
import type { Figure } from '../figure';
import { outlined } from '../fonts/typeset';

/** Pixels of a PNG in an inch, and maximum number of pixels on a side. */
const PIXELS_PER_INCH = 300;
const MAX_PIXELS = 8000;

/** Returns the pixels in a mm. */
export function pixelsOf({ drawing: { paper } }: Figure): number {
  return Math.min(PIXELS_PER_INCH / 25.4, MAX_PIXELS / Math.max(paper.width, paper.height));
}

/** Returns a figure as an SVG document whose texts are outlines, for programs that turn it into pixels; and its width in pixels. */
export function outlinedSvg(figure: Figure): { svg: string; width: number; height: number } {
  const { drawing, fonts } = figure;
  const pixels = (mm: number) => Math.round(mm * pixelsOf(figure));
  const { width, height } = drawing.paper;
  const size = { width: pixels(width), height: pixels(height) };
  return {
    svg: drawingSvg({ ...drawing, shapes: outlined(drawing.shapes, fonts) }, { id: 'figure-', size }),
    ...size,
  };
}

/** Adds the query of a figure and its size on paper to a PNG file. Throws RangeError for another kind of file. */
export function withRecord(png: Uint8Array, figure: Figure): Uint8Array<ArrayBuffer> {
  const { record, drawing } = figure;
  const start = 8 + 25;
  if (png.length < start || String.fromCharCode(...png.subarray(12, 16)) !== 'IHDR')
    throw new RangeError('This is not a PNG file.');
  const perMetre = Math.round(1000 * pixelsOf(figure));
  const size = new DataView(new ArrayBuffer(9));
  size.setUint32(0, perMetre);
  size.setUint32(4, perMetre);
  size.setUint8(8, 1);
  const chunks = [
    chunk('pHYs', new Uint8Array(size.buffer)),
    textChunk('Title', drawing.title),
    textChunk('Software', record.program),
    textChunk('xylem', JSON.stringify(record)),
  ];
  const parts = [png.subarray(0, start), ...chunks, ...without(png, start, 'pHYs')];
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** Returns the chunks of a PNG file from a place on, without those of one type. */
function without(png: Uint8Array, start: number, type: string): Uint8Array[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const kept: Uint8Array[] = [];
  for (let at = start; at + 12 <= png.length; ) {
    const end = at + 12 + view.getUint32(at);
    if (String.fromCharCode(...png.subarray(at + 4, at + 8)) !== type) kept.push(png.subarray(at, end));
    at = end;
  }
  return kept;
}

/** An international text (iTXt), which is not compressed. */
function textChunk(keyword: string, text: string): Uint8Array {
  const encoder = new TextEncoder();
  const [name, value] = [encoder.encode(keyword), encoder.encode(text)];
  const data = new Uint8Array(name.length + 5 + value.length);
  data.set(name);
  data.set(value, name.length + 5);
  return chunk('iTXt', data);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(
    Uint8Array.from(type, (letter) => letter.charCodeAt(0)),
    4,
  );
  bytes.set(data, 8);
  view.setUint32(8 + data.length, tableCrc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
