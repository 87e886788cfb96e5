/** A part of a text that is a complete expression. */
export interface Source {
  text: string;
  from?: number;
  to?: number;
  /** For an expression of strings on an axis: the text of each bin. */
  labels?: readonly string[];
  /**
   * Index of the branch if the whole text names one. A path may look like a division, so it is not parsed.
   */
  branch?: number;
  /**
   * Whether the collection lengths of an RNTuple are plain numbers, as those of a TTree, instead of 64-bit integers.
   */
  plainLengths?: boolean;
  /** The expression to take instead if the tree lacks a name in it. null: the source has no values then. */
  otherwise?: string | null;
  /** Names that the text may use besides those of the tree, with their expressions. */
  names?: Readonly<Record<string, string>>;
}

/** Returns the text of an expression without blanks at its ends. */
export function titleOf({ text, from, to }: Source): string {
  return text.slice(from ?? 0, to ?? text.length).trim();
}
