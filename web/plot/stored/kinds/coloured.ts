import { mapColours } from '../../draw-map';
import { type Box, colourAxis, labelsWidth, shareOf } from '../../drawing/axes';
import type { Colour, Shape } from '../../drawing/drawing';
import { checkRange, layFrame, type PlotFrame } from '../../drawing/frame';
import { axisTicks } from '../../drawing/ticks';
import { colourIndex, contentRange } from '../../map-cells';
import type { GraphModel } from '../../model';
import type { Axes, Layer, Panel, RightPanel } from '../../panels';

/** The colours of contents: from `low` to `high`, along a logarithmic scale or not. */
export interface Colouring {
  low: number;
  high: number;
  log: boolean;
  /** Returns the colour of a content; undefined if it has none. */
  of(content: number): Colour | undefined;
}

/**
 * Lays out a graph with a colour scale on the right; a logarithmic y applies to the colours. Limits set by the object
 * are used. `near` finds the item below the pointer, if it is not the nearest point.
 */
export function colouredPanel(
  contents: Float64Array,
  limits: GraphModel['limits'],
  shapes: (frame: PlotFrame, colours: Colouring) => Shape[],
  near?: Layer['near'],
): RightPanel {
  return (model: GraphModel, area: Box, axes: Axes, { log, dark, palette }): Panel => {
    const found = contentRange(contents, log.y);
    const low = log.y ? found[0] : (limits?.low ?? found[0]);
    const high = Math.max(limits?.high ?? found[1], low + Number.MIN_VALUE);
    checkRange([low, high], log.y);
    const ticks = axisTicks(low, high, Math.max(2, Math.round((area.bottom - area.top) / 50)), log.y);
    const { title = '' } = model.right ?? {};
    const right = 40 + labelsWidth(ticks) + (title === '' ? 0 : 18);
    const frame = layFrame(
      area,
      axes.x,
      { ...axes.y, log: false },
      {
        ...{ right, factor: ticks.factor !== undefined },
      },
    );
    const colour = mapColours({ palette, dark, log: log.y }, [low, high]);
    const share = (value: number) => shareOf(value, low, high, log.y);
    const colours: Colouring = {
      ...{ low, high, log: log.y },
      of(content) {
        const index = colourIndex(content, low, high, log.y);
        return index < 0 ? undefined : colour(index);
      },
    };
    const layer: Layer = {
      ...{ title: '', ink: 'ink', x: model.x, y: model.y },
      ...(near && { near }),
      shapes: (placed) => shapes(placed, colours),
    };
    return {
      frame,
      layers: [layer],
      beside: colourAxis(frame.box, colour, ticks, share, title, axes.y.style),
    };
  };
}
