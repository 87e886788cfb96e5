import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  type Colour,
  colourOf,
  DARK_PALETTE,
  type Drawing,
  dotsPath,
  PALETTE,
  type Shape,
  type Target,
  targetAt,
  textMoves,
} from '../../plot/drawing/drawing';

interface DrawingViewProps<T> {
  drawing: Drawing;
  theme: 'light' | 'dark';
  /** Parts that can be pointed at, and the action; undefined is a point outside of all of them. */
  targets?: readonly Target<T>[] | undefined;
  onPoint?: ((of: T | undefined) => void) | undefined;
  onChoose?: ((of: T) => void) | undefined;
}

/** A drawing in a page, in the colours of its theme; it scrolls when the page is narrow. */
export function DrawingView<T>({
  drawing,
  theme,
  targets = [],
  onPoint,
  onChoose,
}: DrawingViewProps<T>): JSX.Element {
  const { width, height, title } = drawing;
  // The shapes stay the same while the user points at something.
  const shapes = useMemo(() => shapesOf(drawing, theme), [drawing, theme]);
  const meant = (event: MouseEvent & { currentTarget: SVGSVGElement }): T | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    const scale = width / Math.max(1, box.width);
    return targetAt(targets, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="drawing" tabIndex={0} aria-label={title}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: what it is of stands in a table, too */}
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={title}
        class={onChoose === undefined ? '' : 'choosable'}
        onPointerMove={onPoint && ((event) => onPoint(meant(event)))}
        onPointerLeave={onPoint && (() => onPoint(undefined))}
        onClick={(event) => {
          const of = onChoose && meant(event);
          if (of !== undefined) onChoose?.(of);
        }}
      >
        {shapes}
      </svg>
    </section>
  );
}

function shapesOf({ shapes }: Drawing, theme: 'light' | 'dark'): JSX.Element[] {
  const palette = theme === 'dark' ? DARK_PALETTE : PALETTE;
  return shapes.map((shape, i) => <ShapeView key={i} shape={shape} palette={palette} />);
}

function ShapeView({ shape, palette }: { shape: Shape; palette: typeof PALETTE }): JSX.Element {
  const named = (colour: Colour) => colourOf(colour, palette);
  switch (shape.kind) {
    case 'path':
      return (
        <path
          d={shape.d}
          stroke={shape.stroke ? named(shape.stroke) : 'none'}
          fill={shape.fill ? named(shape.fill) : 'none'}
          stroke-width={shape.width ?? 1}
          stroke-dasharray={shape.dash}
          opacity={shape.opacity}
          fill-opacity={shape.fillOpacity}
        />
      );
    case 'rect':
      return (
        <rect x={shape.x} y={shape.y} width={shape.width} height={shape.height} fill={named(shape.fill)}>
          {shape.title !== undefined && <title>{shape.title}</title>}
        </rect>
      );
    case 'dots':
      return (
        <path
          d={dotsPath(shape.points, shape.radius)}
          fill={shape.open ? 'none' : named(shape.fill)}
          stroke={shape.open ? named(shape.fill) : 'none'}
        />
      );
    case 'text':
      return (
        <text
          {...(shape.angle === undefined
            ? { x: shape.x, y: shape.y }
            : { transform: `translate(${shape.x} ${shape.y}) rotate(${shape.angle})` })}
          text-anchor={shape.anchor ?? 'start'}
          fill={named(shape.fill ?? 'ink')}
          font-weight={shape.bold ? 600 : undefined}
          font-size={shape.size}
        >
          {textMoves(shape).map(({ text, dx, dy, size }, i) => (
            <tspan key={i} dx={dx} dy={dy} font-size={size}>
              {text}
            </tspan>
          ))}
        </text>
      );
    case 'clip': {
      const { x, y, width, height, shapes } = shape;
      return (
        <svg
          x={x}
          y={y}
          width={width}
          height={height}
          viewBox={`${x} ${y} ${width} ${height}`}
          aria-hidden="true"
        >
          {shapes.map((one, i) => (
            <ShapeView key={i} shape={one} palette={palette} />
          ))}
        </svg>
      );
    }
  }
}
