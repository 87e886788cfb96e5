import type { KeyedCommand } from '../../../plot/command';
import type { GridCursor } from '../../../ui/commands/grid-commands';

/** A wall of plots, as controlled by keys. */
export interface WallCursor extends GridCursor {
  /** Whether a shown plot needs attention. */
  hasAlarms(): boolean;
  /** Moves to the next or the previous plot that needs attention; after the last one comes the first. */
  toAlarm(by: 1 | -1): void;
}

export const wallCommands: readonly KeyedCommand<WallCursor>[] = [
  {
    id: 'wall.next-alarm',
    label: 'To the next plot that is over a threshold, missing or not comparable',
    kind: 'Wall',
    keys: ['n'],
    when: (wall) => wall.hasAlarms(),
    run: (wall) => wall.toAlarm(1),
  },
  {
    id: 'wall.previous-alarm',
    label: 'To the previous one',
    kind: 'Wall',
    keys: ['p'],
    when: (wall) => wall.hasAlarms(),
    run: (wall) => wall.toAlarm(-1),
  },
];

/** One plot over the others, as controlled by keys. */
export interface LargeCursor {
  /** Shows another plot, in the order of the wall. */
  step(by: 1 | -1): void;
}

export const largeCommands: readonly KeyedCommand<LargeCursor>[] = [
  {
    id: 'wall.step',
    label: 'The previous or the next plot',
    kind: 'Wall',
    keys: ['ArrowLeft', 'ArrowRight'],
    run: (plot, key) => plot.step(key === 'ArrowLeft' ? -1 : 1),
  },
];
