import type { MapColours } from '../work/file-map-colours';
import type { MapPlace, MapRows } from '../work/file-map-place';
import type { StripLayers } from '../work/file-map-reads';
import { mapLayer } from '../work/file-map-texture';
import { createMapWindow } from '../work/file-map-window';
import { type FileMap, segmentAt } from '../work/map';
import { listenToMap } from './file-map-input';
import { type MapLayers, paintLabels, paintMarks, paintRows } from './file-map-paint';

export interface MapCanvasOptions {
  /** Called in a separate task, because it takes long for a large file. */
  colours: () => MapColours;
  rows: MapRows;
  /** Positions of marks: where clusters begin. */
  borders: Float64Array;
  /** The reads, as strips below each row. */
  strips: readonly StripLayers[];
  /** A place that is outlined. */
  place: MapPlace | undefined;
  onHover(segment: number | null, byte: number): void;
  /** A piece was clicked, or chosen by a key. */
  onClick(segment: number): void;
  /** Called to go to the outlined piece. */
  onFollow(): void;
  /** Called when the visible part changed. `whole`: it is the whole file. */
  onWindow(from: number, to: number, whole: boolean): void;
}

/** A map on the page. */
export interface MapCanvas {
  update(change: Partial<Pick<MapCanvasOptions, 'colours' | 'rows' | 'borders' | 'strips' | 'place'>>): void;
  /** Zooms in to a place and its surroundings. */
  show(place: MapPlace): void;
  /** Zooms about the middle; 2 shows half as much. */
  zoom(factor: number): void;
  whole(): void;
  destroy(): void;
}

/** Draws the map of a file on canvases within `host`; it follows the element's size. */
export function mountFileMap(host: HTMLElement, map: FileMap, initial: MapCanvasOptions): MapCanvas {
  const options = { ...initial };
  const canvas = addCanvas(host);
  const marks = addCanvas(host);
  marks.style.pointerEvents = 'none';
  const window = createMapWindow(map.size);
  /** The colours that are drawn; undefined until they are prepared. */
  let layers: MapLayers | undefined;
  let preparing: ReturnType<typeof setTimeout> | undefined;
  let hovered = -1;
  let frame = 0;

  /** Makes the layers in tasks of their own; until then the old ones are shown. */
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

  function fit(): void {
    const size = { width: host.clientWidth, height: host.clientHeight };
    window.fit(size, options.rows, options.strips.length);
  }

  function changed(): void {
    const to = Math.min(map.size, window.end);
    options.onWindow(window.from, to, window.from === 0 && to === map.size);
    if (frame === 0) frame = requestAnimationFrame(draw);
  }

  function draw(): void {
    frame = 0;
    const ctx = sized(canvas, host, devicePixelRatio);
    if (ctx !== null && layers !== undefined) {
      paintRows(ctx, window, layers, options.strips);
      paintLabels(ctx, window, map.size, getComputedStyle(host));
    }
    drawMarks();
    if (layers !== undefined && preparing === undefined) host.setAttribute('aria-busy', 'false');
  }

  function drawMarks(): void {
    const ctx = sized(marks, host, devicePixelRatio);
    const { borders, place } = options;
    if (ctx !== null) paintMarks(ctx, window, map, { borders, place, hovered }, getComputedStyle(host));
  }

  const stopListening = listenToMap(canvas, host, window, {
    changed,
    hover(byte) {
      const next = byte === undefined ? -1 : segmentAt(map, byte);
      if (next !== hovered) {
        hovered = next;
        drawMarks();
      }
      options.onHover(next < 0 ? null : next, byte ?? 0);
    },
    click: (byte) => options.onClick(segmentAt(map, byte)),
    step(by) {
      const { place } = options;
      const next = place === undefined ? segmentAt(map, window.middle()) : segmentAt(map, place.offset) + by;
      if (next < 0 || next >= map.count) return;
      options.onClick(next);
      const start = map.start[next] ?? 0;
      if (start < window.from || start >= window.end)
        window.moveTo(start - (window.rows * window.rowBytes) / 2);
    },
    follow: () => options.onFollow(),
  });
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
      if (change.rows || change.strips) fit();
      if (change.rows) window.showWhole();
      changed();
    },
    show(place) {
      window.show(place);
      changed();
    },
    zoom(factor) {
      window.zoomAt(factor, window.middle());
      changed();
    },
    whole() {
      window.showWhole();
      changed();
    },
    destroy() {
      observer.disconnect();
      clearTimeout(preparing);
      cancelAnimationFrame(frame);
      stopListening();
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
