import { colourOf, DARK_PALETTE, type Ink, lineInk, PALETTE } from '../drawing/drawing';
import { type CanvasPaint, paintDrawing } from '../drawing/drawing-canvas';
import type { PlotFrame } from '../drawing/frame';
import type { AnyPlot } from '../model';
import type { PanelOptions } from '../panels';
import { plotDrawing } from '../plot-drawing';
import type { PlotWindow } from '../ranges';

/** The crosshair: its place in CSS pixels of the host, and the contents there, one line each. */
export interface Hovered {
  x: number;
  y: number;
  text: string;
}

export interface PagePlotOptions extends PanelOptions {
  dark: boolean;
  /**
   * Whether the plot is filled again after zooming and then gets a new model. `whole`: everything is shown now.
   * `part`: a part is shown, so the view can move out of it.
   */
  refills?: 'whole' | 'part' | undefined;
  /** Indices of the layers that are not drawn. */
  hidden?: ReadonlySet<number> | undefined;
  onHover(at: Hovered | null): void;
  /** Called when the plot reacts to the pointer and can be zoomed. */
  onReady?: (() => void) | undefined;
  /** Called with the places of the main panel whenever they change. */
  onFrame?: ((frame: PlotFrame) => void) | undefined;
  /** Called when the user clicks on a bin or point of a layer. */
  onChoose?: ((layer: number, index: number) => void) | undefined;
  /** Called when the user selects a part. Without it the plot cannot be zoomed. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  /** Called when the user asks for the part that was shown before, or for the one after it. */
  onStep?: ((to: 'back' | 'forward') => void) | undefined;
  /** Called when the user asks to see everything again. */
  onReset?: (() => void) | undefined;
}

/** A plot in an element of a page. It follows the size of the element until it is destroyed. */
export interface PagePlot {
  /** Shows another model, or the same one with other options. */
  update(model: AnyPlot, options: PagePlotOptions): void;
  destroy(): void;
}

type Charts = typeof import('./chart');
let charts: Charts | undefined;

/** Loads the code of interactive plots. Called after the first picture was drawn. */
async function loadCharts(): Promise<Charts> {
  charts ??= await import('./chart');
  return charts;
}

/**
 * Shows `model` in `host`: a picture at once, replaced by an interactive chart as soon as its code is loaded. Colours
 * come from the custom properties `--plot-line`, `--plot-line-2` to `-6`, `--plot-fill`, `--plot-axis` and
 * `--plot-grid` of the host at the time of the call.
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
    // If the code cannot be loaded, the picture stays.
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

/** Returns the size of a plot that `paintPlot` paints in an element. */
export function paintedSize({ clientWidth, clientHeight }: Element): { width: number; height: number } {
  return { width: Math.max(80, clientWidth), height: Math.max(50, clientHeight) };
}

/** Paints a plot on a canvas: a small plot, or one that nobody has used yet. */
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
    const { width, height } = paintedSize(host);
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

/** Returns the colours and the font of a page. */
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
    ...{ ink: axis, faint: axis, grid: read('--plot-grid', 'grid'), paper: read('--raised', 'paper') },
  };
  const area = style.getPropertyValue('--plot-fill').trim() || undefined;
  return { palette, fontFamily: style.fontFamily || 'sans-serif', area };
}
