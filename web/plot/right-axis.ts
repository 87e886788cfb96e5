import { type Box, sideAxis } from './drawing/axes';
import { axisBeside, layFrame } from './drawing/frame';
import { axisPower } from './drawing/ticks';
import type { GraphModel, LogAxes, Range } from './model';
import { type Axes, layersOf, type Panel } from './panels';
import { shownRanges } from './ranges';

/** Room for the axis at the right. */
const RIGHT = 70;

/** Lays out a graph with a second axis on the right. Both are zoomed together. */
export function panelWithRight(
  model: GraphModel,
  area: Box,
  axes: Axes,
  { log, x }: { log: LogAxes; x: Range },
): Panel {
  const { title = '', ink = 'ink', most: end = 0 } = model.right ?? {};
  const most = [model, ...(model.overlays ?? [])].reduce(
    (found, { y, onRight }) => (onRight ? y.reduce((one, value) => Math.max(one, value), found) : found),
    end,
  );
  const frame = layFrame(area, axes.x, axes.y, { right: RIGHT, factor: axisPower(most || 1) !== 0 });
  const whole = shownRanges(model, log, { x }, true).y;
  const all = axisBeside(frame, { ...axes.y, range: whole });
  const share = (value: number) =>
    (all.toPixel(value) - frame.box.bottom) / (frame.box.top - frame.box.bottom);
  const [low, high] = axes.y.range.map((value) => share(value) * 1.05 * (most || 1)) as Range;
  const right = axisBeside(frame, { range: [low, high], log: false, title });
  return {
    frame,
    layers: layersOf(model, log.y, { frame, right }),
    beside: sideAxis(frame.box, 'right', right.ticks, right.toPixel, title, ink, axes.y),
  };
}
