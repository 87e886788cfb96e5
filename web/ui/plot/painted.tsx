import { useEffect, useRef } from 'preact/hooks';
import { type Drawing, PALETTE } from '../../plot/drawing/drawing';
import { paintDrawing } from '../../plot/drawing/drawing-canvas';

interface PaintedProps {
  drawing: Drawing;
  /** Description for screen readers. */
  name: string;
  /** Default: the palette of white paper. */
  palette?: typeof PALETTE | undefined;
  /** Whether the drawing must also fit the height of its place. Default: the place is as tall as the drawing. */
  inHeight?: boolean;
}

/** A drawing on a canvas that fits into its place, at most 1.5 times as large as it was stored. */
export function Painted({ drawing, name, palette = PALETTE, inHeight = false }: PaintedProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const [place, element] = [host.current, canvas.current];
    if (place === null || element === null) return;
    const draw = () => {
      const tall = inHeight ? place.clientHeight : Number.POSITIVE_INFINITY;
      const fitting = Math.min(
        place.clientWidth,
        drawing.width * 1.5,
        (tall * drawing.width) / drawing.height,
      );
      const wide = Math.max(40, fitting);
      const scale = wide / drawing.width;
      const ratio = devicePixelRatio * scale;
      element.width = Math.round(drawing.width * ratio);
      element.height = Math.round(drawing.height * ratio);
      element.style.width = `${wide}px`;
      element.style.height = `${drawing.height * scale}px`;
      const ctx = element.getContext('2d');
      if (ctx === null) return;
      ctx.fillStyle = palette.paper;
      ctx.fillRect(0, 0, element.width, element.height);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintDrawing(ctx, drawing, { palette, fontFamily: 'sans-serif' });
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(place);
    return () => observer.disconnect();
  }, [drawing, palette, inHeight]);
  return (
    <div
      class={inHeight ? 'pad-stage in-height' : 'pad-stage'}
      ref={host}
      role="img"
      aria-label={`Picture of ${name}`}
    >
      <canvas ref={canvas} />
    </div>
  );
}
