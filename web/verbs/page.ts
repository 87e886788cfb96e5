import * as features from '../features/reports';
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

/** A feature's entry for the page and the worker of insight: verbs that are views, by the id of the view. */
export type PageVerbs = Readonly<Record<string, PageVerb>>;

/** The verbs that are views of the page. */
export const pageVerbs: PageVerbs = {
  check: {
    label: 'Check',
    words: 'sound damage errors checksums verify integrity fsck',
    on: ['file'],
    waits: true,
    without: ['jobs', 'quiet'],
    load: async () => (await import('./check')).check,
  },
  ...Object.assign({}, ...Object.values<PageVerbs>(features)),
};
