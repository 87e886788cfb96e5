import { type FileMap, segmentAt } from '../insight/map';
import type { MapColours } from './file-map-colours';
import { placeText } from './file-map-place';
import { type StripLayers, stripPixels } from './file-map-reads';
import { type MapLayer, mapLayer, mapPixels } from './file-map-texture';

/** How a file is divided into rows: all of it within the height, or rows of 1 MB. */
export type MapRows = 'fitted' | '1MB';

export interface MapCanvasOptions {
  /** Called in a task of its own: of a large file they take as long as a task may. */
  colours: () => MapColours;
  rows: MapRows;
  /** Bytes at which marks are drawn: where clusters begin. */
  borders: Float64Array;
  /** What was read, as strips below each row. */
  strips: readonly StripLayers[];
  /** A place that is outlined. */
  place: MapPlace | undefined;
  onHover(segment: number | null, byte: number): void;
  onClick(segment: number): void;
  /** The part that is shown changed; `whole` when it is all of the file. */
  onWindow(from: number, to: number, whole: boolean): void;
}

/** A stretch of the file. */
export interface MapPlace {
  offset: number;
  length: number;
}

/** A map on the page. */
export interface MapCanvas {
  update(change: Partial<Pick<MapCanvasOptions, 'colours' | 'rows' | 'borders' | 'strips' | 'place'>>): void;
  /** Zooms so far in that a place is seen well, with what lies around it. */
  show(place: MapPlace): void;
  /** Zooms about the middle; 2 shows half as much. */
  zoom(factor: number): void;
  whole(): void;
  destroy(): void;
}

const MEGABYTE = 1e6;
const GUTTER = 58;
const LEAST_ROW_BYTES = 64;
/** Pixels of a strip of reads, with those between it and what is above. */
const STRIP_HEIGHT = 5;
/** A place that is shown fills about this part of the map. */
const PLACE_SHARE = 0.3;
/** A pointer that moved less is a click. */
const CLICK_PIXELS = 4;

/** Draws the map of a file on canvases within `host`; it follows the element's size. */
export function mountFileMap(host: HTMLElement, map: FileMap, initial: MapCanvasOptions): MapCanvas {
  const options = { ...initial };
  const canvas = addCanvas(host);
  const marks = addCanvas(host);
  marks.style.pointerEvents = 'none';
  /** What is drawn; undefined until it is prepared. */
  let layers: { base: MapLayer; chosen: MapLayer | undefined } | undefined;
  let preparing: ReturnType<typeof setTimeout> | undefined;
  let from = 0;
  /** Bytes of a row when the whole is shown, and now. */
  let wholeRow = 1;
  let rowBytes = 1;
  let rowHeight = 8;
  let rows = 1;
  let width = 1;
  let hovered = -1;
  let frame = 0;

  /** Makes the layers in tasks of their own; until then those of before are shown. */
  function prepare(): void {
    host.setAttribute('aria-busy', 'true');
    clearTimeout(preparing);
    preparing = setTimeout(() => {
      const colours = options.colours();
      preparing = setTimeout(() => {
        const chosen = colours.chosen && mapLayer(map.start, colours.chosen);
        layers = { base: mapLayer(map.start, colours.base), chosen };
        preparing = undefined;
        changed();
      });
    });
  }

  /** Chooses rows for the size of the element, keeping the zoom. */
  function fit(): void {
    const zoomed = wholeRow / rowBytes;
    const height = Math.max(40, host.clientHeight);
    width = Math.max(40, host.clientWidth - GUTTER);
    if (options.rows === '1MB') {
      wholeRow = MEGABYTE;
      rowHeight = Math.min(16, Math.max(4, Math.floor(height / Math.ceil(map.size / MEGABYTE))));
      rowHeight += options.strips.length * STRIP_HEIGHT;
    } else {
      rowHeight = (height < 300 ? 8 : 10) + options.strips.length * STRIP_HEIGHT;
      wholeRow = Math.max(LEAST_ROW_BYTES, map.size / Math.floor(height / rowHeight));
    }
    rows = Math.floor(height / rowHeight);
    rowBytes = wholeRow / zoomed;
    clamp();
  }

  function clamp(): void {
    rowBytes = Math.min(wholeRow, Math.max(LEAST_ROW_BYTES, rowBytes));
    from = Math.max(0, Math.min(from, map.size - rows * rowBytes));
    // Rows of a megabyte begin at megabytes while they are not zoomed.
    if (rowBytes === wholeRow && options.rows === '1MB') from = Math.ceil(from / MEGABYTE) * MEGABYTE;
  }

  function changed(): void {
    clamp();
    const to = Math.min(map.size, from + rows * rowBytes);
    options.onWindow(from, to, from === 0 && to === map.size);
    if (frame === 0) frame = requestAnimationFrame(draw);
  }

  function draw(): void {
    frame = 0;
    paintRows();
    paintMarks();
    if (layers !== undefined && preparing === undefined) host.setAttribute('aria-busy', 'false');
  }

  function paintRows(): void {
    const ratio = devicePixelRatio;
    const ctx = sized(canvas, host, ratio);
    if (ctx === null || layers === undefined) return;
    const { base, chosen } = layers;
    const pixels = Math.max(1, Math.round(width * ratio));
    const colours = mapPixels({ from, rowBytes, rows, width: pixels }, base, chosen);
    const tall = Math.round(rowHeight * ratio);
    const gap = rowHeight >= 6 ? Math.round(ratio) : 0;
    const image = new ImageData(pixels, rows * tall);
    const words = new Uint32Array(image.data.buffer);
    const strip = Math.round(STRIP_HEIGHT * ratio);
    const paint = (source: Uint32Array, top: number, to: number): void => {
      for (let row = 0; row < rows; row++) {
        const line = source.subarray(row * pixels, (row + 1) * pixels);
        for (let y = top; y < to; y++) words.set(line, (row * tall + y) * pixels);
      }
    };
    const bottom = tall - gap - options.strips.length * strip;
    paint(colours, 0, bottom);
    options.strips.forEach((layers, i) => {
      const above = bottom + i * strip;
      const window = { from, rowBytes, rows, width: pixels };
      paint(stripPixels(window, layers), above + Math.round(ratio), above + strip);
    });
    ctx.putImageData(image, Math.round(GUTTER * ratio), 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(host);
    ctx.font = `11px ${style.fontFamily || 'sans-serif'}`;
    ctx.fillStyle = style.getPropertyValue('--muted').trim() || '#666';
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(28 / rowHeight));
    for (let row = 0; row < rows && from + row * rowBytes < map.size; row += every) {
      ctx.fillText(placeText(from + row * rowBytes, rowBytes * every), GUTTER - 8, (row + 0.5) * rowHeight);
    }
  }

  /** Borders of clusters and the outline of what the pointer is on, over the rows. */
  function paintMarks(): void {
    const ctx = sized(marks, host, devicePixelRatio);
    if (ctx === null) return;
    ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const style = getComputedStyle(host);
    ctx.fillStyle = style.getPropertyValue('--ink').trim() || '#000';
    const shown = Array.from(options.borders).filter((byte) => byte >= from && byte < from + rows * rowBytes);
    // So many that they would hide the map are left out.
    if (shown.length <= (rows * width) / 60) {
      for (const byte of shown) {
        const [x, y] = placeOf(byte);
        ctx.fillRect(x - 0.75, y - 1, 1.5, rowHeight + 1);
      }
    }
    if (options.place !== undefined) {
      ctx.strokeStyle = style.getPropertyValue('--danger').trim() || '#c0392b';
      ctx.lineWidth = 2;
      outline(ctx, options.place);
    }
    if (hovered < 0) return;
    ctx.strokeStyle = style.getPropertyValue('--focus').trim() || '#b8741a';
    ctx.lineWidth = 2;
    const start = Math.max(from, map.start[hovered] ?? 0);
    const end = Math.min(from + rows * rowBytes, map.start[hovered + 1] ?? 0);
    for (let at = start; at < end; ) {
      const [x, y] = placeOf(at);
      const rest = rowBytes - ((at - from) % rowBytes);
      const stop = Math.min(end, at + rest);
      ctx.strokeRect(x - 1, y - 1, Math.max(2, ((stop - at) / rowBytes) * width + 2), rowHeight + 1);
      at = stop === at ? end : stop;
    }
  }

  /** A line around a stretch of the file, over as many rows as it reaches. */
  function outline(ctx: CanvasRenderingContext2D, { offset, length }: MapPlace): void {
    const start = Math.max(from, offset);
    const end = Math.min(from + rows * rowBytes, offset + length);
    if (end <= start) return;
    const [x0, y0] = placeOf(start);
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

  function placeOf(byte: number): [x: number, y: number] {
    const row = Math.floor((byte - from) / rowBytes);
    return [GUTTER + (((byte - from) % rowBytes) / rowBytes) * width, row * rowHeight];
  }

  /** The byte under a point of the page; undefined beside the rows. */
  function byteAt(event: { clientX: number; clientY: number }): number | undefined {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left - GUTTER;
    const row = Math.floor((event.clientY - box.top) / rowHeight);
    if (x < 0 || x >= width || row < 0 || row >= rows) return undefined;
    const byte = from + row * rowBytes + (x / width) * rowBytes;
    return byte < map.size ? byte : undefined;
  }

  function zoomAt(factor: number, byte: number): void {
    const share = (byte - from) / rowBytes;
    const next = Math.min(wholeRow, Math.max(LEAST_ROW_BYTES, rowBytes / factor));
    from = byte - share * next;
    rowBytes = next;
    changed();
  }

  function hover(event: PointerEvent | null): void {
    const byte = event === null ? undefined : byteAt(event);
    const next = byte === undefined ? -1 : segmentAt(map, byte);
    if (next !== hovered) {
      hovered = next;
      paintMarks();
    }
    options.onHover(next < 0 ? null : next, byte ?? 0);
  }

  let drag: { x: number; y: number; from: number; moved: boolean } | undefined;
  const listeners = {
    pointerdown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, y: event.clientY, from, moved: false };
      canvas.setPointerCapture(event.pointerId);
    },
    pointermove: (event: PointerEvent) => {
      if (drag === undefined) {
        hover(event);
        return;
      }
      const dx = event.clientX - drag.x;
      const dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) < CLICK_PIXELS) return;
      drag.moved = true;
      from = drag.from - (dx / width) * rowBytes - Math.round(dy / rowHeight) * rowBytes;
      changed();
    },
    pointerup: (event: PointerEvent) => {
      const byte = drag?.moved === false ? byteAt(event) : undefined;
      drag = undefined;
      if (byte !== undefined) options.onClick(segmentAt(map, byte));
    },
    pointercancel: () => {
      drag = undefined;
    },
    pointerleave: () => hover(null),
    wheel: (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const byte = byteAt(event);
        if (byte !== undefined) zoomAt(Math.exp(-event.deltaY * 0.004), byte);
        return;
      }
      const before = from;
      from +=
        Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / rowHeight)) * rowBytes;
      clamp();
      // At its ends the map lets the page scroll.
      if (from === before) return;
      event.preventDefault();
      changed();
    },
    keydown: (event: KeyboardEvent) => {
      const steps: Record<string, () => void> = {
        ArrowDown: () => move(rowBytes),
        ArrowUp: () => move(-rowBytes),
        ArrowRight: () => move(rowBytes / 10),
        ArrowLeft: () => move(-rowBytes / 10),
        PageDown: () => move(rows * rowBytes),
        PageUp: () => move(-rows * rowBytes),
        Home: () => move(-map.size),
        End: () => move(map.size),
        '+': () => zoomAt(2, from + (rows * rowBytes) / 2),
        '=': () => zoomAt(2, from + (rows * rowBytes) / 2),
        '-': () => zoomAt(0.5, from + (rows * rowBytes) / 2),
        '0': () => showWhole(),
      };
      const step = steps[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      step();
    },
  };
  canvas.addEventListener('pointerdown', listeners.pointerdown);
  canvas.addEventListener('pointermove', listeners.pointermove);
  canvas.addEventListener('pointerup', listeners.pointerup);
  canvas.addEventListener('pointercancel', listeners.pointercancel);
  canvas.addEventListener('pointerleave', listeners.pointerleave);
  canvas.addEventListener('wheel', listeners.wheel, { passive: false });
  host.addEventListener('keydown', listeners.keydown);

  function move(bytes: number): void {
    from += bytes;
    changed();
  }

  function showWhole(): void {
    from = 0;
    rowBytes = wholeRow;
    changed();
  }

  const observer = new ResizeObserver(() => {
    fit();
    changed();
  });
  prepare();
  fit();
  observer.observe(host);

  return {
    update(change) {
      Object.assign(options, change);
      if (change.colours) prepare();
      if (change.rows) {
        rowBytes = wholeRow;
        from = 0;
        fit();
        rowBytes = wholeRow;
      } else if (change.strips) fit();
      changed();
    },
    show({ offset, length }) {
      const middle = offset + length / 2;
      const wanted = length / PLACE_SHARE / rows;
      rowBytes = Math.min(wholeRow, Math.max(LEAST_ROW_BYTES, wanted));
      from = middle - (rows * rowBytes) / 2;
      changed();
    },
    zoom: (factor) => zoomAt(factor, from + (rows * rowBytes) / 2),
    whole: showWhole,
    destroy() {
      observer.disconnect();
      clearTimeout(preparing);
      cancelAnimationFrame(frame);
      host.removeEventListener('keydown', listeners.keydown);
      canvas.remove();
      marks.remove();
    },
  };
}

function addCanvas(host: HTMLElement): HTMLCanvasElement {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.style.position = 'absolute';
  canvas.style.inset = '0';
  canvas.style.width = '100%';
  canvas.style.height = '100%';
  host.append(canvas);
  return canvas;
}

/** The context of an empty canvas of the element's size. */
function sized(canvas: HTMLCanvasElement, host: HTMLElement, ratio: number): CanvasRenderingContext2D | null {
  canvas.width = Math.max(1, Math.round(host.clientWidth * ratio));
  canvas.height = Math.max(1, Math.round(host.clientHeight * ratio));
  return canvas.getContext('2d');
}
