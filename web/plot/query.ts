/** The query of a plot, for the record in a figure. Expressions and cuts are as they were written. */
export interface PlotQuery {
  /** Name or address of the file. */
  file?: string | undefined;
  tree?: string | undefined;
  /** Path of a stored object, or an expression. */
  draw?: string | undefined;
  cut?: string | undefined;
  /** Options of the drawing, such as its bins. */
  options?: Readonly<Record<string, unknown>> | undefined;
  /** The layers over it. */
  layers?: readonly PlotQuery[] | undefined;
}
