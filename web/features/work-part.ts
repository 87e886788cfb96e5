import type { Kind } from '../measure/partial-kind';

/** A feature's entry for the reader, the library and the workers. */
export interface WorkPart {
  /** Kinds of partial results, by the commands that write them. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a query and a sum of its own
  kinds?: Readonly<Record<string, () => Promise<Kind<any, any>>>>;
  /** Computations on metadata, which a page runs in the worker of insight. */
  insight?: object;
}
