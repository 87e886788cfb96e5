import type { Box } from '../drawing/axes';
import { lineInk, short } from '../drawing/drawing';
import { type AxisSpec, type FrameOptions, layFrame, type PlotFrame } from '../drawing/frame';
import type { PlotModel, Range } from '../model';
import { type Axes, type Layer, layersOf, NOWHERE, type Panel } from '../panels';
import { type PlotRanges, shownRanges } from '../ranges';

/** Fraction of the height for the panel below the plot; more if that would be too few pixels. */
const RATIO = 0.3;
const MAX_RATIO = 0.45;
const RATIO_PIXELS = 115;
/** Pixels between a plot and the panel below. */
const PANEL_GAP = 8;

/** How a panel below is drawn, where it is not the default. */
export interface LowerLook {
  /** Its part of the height. */
  share?: number | undefined;
  range?: Range | undefined;
  /** Where lines go across. */
  lines?: readonly number[] | undefined;
}

/** A plot in a panel, and `lower` in one below it. */
export function panelsWith(
  lower: PlotModel,
  level: number,
  look: LowerLook = {},
): (area: Box, axes: Axes, ranges: PlotRanges, layers: Layer[]) => Panel[] {
  return (area, axes, ranges, layers) => {
    const [above, under] = twoFrames(area, axes, { lower, level, look }, ranges);
    return [
      { frame: above, layers, beside: [] },
      {
        frame: under,
        layers: [...(look.lines ?? [level]).map(levelLine), ...layersOf(lower, false)],
        beside: [],
      },
    ];
  };
}

/** Returns the line at the ratio or difference of two equal contents. */
function levelLine(level: number): Layer {
  return {
    ...{ title: '', ink: lineInk(0), x: NOWHERE, y: NOWHERE, isLine: true },
    shapes({ box, y }) {
      const d = `M${box.left} ${short(y.toPixel(level))}H${box.right}`;
      return [{ kind: 'path', d, stroke: 'faint', dash: '4 3' }];
    },
  };
}

/** Lays out the plot and the panel below it, with the same left edge. */
function twoFrames(
  area: Box,
  axes: Axes,
  { lower, level, look }: { lower: PlotModel; level: number; look: LowerLook },
  ranges: PlotRanges,
): [above: PlotFrame, below: PlotFrame] {
  const tall = area.bottom - area.top;
  const share = look.share === undefined ? undefined : look.share * tall;
  const split = Math.round(
    area.bottom - (share ?? Math.min(MAX_RATIO * tall, Math.max(RATIO * tall, RATIO_PIXELS))),
  );
  const below = { ...area, top: split + PANEL_GAP };
  const above = { ...area, bottom: split };
  const range = look.range ?? lowerRange(lower, level, ranges.x);
  const { bare, style } = axes.y;
  const y: AxisSpec = { range, log: false, title: lower.yTitle, bare, style, centred: style !== undefined };
  const put = (options: FrameOptions): [PlotFrame, PlotFrame] => [
    layFrame(above, { ...axes.x, title: '' }, axes.y, { ...options, silent: true }),
    layFrame(below, axes.x, y, options),
  ];
  const left = Math.max(...put({}).map(({ box }) => box.left - area.left));
  return put({ left });
}

/** The range of ratios ends neither below `low` nor beyond `high`, and reaches up to `least`. */
export const RATIO_ENDS = { low: -1, least: 1.1, high: 3 } as const;

/** Returns the range of ratios to show, because ratios of sparse bins may lie far out. */
function lowerRange(lower: PlotModel, level: number, x: Range): Range {
  const [low, high] = shownRanges(lower, { x: false, y: false }, { x }, true).y;
  if (level !== 1) return [Math.min(low, 0), Math.max(high, 0)];
  return [Math.max(low, RATIO_ENDS.low), Math.min(Math.max(high, RATIO_ENDS.least), RATIO_ENDS.high)];
}
