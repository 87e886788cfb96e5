/** The inputs of one evaluation. Corrections are evaluated at once and never within each other, so each has one frame. */
export interface Frame {
  /** Values of inputs of the types "real" and "int"; unused for texts. */
  readonly numbers: Float64Array;
  readonly texts: string[];
  /** Whole numbers that a double cannot hold; undefined for others. */
  readonly large: (bigint | undefined)[];
}

/** Returns the value of a node for the inputs in the frame that it was compiled for. */
export type Node = () => number;

export function frameOf(count: number): Frame {
  return {
    numbers: new Float64Array(count),
    texts: new Array<string>(count).fill(''),
    large: new Array<bigint | undefined>(count).fill(undefined),
  };
}
