import { type MapPlace, placeText } from '../work/file-map-place';
import { type StripLayers, stripPixels } from '../work/file-map-reads';
import { type MapLayer, mapPixels } from '../work/file-map-texture';
import { GUTTER, type MapWindow, STRIP_HEIGHT } from '../work/file-map-window';
import type { FileMap } from '../work/map';

/** The colours of the map; `chosen` lies over `base` if branches are chosen. */
export interface MapLayers {
  base: MapLayer;
  chosen: MapLayer | undefined;
}

/** Paints the rows of the map with strips for the bytes that were read. */
export function paintRows(
  ctx: CanvasRenderingContext2D,
  window: MapWindow,
  { base, chosen }: MapLayers,
  strips: readonly StripLayers[],
): void {
  const ratio = devicePixelRatio;
  const { from, rowBytes, rows, rowHeight } = window;
  const width = Math.max(1, Math.round(window.width * ratio));
  const view = { from, rowBytes, rows, width };
  const tall = Math.round(rowHeight * ratio);
  const gap = rowHeight >= 6 ? Math.round(ratio) : 0;
  const image = new ImageData(width, rows * tall);
  const words = new Uint32Array(image.data.buffer);
  const strip = Math.round(STRIP_HEIGHT * ratio);
  const paint = (source: Uint32Array, top: number, to: number): void => {
    for (let row = 0; row < rows; row++) {
      const line = source.subarray(row * width, (row + 1) * width);
      for (let y = top; y < to; y++) words.set(line, (row * tall + y) * width);
    }
  };
  const bottom = tall - gap - strips.length * strip;
  paint(mapPixels(view, base, chosen), 0, bottom);
  strips.forEach((layers, i) => {
    const above = bottom + i * strip;
    paint(stripPixels(view, layers), above + Math.round(ratio), above + strip);
  });
  ctx.putImageData(image, Math.round(GUTTER * ratio), 0);
}

/** Writes the places in the file beside the rows. */
export function paintLabels(
  ctx: CanvasRenderingContext2D,
  window: MapWindow,
  size: number,
  style: CSSStyleDeclaration,
): void {
  const { from, rowBytes, rows, rowHeight } = window;
  ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  ctx.font = `11px ${style.fontFamily || 'sans-serif'}`;
  ctx.fillStyle = style.getPropertyValue('--muted').trim() || '#666';
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  const every = Math.max(1, Math.ceil(28 / rowHeight));
  for (let row = 0; row < rows && from + row * rowBytes < size; row += every) {
    ctx.fillText(placeText(from + row * rowBytes, rowBytes * every), GUTTER - 8, (row + 0.5) * rowHeight);
  }
}

/** Marks over the rows: the starts of clusters, a place, and the segment below the pointer. */
export interface MapMarks {
  borders: Float64Array;
  place: MapPlace | undefined;
  /** Index of a segment; -1 for none. */
  hovered: number;
}

export function paintMarks(
  ctx: CanvasRenderingContext2D,
  window: MapWindow,
  map: FileMap,
  { borders, place, hovered }: MapMarks,
  style: CSSStyleDeclaration,
): void {
  const { from, end, rows, rowHeight, width } = window;
  ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  ctx.fillStyle = style.getPropertyValue('--ink').trim() || '#000';
  const shown = Array.from(borders).filter((byte) => byte >= from && byte < end);
  // Borders that are so close that they would hide the map are left out.
  if (shown.length <= (rows * width) / 60) {
    for (const byte of shown) {
      const [x, y] = window.placeOf(byte);
      ctx.fillRect(x - 0.75, y - 1, 1.5, rowHeight + 1);
    }
  }
  ctx.lineWidth = 2;
  if (place !== undefined) {
    ctx.strokeStyle = style.getPropertyValue('--danger').trim() || '#c0392b';
    outlinePlace(ctx, window, place);
  }
  if (hovered < 0) return;
  ctx.strokeStyle = style.getPropertyValue('--focus').trim() || '#b8741a';
  outlineRows(ctx, window, map.start[hovered] ?? 0, map.start[hovered + 1] ?? 0);
}

/** Draws a box around a stretch of the file in each row that it reaches. */
function outlineRows(ctx: CanvasRenderingContext2D, window: MapWindow, first: number, after: number): void {
  const { from, rowBytes, rowHeight, width } = window;
  const end = Math.min(window.end, after);
  for (let at = Math.max(from, first); at < end; ) {
    const [x, y] = window.placeOf(at);
    const rest = rowBytes - ((at - from) % rowBytes);
    const stop = Math.min(end, at + rest);
    ctx.strokeRect(x - 1, y - 1, Math.max(2, ((stop - at) / rowBytes) * width + 2), rowHeight + 1);
    at = stop === at ? end : stop;
  }
}

/** Draws one line around a stretch of the file, over all rows that it reaches. */
function outlinePlace(ctx: CanvasRenderingContext2D, window: MapWindow, { offset, length }: MapPlace): void {
  const { from, rowBytes, rowHeight, width } = window;
  const start = Math.max(from, offset);
  const end = Math.min(window.end, offset + length);
  if (end <= start) return;
  const [x0, y0] = window.placeOf(start);
  const last = Math.floor((end - from - 0.5) / rowBytes);
  const x1 = GUTTER + ((end - from) / rowBytes - last) * width;
  const y1 = last * rowHeight;
  const right = GUTTER + width;
  if (y0 === y1) {
    ctx.strokeRect(x0 - 1, y0 - 1, Math.max(3, x1 - x0 + 2), rowHeight + 1);
    return;
  }
  ctx.beginPath();
  ctx.moveTo(x0 - 1, y0 - 1);
  ctx.lineTo(right, y0 - 1);
  ctx.lineTo(right, y1);
  ctx.lineTo(x1 + 1, y1);
  ctx.lineTo(x1 + 1, y1 + rowHeight);
  ctx.lineTo(GUTTER, y1 + rowHeight);
  ctx.lineTo(GUTTER, y0 + rowHeight);
  ctx.lineTo(x0 - 1, y0 + rowHeight);
  ctx.closePath();
  ctx.stroke();
}
