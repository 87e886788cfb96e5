import uPlot from 'uplot';
import { colourOf, type Shape } from '../drawing/drawing';
import { type CanvasPaint, paintDrawing } from '../drawing/drawing-canvas';
import { frameShapes, type PlotFrame } from '../drawing/frame';
import { type AnyPlot, edgeRange } from '../model';
import type { PagePlot, PagePlotOptions } from '../page-plot';
import { clipped, type Layer, type Panel, panelsOf } from '../panels';
import { plotRoom } from '../plot-drawing';
import { type PlotWindow, wholeRange } from '../ranges';
import chartCss from './chart.css?inline';
import { listenToGestures, type Stage } from './gestures';
import { cellAt, nearestOf } from './hover';
import { type Hit, readoutOf } from './readout';
import { type AxisName, keptWithin, rounded, type View, valuesOf } from './view';

/** A panel of a plot in the page, as uPlot draws it. */
interface Mounted {
  chart: uPlot;
  stop(): void;
}

/** A chart, with its parts for tests. */
export interface Chart extends PagePlot {
  readonly charts: readonly uPlot[];
  readonly panels: readonly Panel[];
}

/** A drag that is shorter along an axis than this does not zoom it where it is longer along the other. */
const ONE_WAY = 24;
const MIN_DRAG = 4;

let mounted = 0;
let sheet: CSSStyleSheet | undefined;

/** Gives the page or the shadow root around an element the styles of charts. */
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
 * Draws a plot by uPlot, a chart for each of its panels. The model lays out the panels and says ranges, ticks and shapes;
 * uPlot has the scales, the axes, the crosshair and what is chosen by dragging. The host tells the kind of the plot, and
 * the places of its axes (`data-kind`, `data-frames`: left, top, right, bottom in CSS pixels).
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
  /** A gesture is under way. */
  let busy = false;
  let hovered: { i: number; left: number; top: number } | undefined;
  /** The chosen part is being filled. */
  let awaited = false;
  /** The ms that the layers took, and what is moved in their place during a gesture when those are many. */
  let spent = 0;
  let slow = false;
  let pictures: Picture[] = [];
  let frameId = 0;

  const sizeNow = () => ({
    width: Math.max(120, host.clientWidth),
    height: Math.max(100, host.clientHeight),
  });
  let size = sizeNow();

  /** Whether zooming may leave what is there, because it is filled anew. */
  const isFree = () => options.refills === 'part';
  const layOut = () => {
    panels = panelsOf(model, plotRoom(size), { ...options, window, free: isFree() || awaited });
    const places = panels.map(({ frame: { box } }) => [box.left, box.top, box.right, box.bottom].join(' '));
    Object.assign(host.dataset, { kind: model.kind, frames: places.join(',') });
  };
  /** The rows of the host from `top` on that a panel has. */
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
        // The axes are laid out again also where their ranges are the same.
        chart.redraw(false, true);
        chart.setData(dataOf(panels[i]));
      });
    });
    if (pictures.length === 0) slow = spent > SLOW;
    // Other contents may have come below the pointer.
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
    if (slow && pictures.length === 0)
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

  /** The y axis of bins and points has no ends. */
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

  /** The layers below a place; of points of a graph the nearest ones alone. */
  function hitsAt(at: { x: number; y: number }): Hit['hits'] {
    const [main] = panels;
    if (main === undefined) return [];
    const found = main.layers.flatMap((layer, i) => {
      const near = options.hidden?.has(i) ? undefined : nearestOf(model, layer, main.frame, at);
      return near === undefined ? [] : [{ layer: i, isLine: layer.isLine === true, ...near }];
    });
    if (model.kind !== 'graph') return found;
    const own = main.layers.length - (model.curves?.length ?? 0);
    const points = found.filter(({ layer }) => layer < own);
    const nearest = points.sort((a, b) => Number(a.isLine) - Number(b.isLine) || a.distance - b.distance);
    return [...nearest.slice(0, 1), ...found.filter(({ layer }) => layer >= own)];
  }

  function build(): void {
    for (const { chart, stop } of parts) {
      stop();
      chart.destroy();
    }
    hover(0, -1, -1);
    cancelAnimationFrame(frameId);
    frameId = 0;
    busy = false;
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
      look: (view) => options.onZoom !== undefined && look(now().frame, view, i === 0),
      settle,
      reset,
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

  /** The crosshair moves to the next bin or point of what is drawn first, from the middle when it was nowhere. */
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

/** A place of the frame of a panel as one of the host. */
function placeOf({ frame: { box } }: Panel, { left, top }: { left: number; top: number }) {
  return { x: box.left + left, y: box.top + Math.max(0, top) };
}

/** A panel as it was drawn last. */
interface Picture {
  canvas: HTMLCanvasElement;
  frame: PlotFrame;
  /** The place of the frame in it. */
  bbox: uPlot.BBox;
}

/** Layers that take more ms than this are drawn again when a gesture is over; until then their picture is moved. */
const SLOW = 12;

function pictureOf({ ctx, bbox }: uPlot, { frame }: Panel): Picture {
  const canvas = document.createElement('canvas');
  canvas.width = ctx.canvas.width;
  canvas.height = ctx.canvas.height;
  canvas.getContext('2d')?.drawImage(ctx.canvas, 0, 0);
  return { canvas, frame, bbox: { ...bbox } };
}

/** Puts a picture to where its axes are now. */
function paintPicture(
  { ctx, bbox }: uPlot,
  { canvas, frame: before, bbox: from }: Picture,
  now: PlotFrame,
): void {
  // Both kinds of axes move and stretch evenly.
  const placed = (axis: AxisName): [from: number, length: number] => {
    const log = now[axis].spec.log;
    const to = (value: number) => (log ? Math.log(value) : value);
    const [low, high] = now[axis].spec.range.map(to) as [number, number];
    const [first, last] = before[axis].spec.range.map((value) => (to(value) - low) / (high - low)) as [
      number,
      number,
    ];
    return axis === 'x'
      ? [bbox.left + first * bbox.width, (last - first) * bbox.width]
      : [bbox.top + (1 - last) * bbox.height, (last - first) * bbox.height];
  };
  const [[x, wide], [y, tall]] = [placed('x'), placed('y')];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(canvas, from.left, from.top, from.width, from.height, x, y, wide, tall);
  ctx.restore();
}

/** The text that differs where charts need other series. */
function layersText(panels: readonly Panel[]): string {
  return panels
    .map(({ layers }) => layers.map(({ title, ink }) => `${ink} ${title}`).join('\n'))
    .join('\n\n');
}

/** The places of the layers; one without any still has one, because uPlot draws nothing else. */
function dataOf(panel: Panel | undefined): uPlot.AlignedData {
  const nowhere = Float64Array.of(Number.NaN);
  const series = (panel?.layers ?? []).map(({ x, y }) => (x.length > 0 ? [x, y] : [nowhere, nowhere]));
  // In the mode of independent series each has its own x, which the declarations of uPlot leave out.
  return [null, ...series] as unknown as uPlot.AlignedData;
}

interface ChartParts {
  panel(): Panel;
  /** The rows of the host that the panel has. */
  strip(): { top: number; height: number };
  paint: CanvasPaint;
  log: { x: boolean; y: boolean };
  width: number;
  syncKey: string | undefined;
  isMap: boolean;
  isMain: boolean;
  hidden?: ReadonlySet<number> | undefined;
  indexAt(layer: Layer, place: { x: number; y: number }): number | undefined;
  hover(left: number, top: number): void;
  /** The picture of the layers from before a gesture, where it is moved in their place. */
  picture(): Picture | undefined;
  /** Told how many ms a layer took. */
  took(ms: number): void;
  choose: ((view: View) => void) | undefined;
  reset(): void;
}

function chartOptions(given: ChartParts): uPlot.Options {
  const { panel, strip, paint, log, syncKey, isMap, choose } = given;
  const { palette } = paint;
  const paintShapes = ({ ctx }: uPlot, shapes: Shape[]) => {
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, -strip().top * ratio);
    paintDrawing(ctx, { shapes }, paint);
    ctx.restore();
  };
  const range = (axis: AxisName): uPlot.Scale => ({
    time: false,
    distr: log[axis] && !isMap ? 3 : 1,
    range: () => panel().frame[axis].spec.range,
  });
  const { layers } = panel();
  return {
    mode: 2,
    width: given.width,
    height: strip().height,
    padding: [
      () => panel().frame.box.top - strip().top,
      (chart) => (chart.width ?? given.width) - panel().frame.box.right,
      () => 0,
      () => 0,
    ],
    legend: { show: false },
    scales: { x: range('x'), y: range('y') },
    axes: [axisOptions('x', given), axisOptions('y', given)],
    series: [
      null as unknown as uPlot.Series,
      ...layers.map(
        ({ title, ink }, i): uPlot.Series => ({
          label: title,
          auto: false,
          show: !given.hidden?.has(i),
          stroke: colourOf(ink, palette),
          facets: [{ scale: 'x' }, { scale: 'y' }],
          points: { show: false },
          paths(chart) {
            if (given.picture() !== undefined) return null;
            const start = performance.now();
            const { frame, layers } = panel();
            paintShapes(chart, [clipped(frame, layers[i]?.shapes(frame) ?? [])]);
            given.took(performance.now() - start);
            return null;
          },
        }),
      ),
    ],
    select: { show: choose !== undefined, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: true,
      points: { size: 7 },
      drag: { x: true, y: given.isMain, uni: ONE_WAY, dist: MIN_DRAG, setScale: false },
      // uPlot keeps each key: only panels that belong together have one.
      ...(syncKey && {
        sync: { key: syncKey, scales: ['x', 'y'], match: [(own, other) => own === other, () => false] },
      }),
      dataIdx(chart, i) {
        const { frame, layers } = panel();
        const { left = -1, top: down = -1 } = chart.cursor;
        const layer = layers[i - 1];
        if (layer === undefined || left < 0) return null;
        return given.indexAt(layer, { x: frame.box.left + left, y: frame.box.top + down }) ?? null;
      },
      bind: {
        mousedown: (_, target, handler) => (event) =>
          event.button === 0 && !event.shiftKey && event.target === target ? handler(event) : null,
        mousemove: (chart, _, handler) => (event) => {
          // Scrolling within an element's shadow root is told to nobody outside.
          chart.syncRect(true);
          return handler(event);
        },
        dblclick: () => () => {
          given.reset();
          return null;
        },
      },
    },
    hooks: {
      drawAxes: [
        (chart) => {
          paintShapes(chart, frameShapes(panel().frame).filter(isText));
          const picture = given.picture();
          if (picture !== undefined) paintPicture(chart, picture, panel().frame);
        },
      ],
      draw: [(chart) => paintShapes(chart, panel().beside)],
      setCursor: [({ cursor }) => cursor.event != null && given.hover(cursor.left ?? -1, cursor.top ?? -1)],
      setSelect: [
        (chart) => {
          const { left, top: down, width, height } = chart.select;
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          // The other panel shows what is chosen, too, without an event of its own.
          if (chart.cursor.event == null || width + height === 0) return;
          const { box } = panel().frame;
          const whole = { x: width >= box.right - box.left - 1, y: height >= box.bottom - box.top - 1 };
          choose?.({
            ...(!whole.x && { x: [box.left + left, box.left + left + width] }),
            ...(!whole.y && given.isMain && { y: [box.top + down + height, box.top + down] }),
          });
        },
      ],
    },
  };
}

const isText = (shape: Shape): boolean => shape.kind === 'text';

/** An axis with the ticks of the model; the hook `drawAxes` writes their labels, which may have parts of formulas. */
function axisOptions(name: AxisName, { panel, strip, paint: { palette } }: ChartParts): uPlot.Axis {
  const axis = () => panel().frame[name];
  const labelled: uPlot.Axis.Filter = (_, splits) => {
    const { ticks, spec } = axis();
    return splits.map((value, i) => (ticks.labels[i] && spec.names === undefined ? value : null));
  };
  return {
    scale: name,
    side: name === 'x' ? 2 : 3,
    size() {
      const { box } = panel().frame;
      const { top, height } = strip();
      return name === 'x' ? top + height - box.bottom : box.left;
    },
    gap: 0,
    // uPlot lays out an axis only where it finds an increment, which needs to fit once.
    incrs: (_, __, low, high) => [Math.max(5, high - low)],
    splits: () => axis().ticks.values,
    filter: (_, splits) => splits,
    values: (_, splits) => splits.map(() => null),
    stroke: palette.ink,
    ticks: { size: 4, width: 1, stroke: palette.ink },
    grid: { width: 1, stroke: palette.grid, filter: labelled },
    border: { show: true, width: 1, stroke: palette.ink },
  };
}
