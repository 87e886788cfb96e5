import type uPlot from 'uplot';
import type { PlotFrame } from '../drawing/frame';
import type { Panel } from '../panels';
import type { AxisName } from './view';

/** The last drawing of a panel. */
export interface Picture {
  canvas: HTMLCanvasElement;
  frame: PlotFrame;
  /** The place of the frame in the picture. */
  bbox: uPlot.BBox;
}

/**
 * If drawing the layers takes more than this many ms, they are drawn again only after a gesture; until then their
 * picture is moved.
 */
export const SLOW = 12;

export function pictureOf({ ctx, bbox }: uPlot, { frame }: Panel): Picture {
  const canvas = document.createElement('canvas');
  canvas.width = ctx.canvas.width;
  canvas.height = ctx.canvas.height;
  canvas.getContext('2d')?.drawImage(ctx.canvas, 0, 0);
  return { canvas, frame, bbox: { ...bbox } };
}

/** Moves a picture to the present position of its axes. */
export function paintPicture(
  { ctx, bbox }: uPlot,
  { canvas, frame: before, bbox: from }: Picture,
  now: PlotFrame,
): void {
  // Linear and logarithmic axes both move and stretch evenly.
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
