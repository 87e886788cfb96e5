import {
  type Colour,
  colourOf,
  type Drawing,
  dotsPath,
  FACES,
  type Ink,
  type Shape,
  TEXT_SIZE,
} from './drawing';
import { titleRuns } from './latex';

/** Colours and font for painting a drawing. */
export interface CanvasPaint {
  palette: Record<Ink, string>;
  fontFamily: string;
  /** Colour for faint fills of the first line, which replaces the transparent one, if given. */
  area?: string | undefined;
}

/** Paints the shapes of a drawing; one of its pixels is one unit of `ctx`. */
export function paintDrawing(
  ctx: CanvasRenderingContext2D,
  { shapes }: Pick<Drawing, 'shapes'>,
  paint: CanvasPaint,
): void {
  for (const shape of shapes) paintShape(ctx, shape, paint);
}

function paintShape(ctx: CanvasRenderingContext2D, shape: Shape, paint: CanvasPaint): void {
  const named = (colour: Colour) => colourOf(colour, paint.palette);
  ctx.save();
  switch (shape.kind) {
    case 'path': {
      const path = new Path2D(shape.d);
      const opacity = shape.opacity ?? 1;
      if (shape.fill) {
        const area = shape.fillOpacity !== undefined && shape.fill === 'line1' ? paint.area : undefined;
        ctx.globalAlpha = opacity * (area === undefined ? (shape.fillOpacity ?? 1) : 1);
        ctx.fillStyle = area ?? named(shape.fill);
        ctx.fill(path);
        if (shape.crisp) {
          // A canvas smooths edges: without a line of the same colour the ground shows between neighbours.
          ctx.strokeStyle = ctx.fillStyle;
          ctx.lineWidth = 0.6;
          ctx.stroke(path);
        }
      }
      if (shape.stroke) {
        ctx.globalAlpha = opacity;
        ctx.strokeStyle = named(shape.stroke);
        ctx.lineWidth = shape.width ?? 1;
        ctx.lineJoin = 'round';
        ctx.setLineDash(shape.dash?.split(/[ ,]+/).map(Number) ?? []);
        ctx.stroke(path);
      }
      break;
    }
    case 'rect':
      ctx.fillStyle = named(shape.fill);
      ctx.fillRect(shape.x, shape.y, shape.width, shape.height);
      break;
    case 'dots': {
      const path = new Path2D(dotsPath(shape.points, shape.radius));
      if (shape.open) {
        ctx.strokeStyle = named(shape.fill);
        ctx.stroke(path);
      } else {
        ctx.fillStyle = named(shape.fill);
        ctx.fill(path);
      }
      break;
    }
    case 'text':
      paintText(ctx, shape, paint, named(shape.fill ?? 'ink'));
      break;
    case 'clip':
      ctx.beginPath();
      ctx.rect(shape.x, shape.y, shape.width, shape.height);
      ctx.clip();
      for (const one of shape.shapes) paintShape(ctx, one, paint);
      break;
  }
  ctx.restore();
}

function paintText(
  ctx: CanvasRenderingContext2D,
  shape: Shape & { kind: 'text' },
  { fontFamily }: CanvasPaint,
  colour: string,
): void {
  const { text, anchor = 'start', angle = 0, bold, italic, font, size = TEXT_SIZE } = shape;
  const setFont = (scale: number): void => {
    ctx.font = `${italic ? 'italic ' : ''}${bold ? '600 ' : ''}${size * scale}px ${font ? FACES[font] : fontFamily}`;
  };
  ctx.fillStyle = colour;
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'left';
  ctx.translate(shape.x, shape.y);
  ctx.rotate((angle * Math.PI) / 180);
  const runs = shape.latex ? titleRuns(text) : [{ text, size: 1, up: 0, back: 0 }];
  const widths = runs.map((run) => {
    setFont(run.size);
    return ctx.measureText(run.text).width;
  });
  const whole = runs.reduce((sum, run, i) => sum + (widths[i] ?? 0) - run.back * size, 0);
  let x = anchor === 'start' ? 0 : anchor === 'middle' ? -whole / 2 : -whole;
  runs.forEach((run, i) => {
    setFont(run.size);
    x -= run.back * size;
    ctx.fillText(run.text, x, -run.up * size);
    x += widths[i] ?? 0;
  });
}
