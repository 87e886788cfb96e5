import type { PageView } from './view-tabs';

/** A feature's entry for the page. */
export interface PagePart {
  views?: Readonly<Record<string, Omit<PageView, 'id'>>>;
}
