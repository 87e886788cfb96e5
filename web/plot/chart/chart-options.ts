import uPlot from 'uplot';
import { colourOf, type Shape } from '../drawing/drawing';
import { type CanvasPaint, paintDrawing } from '../drawing/drawing-canvas';
import { frameShapes } from '../drawing/frame';
import { clipped, type Layer, type Panel } from '../panels';
import { type Picture, paintPicture } from './picture';
import type { AxisName, View } from './view';

/** Minimum length in pixels of a drag along an axis. If only one direction is longer, only that axis is zoomed. */
const ONE_WAY = 24;
const MIN_DRAG = 4;

/** The panel that a chart draws, and what it reports about the pointer. */
export interface ChartParts {
  panel(): Panel;
  /** Returns the top and height of the panel within the host. */
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
  /** Picture of the layers from before a gesture, if it is moved instead of drawing the layers again. */
  picture(): Picture | undefined;
  /** Reports how many ms drawing the layers took. */
  took(ms: number): void;
  choose: ((view: View) => void) | undefined;
  reset(): void;
}

/** Returns the options for uPlot: scales, axes, series, crosshair and selection of a panel. */
export function chartOptions(given: ChartParts): uPlot.Options {
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
      // uPlot keeps each key, so only panels that belong together get one.
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
          // Scrolling inside a shadow root is not visible outside of it.
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
          // The other panel shows the selected span, too, without having had an event.
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

/**
 * Returns an axis with the ticks of the model. The hook `drawAxes` draws their labels, which may contain formulas.
 */
function axisOptions(name: AxisName, { panel, strip, paint: { palette } }: ChartParts): uPlot.Axis {
  const axis = () => panel().frame[name];
  const labelled: uPlot.Axis.Filter = (_, splits) => {
    const { ticks, spec } = axis();
    return splits.map((value, i) => (ticks.labels[i] && !spec.bare ? value : null));
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
    // uPlot lays out an axis only if it finds an increment, which needs to fit once.
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
