import type { CanvasPicture } from '../../../web/features/pads/work/canvas';
import type { Shape } from '../../../web/plot/drawing/drawing';

/** The shapes of a drawing, also those within clips. */
export function flat(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) => (shape.kind === 'clip' ? flat(shape.shapes) : [shape]));
}

/** All texts of a picture. */
export const texts = ({ drawing }: CanvasPicture): string[] =>
  flat(drawing.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
