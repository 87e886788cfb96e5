import { type LineInk, lineInk } from '../drawing/drawing';

/** The dashes of lines beyond the six colours, which people with any colour vision can tell apart: six more for each. */
const DASHES = [undefined, '7 3', '2 2', '9 3 2 3'];

/** Looks of lines that differ from each other in colour or dashes; the first is 1. */
export const LOOKS = 6 * DASHES.length;

export interface LineLook {
  ink: LineInk;
  dash: string | undefined;
}

/** The look of the i-th of several lines. */
export function lineLook(i: number): LineLook {
  return { ink: lineInk(i), dash: DASHES[Math.floor(i / 6) % DASHES.length] };
}
