import { colourOf, DARK_PALETTE, type Ink, lineInk, PALETTE } from '../drawing/drawing';
import { type CanvasPaint, paintDrawing } from '../drawing/drawing-canvas';
import type { AnyPlot } from '../model';
import type { PanelOptions } from '../panels';
import { plotDrawing } from '../plot-drawing';
import type { PlotWindow } from '../ranges';

/** The crosshair: its place in CSS pixels of the host, and the contents there, a line for each. */
export interface Hovered {
  x: number;
  y: number;
  text: string;
}

export interface PagePlotOptions extends PanelOptions {
  dark: boolean;
  /**
   * Whether what is zoomed to is filled anew, after which another model comes: `whole` when everything is shown now,
   * `part` when it is a part that one can move away from.
   */
  refills?: 'whole' | 'part' | undefined;
  /** The layers that are not drawn, by index. */
  hidden?: ReadonlySet<number> | undefined;
  onHover(at: Hovered | null): void;
  /** The plot can be pointed at and zoomed. */
  onReady?: (() => void) | undefined;
  /** The user clicked at a bin or point of a layer. */
  onChoose?: ((layer: number, index: number) => void) | undefined;
  /** The user chose a part. Without it nothing zooms. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  /** The user asked for everything again. */
  onReset?: (() => void) | undefined;
}

/** A plot in an element of a page; it follows the element's size until destroyed. */
export interface PagePlot {
  /** Shows another model, or the same one otherwise. */
  update(model: AnyPlot, options: PagePlotOptions): void;
  destroy(): void;
}

type Charts = typeof import('./chart');
let charts: Charts | undefined;

/** Loads the code for plots that react to the pointer, after the first picture of one is drawn. */
async function loadCharts(): Promise<Charts> {
  charts ??= await import('./chart');
  return charts;
}

/**
 * Shows `model` in `host`: a picture at once, and in its place the chart that is zoomed and pointed at, as soon as its
 * code is there. Colours come from the custom properties `--plot-line`, `--plot-line-2` to `-6`, `--plot-fill`,
 * `--plot-axis` and `--plot-grid` of the host at the time of the call.
 */
export function mountPlot(host: HTMLElement, model: AnyPlot, options: PagePlotOptions): PagePlot {
  let now = { model, options };
  let isGone = false;
  const chartNow = (made: Charts): PagePlot => {
    const { model, options } = now;
    const chart = made.mountChart(host, model, options, paintOf(host, options.dark));
    options.onReady?.();
    return chart;
  };
  let shown: Pick<PagePlot, 'destroy'> & Partial<PagePlot> = charts
    ? chartNow(charts)
    : paintPlot(host, model, options);
  if (charts === undefined) {
    // Without the chart the picture stays.
    const take = (made: Charts): void => {
      if (isGone) return;
      const picture = shown;
      shown = chartNow(made);
      picture.destroy();
    };
    requestAnimationFrame(() => setTimeout(() => loadCharts().then(take, () => undefined)));
  }
  return {
    update(model, options) {
      const isRecoloured = options.dark !== now.options.dark;
      now = { model, options };
      if (shown.update !== undefined && !isRecoloured) return shown.update(model, options);
      shown.destroy();
      shown = charts ? chartNow(charts) : paintPlot(host, model, options);
    },
    destroy() {
      isGone = true;
      shown.destroy();
    },
  };
}

/** Paints a plot on a canvas: a small one, or one that nobody has touched yet. */
export function paintPlot(
  host: HTMLElement,
  model: AnyPlot,
  options: PanelOptions & { dark: boolean },
  paint = paintOf(host, options.dark),
): Pick<PagePlot, 'destroy'> {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.className = 'plot-canvas';
  host.append(canvas);
  let size = '';
  const draw = () => {
    const width = Math.max(120, host.clientWidth);
    const height = Math.max(100, host.clientHeight);
    const ratio = devicePixelRatio;
    if (size === `${width} ${height} ${ratio}`) return;
    size = `${width} ${height} ${ratio}`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext('2d');
    ctx?.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (ctx) paintDrawing(ctx, plotDrawing(model, { width, height }, options), paint);
  };
  draw();
  const observer = new ResizeObserver(draw);
  observer.observe(host);
  return {
    destroy() {
      observer.disconnect();
      canvas.remove();
    },
  };
}

/** Colours and font of a page. */
export function paintOf(host: HTMLElement, dark: boolean): CanvasPaint {
  const style = getComputedStyle(host);
  const base = dark ? DARK_PALETTE : PALETTE;
  const read = (name: string, ink: Ink) => style.getPropertyValue(name).trim() || colourOf(ink, base);
  const lines = Array.from({ length: 6 }, (_, i) => {
    const ink = lineInk(i);
    return [ink, read(i === 0 ? '--plot-line' : `--plot-line-${i + 1}`, ink)] as const;
  });
  const axis = read('--plot-axis', 'faint');
  const palette = {
    ...base,
    ...(Object.fromEntries(lines) as Record<Ink, string>),
    ...{ ink: axis, faint: axis, grid: read('--plot-grid', 'grid') },
  };
  const area = style.getPropertyValue('--plot-fill').trim() || undefined;
  return { palette, fontFamily: style.fontFamily || 'sans-serif', area };
}
