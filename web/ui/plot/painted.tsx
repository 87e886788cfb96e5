import { useEffect, useRef } from 'preact/hooks';
import { type Drawing, PALETTE } from '../../plot/drawing/drawing';
import { paintDrawing } from '../../plot/drawing/drawing-canvas';

interface PaintedProps {
  drawing: Drawing;
  /** For those who do not see it. */
  name: string;
  /** Default: that of white paper. */
  palette?: typeof PALETTE | undefined;
}

/** The drawing on a canvas as wide as its place, at most as large as it was stored and a half. */
export function Painted({ drawing, name, palette = PALETTE }: PaintedProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const [place, element] = [host.current, canvas.current];
    if (place === null || element === null) return;
    const draw = () => {
      // An element that shows a plot alone has a height to keep.
      const tall = place.closest('.only-plot') ? place.clientHeight : Number.POSITIVE_INFINITY;
      const fitting = Math.min(
        place.clientWidth,
        drawing.width * 1.5,
        (tall * drawing.width) / drawing.height,
      );
      const wide = Math.max(60, fitting);
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
  }, [drawing, palette]);
  return (
    <div class="pad-stage" ref={host} role="img" aria-label={`Picture of ${name}`}>
      <canvas ref={canvas} />
    </div>
  );
}
