import { type Shape, TEXT_SIZE } from './drawing';
import { fittedTitle } from './latex';

/** Maximum number of lines of a reason. */
const MAX_LINES = 8;

/** Draws the reason why there is no plot: lines of text that fit into a width in pixels. */
export function reasonShapes(why: string, place: { left: number; top: number; width: number }): Shape[] {
  const room = place.width / TEXT_SIZE;
  const lines: string[] = [];
  for (const word of why.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fittedTitle(longer, room) === longer) lines[lines.length - 1] = longer;
    else lines.push(fittedTitle(word, room));
  }
  return lines
    .slice(0, MAX_LINES)
    .map((text, i) => ({ kind: 'text', x: place.left, y: place.top + i * 17, text, fill: 'faint' }));
}
