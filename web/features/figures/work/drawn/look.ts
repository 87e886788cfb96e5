import type { Colour } from '../../../../plot/drawing/drawing';
import type { WholeStyle } from '../presets';
import type { LayerStyle } from '../style';

/** How a layer is drawn, as a style has it. Lengths are points. */
export interface StyledLayer {
  as: NonNullable<LayerStyle['as']>;
  colour: string;
  fill: string;
  opacity: number;
  line: NonNullable<LayerStyle['line']>;
  /** Width of the line; 0 for none. */
  width: number;
  marker: NonNullable<LayerStyle['marker']>;
  /** Diameter of points. */
  size: number;
  /** Whether error bars are drawn; undefined if the plot decides. */
  errors: boolean | undefined;
}

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

/** Returns the i-th layer of a style. `own` are what the plot says of it. */
export function styledLayer(
  style: WholeStyle,
  i: number,
  own: { as: Look['as']; ink?: Colour | undefined },
): StyledLayer {
  const given: LayerStyle = style.layers?.[i] ?? {};
  const as = given.as ?? own.as;
  // A colour of the plot is kept if it is more than a number in the order of colours.
  const kept = own.ink?.startsWith('#') ? own.ink : undefined;
  const colour = given.colour ?? kept ?? style.colours[i % style.colours.length] ?? '#000000';
  const isArea = as === 'stacked' || as === 'band';
  const line = given.line ?? (isArea && given.width === undefined ? 'none' : 'solid');
  return {
    ...{ as, colour, fill: given.fill ?? colour, line },
    width: line === 'none' ? 0 : (given.width ?? style.lines),
    opacity: given.opacity ?? (as === 'stacked' ? 1 : as === 'band' ? 0.35 : 0.4),
    marker: given.marker ?? 'circle',
    size: given.size ?? 3.2,
    errors: given.errors,
  };
}

/** Returns the look of the i-th layer. `own` are what the plot says of it. */
export function lookOf(
  style: WholeStyle,
  i: number,
  own: { as: Look['as']; ink?: Colour | undefined; dash?: string | undefined },
): Look {
  const { line, ...layer } = styledLayer(style, i, own);
  const unit = pixelsPerPoint(style);
  const width = layer.width * unit;
  const dashes = DASHES[line].map((length) => length * Math.max(width, 0.6 * unit));
  const isGiven = style.layers?.[i]?.line !== undefined;
  const dash = isGiven ? (dashes.length > 0 ? dashes.join(' ') : undefined) : own.dash;
  const [colour, fill] = [layer.colour as Colour, layer.fill as Colour];
  return { ...layer, colour, fill, width, dash, size: layer.size * unit };
}
