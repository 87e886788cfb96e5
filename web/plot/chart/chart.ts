import uPlot from 'uplot';
import type { CanvasPaint } from '../drawing/drawing-canvas';
import type { PlotFrame } from '../drawing/frame';
import { type AnyPlot, edgeRange } from '../model';
import { type Panel, panelsOf } from '../panels';
import { plotRoom } from '../plot-drawing';
import { type PlotWindow, wholeRange } from '../ranges';
import chartCss from './chart.css?inline';
import { chartOptions } from './chart-options';
import { listenToGestures, type Stage } from './gestures';
import { cellAt, hitsOf, nearestOf } from './hover';
import type { PagePlot, PagePlotOptions } from './page-plot';
import { type Picture, pictureOf, SLOW } from './picture';
import { type Hit, readoutOf } from './readout';
import { type AxisName, keptWithin, rounded, type View, valuesOf } from './view';

/** One panel of a plot, drawn by uPlot. */
interface Mounted {
  chart: uPlot;
  stop(): void;
}

/** A chart, with access to its parts for tests. */
export interface Chart extends PagePlot {
  readonly charts: readonly uPlot[];
  readonly panels: readonly Panel[];
}

let mounted = 0;
let sheet: CSSStyleSheet | undefined;

/** Adds the styles of charts to the page or to the shadow root of an element. */
function dress(host: HTMLElement): void {
  const root = host.getRootNode();
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(chartCss);
  }
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/**
 * Draws a plot by uPlot, one chart for each panel. The model gives layout, ranges, ticks and shapes; uPlot does
 * scales, axes, crosshair and selection by dragging. The host gets the attributes `data-kind` (kind of the plot) and
 * `data-frames` (places of the axes: left, top, right, bottom in CSS pixels).
 */
export function mountChart(
  host: HTMLElement,
  first: AnyPlot,
  given: PagePlotOptions,
  paint: CanvasPaint,
): Chart {
  dress(host);
  let ownKey: string | undefined;
  const syncKey = () => (ownKey ??= `xylem ${mounted++}`);
  let model = first;
  let options = given;
  let window: PlotWindow = given.window ?? {};
  let panels: Panel[] = [];
  let parts: Mounted[] = [];
  /** Whether a gesture is under way. */
  let busy = false;
  let hovered: { i: number; left: number; top: number } | undefined;
  /** Whether the selected part is being filled. */
  let awaited = false;
  /** Duration of the last drawing of the layers in ms, and the picture that is moved instead if that was long. */
  let spent = 0;
  let pictures: Picture[] = [];
  let frameId = 0;

  const sizeNow = () => ({
    width: Math.max(120, host.clientWidth),
    height: Math.max(100, host.clientHeight),
  });
  let size = sizeNow();

  /** Whether zooming out of the present range is possible, because the plot is filled again. */
  const isFree = () => options.refills === 'part';
  const layOut = () => {
    panels = panelsOf(model, plotRoom(size), { ...options, window, free: isFree() || awaited });
    const places = panels.map(({ frame: { box } }) => [box.left, box.top, box.right, box.bottom].join(' '));
    Object.assign(host.dataset, { kind: model.kind, frames: places.join(',') });
    const [main] = panels;
    if (main !== undefined) options.onFrame?.(main.frame);
  };
  /** Returns the rows of the host for a panel, starting at `top`. */
  const stripOf = (i: number): { top: number; height: number } => {
    const end = (k: number) => (k < panels.length - 1 ? (panels[k]?.frame.box.bottom ?? 0) + 6 : size.height);
    const top = i === 0 ? 0 : end(i - 1);
    return { top, height: end(i) - top };
  };

  function draw(): void {
    cancelAnimationFrame(frameId);
    frameId = 0;
    spent = 0;
    parts.forEach(({ chart }, i) => {
      const { top, height } = stripOf(i);
      chart.root.style.top = `${top}px`;
      chart.batch(() => {
        chart.setSize({ width: size.width, height });
        // The axes are laid out again even if their ranges are the same.
        chart.redraw(false, true);
        chart.setData(dataOf(panels[i]));
      });
    });
    // The contents below the pointer may have changed.
    if (hovered !== undefined) hover(hovered.i, hovered.left, hovered.top);
  }

  function look(frame: PlotFrame, view: View, isMain: boolean): boolean {
    const next: PlotWindow = { ...window };
    for (const axis of ['x', 'y'] as const) {
      const span = view[axis];
      if (span === undefined || (axis === 'y' && !isMain)) continue;
      const range = valuesOf(frame, axis, span);
      if (range === undefined) return false;
      next[axis] = isFree() ? range : keptInContents(axis, range);
    }
    if (String([next.x, next.y]) === String([window.x, window.y])) return false;
    if (spent > SLOW && pictures.length === 0)
      pictures = parts.flatMap(({ chart }, i) =>
        panels.slice(i, i + 1).map((panel) => pictureOf(chart, panel)),
      );
    window = next;
    busy = true;
    layOut();
    frameId ||= requestAnimationFrame(draw);
    return true;
  }

  const isLog = (axis: AxisName) => options.log[axis] && model.kind !== 'map';

  /** Limits a range to the contents. The y axis of bins and points has no limits. */
  function keptInContents(axis: AxisName, range: [number, number]): [number, number] | undefined {
    if (axis === 'y' && model.kind !== 'map') return range;
    const log = isLog(axis);
    const whole =
      axis === 'y' && model.kind === 'map' ? edgeRange(model.yEdges, false) : wholeRange(model, log);
    return keptWithin(range, whole, log);
  }

  function settle(): void {
    if (!busy) return;
    busy = false;
    pictures = [];
    // Keys then act on the plot that was zoomed.
    if (!host.contains(host.ownerDocument.activeElement)) host.focus({ preventScroll: true });
    const { x, y } = window;
    window = { x: x && rounded(x, isLog('x')), y: y && rounded(y, isLog('y')) };
    awaited = options.refills !== undefined && (x !== undefined || model.kind === 'map');
    layOut();
    draw();
    options.onZoom?.(window);
  }

  function reset(): void {
    busy = false;
    pictures = [];
    if (!isFree()) window = {};
    layOut();
    draw();
    options.onReset?.();
  }

  function hover(i: number, left: number, top: number): void {
    const panel = panels[i];
    hovered = panel === undefined || left < 0 ? undefined : { i, left, top };
    if (panel === undefined || left < 0) {
      options.onHover(null);
      return;
    }
    const at = placeOf(panel, { left, top });
    const hits = hitsAt(at);
    const cell = cellAt(model, panel.frame, at);
    const text = readoutOf(model, panels[0]?.layers ?? [], { hits, cell });
    options.onHover(text === '' ? null : { text, ...at });
  }

  function hitsAt(at: { x: number; y: number }): Hit['hits'] {
    const [main] = panels;
    return main === undefined ? [] : hitsOf(model, main, at, options.hidden);
  }

  function build(): void {
    for (const { chart, stop } of parts) {
      stop();
      chart.destroy();
    }
    hover(0, -1, -1);
    cancelAnimationFrame(frameId);
    frameId = 0;
    pictures = [];
    layOut();
    parts = panels.map((panel, i) => mountPanel(panel, i));
  }

  function mountPanel(panel: Panel, i: number): Mounted {
    const now = () => panels[i] ?? panel;
    const stage: Stage = {
      get frame() {
        return now().frame;
      },
      axes: model.kind === 'map' ? ['x', 'y'] : ['x'],
      get zooms() {
        return options.onZoom !== undefined;
      },
      look: (view) => options.onZoom !== undefined && look(now().frame, view, i === 0),
      settle,
      reset,
      stepBack: (to) => options.onStep?.(to),
      point: (place) => point(chart, now(), place),
      step: (by) => step(chart, now(), by),
    };
    const chart = new uPlot(
      chartOptions({
        ...{ panel: now, strip: () => stripOf(i), paint, syncKey: panels.length > 1 ? syncKey() : undefined },
        ...{ width: size.width, isMap: model.kind === 'map', isMain: i === 0 },
        ...(i === 0 ? { log: options.log, hidden: options.hidden } : { log: { ...options.log, y: false } }),
        indexAt: (layer, place) => nearestOf(model, layer, now().frame, place)?.index,
        hover: (left, y) => hover(i, left, y),
        picture: () => pictures[i],
        took: (ms) => (spent += ms),
        choose: options.onZoom && ((view) => look(now().frame, view, i === 0) && settle()),
        reset,
      }),
      dataOf(panel),
      host,
    );
    chart.root.style.top = `${stripOf(i).top}px`;
    const [x, y] = chart.root.querySelectorAll<HTMLElement>('.u-axis');
    chart.over.addEventListener('click', () => {
      const [hit] = hovered === undefined ? [] : hitsAt(placeOf(now(), hovered));
      if (hit !== undefined) options.onChoose?.(hit.layer, hit.index);
    });
    const main = i === 0 ? { axes: { x, y }, keys: host } : { axes: { x } };
    const stop = listenToGestures(stage, { host, over: chart.over, ...main });
    return { chart, stop };
  }

  function point(chart: uPlot, { frame }: Panel, { x, y }: { x: number; y: number }): void {
    const [left, top] = [x - frame.box.left, y - frame.box.top];
    for (const other of parts) other.chart.setCursor({ left, top: other.chart === chart ? top : -10 }, false);
    hover(0, left, top);
  }

  /** Moves the crosshair to the next bin or point of the first layer; from the middle if there was no crosshair. */
  function step(chart: uPlot, panel: Panel, by: number): void {
    const [layer] = panel.layers;
    const { box, x, y } = panel.frame;
    const left = chart.cursor.left ?? -1;
    const at = left < 0 ? (box.left + box.right) / 2 : box.left + left;
    const places = Array.from(layer?.x ?? [], (value, i) => [x.toPixel(value), layer?.y[i] ?? 0] as const)
      .filter(([place]) => place >= box.left && place <= box.right)
      .filter(([place]) => (place - at) * by > 0.01)
      .sort(([a], [b]) => (a - b) * by);
    const [next] = places;
    if (next !== undefined) point(chart, panel, { x: next[0], y: y.toPixel(next[1]) });
  }

  build();
  const observer = new ResizeObserver(() => {
    const next = sizeNow();
    if (next.width === size.width && next.height === size.height) return;
    size = next;
    pictures = [];
    layOut();
    draw();
  });
  observer.observe(host);

  return {
    get charts() {
      return parts.map(({ chart }) => chart);
    },
    get panels() {
      return panels;
    },
    update(next, changed) {
      const before = [panels.length, model.kind, options.log.x, options.log.y, layersText(panels)].join();
      const isNew = next !== model;
      if (isNew) awaited = false;
      model = next;
      options = changed;
      if (!busy && !awaited) window = changed.window ?? {};
      layOut();
      const after = [panels.length, model.kind, options.log.x, options.log.y, layersText(panels)].join();
      if (before !== after) return build();
      for (const [i] of (panels[0]?.layers ?? []).entries()) {
        const show = !options.hidden?.has(i);
        if (parts[0]?.chart.series[i + 1]?.show !== show) parts[0]?.chart.setSeries(i + 1, { show }, false);
      }
      draw();
    },
    destroy() {
      busy = false;
      observer.disconnect();
      cancelAnimationFrame(frameId);
      for (const { chart, stop } of parts) {
        stop();
        chart.destroy();
      }
      delete host.dataset.frames;
    },
  };
}

/** Converts a place in the frame of a panel to a place in the host. */
function placeOf({ frame: { box } }: Panel, { left, top }: { left: number; top: number }) {
  return { x: box.left + left, y: box.top + Math.max(0, top) };
}

/** Returns a text that changes whenever the chart needs different series. */
function layersText(panels: readonly Panel[]): string {
  return panels
    .map(({ layers }) => layers.map(({ title, ink }) => `${ink} ${title}`).join('\n'))
    .join('\n\n');
}

/**
 * Returns positions for the series of uPlot. A panel without layers gets one, because uPlot draws nothing otherwise.
 */
function dataOf(panel: Panel | undefined): uPlot.AlignedData {
  const nowhere = Float64Array.of(Number.NaN);
  const series = (panel?.layers ?? []).map(({ x, y }) => (x.length > 0 ? [x, y] : [nowhere, nowhere]));
  // In the mode of independent series each has its own x, which the declarations of uPlot leave out.
  return [null, ...series] as unknown as uPlot.AlignedData;
}
