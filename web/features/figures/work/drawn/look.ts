import type { Colour } from '../../../../plot/drawing/drawing';
import type { WholeStyle } from '../presets';
import type { LayerStyle } from '../style';

/** How a layer is drawn. Lengths are in the pixels of the drawing. */
export interface Look {
  as: NonNullable<LayerStyle['as']>;
  colour: Colour;
  fill: Colour;
  opacity: number;
  /** Width of the line; 0 for none. */
  width: number;
  dash: string | undefined;
  marker: NonNullable<LayerStyle['marker']>;
  /** Diameter of points. */
  size: number;
  /** Whether error bars are drawn; undefined if the plot decides. */
  errors: boolean | undefined;
}

/** Pixels of the drawing in a point (1/72 inch). Numbers at axes are 12 pixels high, as in any other plot. */
export function pixelsPerPoint({ font }: WholeStyle): number {
  return 12 / font.numbers;
}

/** Lengths of dashes and gaps, in widths of the line. */
const DASHES = { solid: [], dashed: [5, 3], dotted: [1, 2], dashdot: [6, 2.5, 1.5, 2.5], none: [] } as const;

/** Returns the look of the i-th layer. `own` are what the plot says of it. */
export function lookOf(
  style: WholeStyle,
  i: number,
  own: { as: Look['as']; ink?: Colour | undefined; dash?: string | undefined },
): Look {
  const given: LayerStyle = style.layers?.[i] ?? {};
  const unit = pixelsPerPoint(style);
  const as = given.as ?? own.as;
  // A colour of the plot is kept if it is more than a number in the order of colours.
  const kept = own.ink?.startsWith('#') ? own.ink : undefined;
  const colour = given.colour ?? kept ?? style.colours[i % style.colours.length] ?? 'ink';
  const isArea = as === 'stacked' || as === 'band';
  const line = given.line ?? (isArea && given.width === undefined ? 'none' : 'solid');
  const width = line === 'none' ? 0 : (given.width ?? style.lines) * unit;
  const dashes = DASHES[line].map((length) => length * Math.max(width, 0.6 * unit));
  const dash = given.line === undefined ? own.dash : dashes.length > 0 ? dashes.join(' ') : undefined;
  return {
    ...{ as, colour: colour as Colour, fill: (given.fill ?? colour) as Colour, width, dash },
    opacity: given.opacity ?? (as === 'stacked' ? 1 : as === 'band' ? 0.35 : 0.4),
    marker: given.marker ?? 'circle',
    size: (given.size ?? 3.2) * unit,
    errors: given.errors,
  };
}
