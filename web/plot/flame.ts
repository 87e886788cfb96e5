import { formatDuration } from '../base/format';
import { type BranchTime, PHASES, type Phase, phaseNames } from '../insight/reads/time-by-branch';
import type { Colour, Drawing, Shape } from './drawing/drawing';
import { fittedTitle } from './drawing/latex';

/** Size of the names in boxes, in pixels. */
const LABEL_SIZE = 12;
/** Light enough for dark words, in both themes. */
const PHASE_COLOURS: Record<Phase, Colour> = {
  wait: '#a9d3c3',
  network: '#4fae8a',
  decompress: '#b79be8',
  decode: '#e6ac4d',
  fill: '#86baf0',
};

const ROW = 24;
/** Narrower boxes are drawn as one. */
const LEAST = 3;

/** A box of a flame graph, px. */
export interface FlameBox {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: Colour;
  /** The words in it, '' where they do not fit. */
  label: string;
  text: string;
  /** Index in the list of branches; -1 for none. */
  at: number;
}

/**
 * The boxes of a flame graph: all time, below it the branches, below each its phases. `only` is the index of a branch that
 * takes the whole width.
 */
export function flameBoxes(times: readonly BranchTime[], width: number, only = -1): FlameBox[] {
  const shown = only >= 0 ? times.slice(only, only + 1) : times;
  const total = shown.reduce((sum, time) => sum + time.total, 0);
  const scale = width / Math.max(1e-9, total);
  const boxes: FlameBox[] = [];
  const put = (x: number, row: number, wide: number, of: Pick<FlameBox, 'colour' | 'text' | 'at'>): void => {
    const [name = ''] = of.text.split(' · ');
    const label = wide > 30 ? fittedTitle(name, (wide - 8) / LABEL_SIZE) : '';
    boxes.push({ x, y: row * ROW, width: Math.max(0.5, wide - 1), height: ROW - 1, label, ...of });
  };
  const told = (name: string, seconds: number): string =>
    `${name} · ${timeText(seconds)} · ${((100 * seconds) / Math.max(1e-9, total)).toFixed(1)} %`;
  put(0, 0, width, { colour: 'grid', text: told(only >= 0 ? 'This branch' : 'All', total), at: -1 });
  let x = 0;
  for (const [i, time] of shown.entries()) {
    const wide = time.total * scale;
    if (wide < LEAST && shown.length > 1) {
      const rest = shown.slice(i).reduce((sum, other) => sum + other.total, 0);
      put(x, 1, rest * scale, { colour: 'grid', text: told(`${shown.length - i} more`, rest), at: -1 });
      break;
    }
    const at = only >= 0 ? only : i;
    put(x, 1, wide, { colour: 'queue', text: told(time.name, time.total), at });
    let left = x;
    for (const phase of PHASES) {
      const long = time[phase] * scale;
      if (long <= 0) continue;
      put(left, 2, long, {
        colour: PHASE_COLOURS[phase],
        text: told(`${phaseNames[phase]} · ${time.name}`, time[phase]),
        at,
      });
      left += long;
    }
    x += wide;
  }
  return boxes;
}

export const FLAME_HEIGHT = 3 * ROW;

/** Milliseconds with a digit, because decoding a branch often takes less than one. */
export function timeText(seconds: number): string {
  return seconds < 0.1 ? `${Number((seconds * 1000).toPrecision(3))} ms` : formatDuration(seconds * 1000);
}

/** The flame graph as a picture, with the colours of the phases. */
export function flameDrawing(times: readonly BranchTime[], title: string, width = 1000): Drawing {
  const inset = 16;
  const boxes = flameBoxes(times, width - 2 * inset);
  const shapes: Shape[] = [{ kind: 'text', x: inset, y: 24, text: title, bold: true }];
  for (const { x, y, width: wide, height, colour, label, text } of boxes) {
    const place = { x: inset + x, y: 40 + y };
    shapes.push({ kind: 'rect', ...place, width: wide, height, fill: colour, title: text });
    if (label !== '')
      shapes.push({ kind: 'text', x: place.x + 4, y: place.y + 16, text: label, fill: '#10201a' });
  }
  let x = inset;
  const y = 40 + FLAME_HEIGHT + 18;
  for (const phase of PHASES) {
    shapes.push({ kind: 'rect', x, y: y - 10, width: 10, height: 10, fill: PHASE_COLOURS[phase] });
    shapes.push({ kind: 'text', x: x + 15, y, text: phaseNames[phase], fill: 'faint' });
    x += 30 + 7 * phaseNames[phase].length;
  }
  return { width, height: y + 16, title, shapes };
}
