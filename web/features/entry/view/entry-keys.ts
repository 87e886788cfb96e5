import type { KeyedCommand } from '../../../plot/command';

/** The card on which keys act. */
export interface CardKeys {
  /** Shows the next entry, or the one before. */
  step(to: 'next' | 'previous'): void;
}

export const cardCommands: readonly KeyedCommand<CardKeys>[] = [
  {
    id: 'entry.next',
    label: 'Show the next entry that passes the cut',
    kind: 'Entry',
    keys: ['n', 'ArrowRight'],
    run: (card) => card.step('next'),
  },
  {
    id: 'entry.previous',
    label: 'Show the entry before that passes the cut',
    kind: 'Entry',
    keys: ['p', 'ArrowLeft'],
    run: (card) => card.step('previous'),
  },
];
