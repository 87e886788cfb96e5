import { type KeyedCommand, LETTERS } from '../../plot/command';

/** The list of contents, as controlled by keys. */
export interface ContentsList {
  /** Moves by rows or pages, or to an end. */
  move(to: { rows: number } | { pages: number } | 'first' | 'last'): void;
  /** Opens a row, or moves to its first child. */
  unfold(): void;
  /** Closes a row, or moves to its parent. */
  fold(): void;
  choose(): void;
  /** Marks the row in order to show it with others, or removes the mark. */
  mark(): void;
  /** Moves to the next name that begins with the typed letters. */
  type(letter: string): void;
}

type Step = Parameters<ContentsList['move']>[0];

const steps: Record<string, Step> = {
  ArrowUp: { rows: -1 },
  ArrowDown: { rows: 1 },
  PageUp: { pages: -1 },
  PageDown: { pages: 1 },
  Home: 'first',
  End: 'last',
};

export const contentsCommands: readonly KeyedCommand<ContentsList>[] = [
  {
    id: 'contents.move',
    label: 'Move in the contents; the plot follows',
    kind: 'Contents',
    keys: Object.keys(steps),
    run: (list, key = '') => list.move(steps[key] ?? { rows: 0 }),
  },
  {
    id: 'contents.unfold',
    label: 'Unfold, or on to what is inside',
    kind: 'Contents',
    keys: ['ArrowRight'],
    run: (list) => list.unfold(),
  },
  {
    id: 'contents.fold',
    label: 'Fold, or back to what holds it',
    kind: 'Contents',
    keys: ['ArrowLeft'],
    run: (list) => list.fold(),
  },
  {
    id: 'contents.choose',
    label: 'Show it at once',
    kind: 'Contents',
    keys: ['Enter', ' '],
    run: (list) => list.choose(),
  },
  {
    id: 'contents.mark',
    label: 'Mark it, as Ctrl and a click do, to show several together',
    kind: 'Contents',
    keys: ['Control+ '],
    run: (list) => list.mark(),
  },
  {
    id: 'contents.type',
    label: 'To the next name that begins so',
    kind: 'Contents',
    keys: [LETTERS],
    run: (list, key = '') => list.type(key),
  },
];
