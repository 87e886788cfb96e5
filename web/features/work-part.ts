/** A feature's entry for the reader, the library and the workers. */
export interface WorkPart {
  /** Computations on metadata, which a page runs in the worker of insight. */
  insight?: object;
}
