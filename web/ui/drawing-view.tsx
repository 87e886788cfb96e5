import type { JSX } from 'preact';
import { DARK_PALETTE, type Drawing, dotsPath, PALETTE, type Shape } from '../plot/drawing';

/** A drawing in a page, in the colours of its theme; it scrolls where the page is narrow. */
export function DrawingView({ drawing, theme }: { drawing: Drawing; theme: 'light' | 'dark' }): JSX.Element {
  const palette = theme === 'dark' ? DARK_PALETTE : PALETTE;
  const { width, height, title, shapes } = drawing;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="drawing" tabIndex={0} aria-label={title}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {shapes.map((shape, i) => (
          <ShapeView key={i} shape={shape} palette={palette} />
        ))}
      </svg>
    </section>
  );
}

function ShapeView({ shape, palette }: { shape: Shape; palette: typeof PALETTE }): JSX.Element {
  switch (shape.kind) {
    case 'path':
      return (
        <path
          d={shape.d}
          stroke={shape.stroke ? palette[shape.stroke] : 'none'}
          fill={shape.fill ? palette[shape.fill] : 'none'}
          stroke-width={shape.width ?? 1}
          stroke-dasharray={shape.dash}
          opacity={shape.opacity}
        />
      );
    case 'rect':
      return (
        <rect x={shape.x} y={shape.y} width={shape.width} height={shape.height} fill={palette[shape.fill]}>
          {shape.title !== undefined && <title>{shape.title}</title>}
        </rect>
      );
    case 'dots':
      return (
        <path
          d={dotsPath(shape.points, shape.radius)}
          fill={shape.open ? 'none' : palette[shape.fill]}
          stroke={shape.open ? palette[shape.fill] : 'none'}
        />
      );
    case 'text':
      return (
        <text
          {...(shape.turn
            ? { transform: `translate(${shape.x} ${shape.y}) rotate(-90)` }
            : { x: shape.x, y: shape.y })}
          text-anchor={shape.anchor ?? 'start'}
          fill={palette[shape.fill ?? 'ink']}
          font-weight={shape.bold ? 600 : undefined}
        >
          {shape.text}
        </text>
      );
  }
}
