import type { AnyVerb } from './verb';

/** A verb that is a view of the page, shown by its report. */
export interface PageVerb {
  label: string;
  /** Other words by which it is found. */
  words: string;
  on: readonly ('file' | 'tree')[];
  /** It reads much of the file, so it waits for a press of a button. */
  waits?: boolean;
  /** Parameters for which the view has no field. */
  without?: readonly string[];
  load(): Promise<AnyVerb>;
}

/** The verbs that are views of the page, by the id of the view. */
export const pageVerbs: Readonly<Record<string, PageVerb>> = {
  check: {
    label: 'Check',
    words: 'sound damage errors checksums verify integrity fsck',
    on: ['file'],
    waits: true,
    without: ['jobs', 'quiet'],
    load: async () => (await import('./check')).check,
  },
};
