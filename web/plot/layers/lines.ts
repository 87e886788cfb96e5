import { type LineInk, lineInk } from '../drawing/drawing';
import { DASHES } from './choices';

export interface LineLook {
  ink: LineInk;
  dash: string | undefined;
}

/** The look of the i-th of several lines. */
export function lineLook(i: number): LineLook {
  return { ink: lineInk(i), dash: DASHES[Math.floor(i / 6) % DASHES.length] };
}
