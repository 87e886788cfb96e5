import { type LineInk, lineInk } from '../drawing/drawing';
import { DASHES } from './choices';

/** The look of the i-th of several lines. */
export function lineLook(i: number): { ink: LineInk; dash: string | undefined } {
  return { ink: lineInk(i), dash: DASHES[Math.floor(i / 6) % DASHES.length] };
}
