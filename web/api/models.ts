/** Values of an input or output of a model: `data` in C order. The product of `shape` is the number of values. */
export interface ModelTensor {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly shape: readonly number[];
}

/** Values for an input: a tensor; or columns of equal lengths, which become a tensor of the shape [length, number of columns]. */
export type ModelInput = ModelTensor | readonly ArrayLike<number>[];

/** An input or output. Its shape has -1 where any length is possible. */
export interface ModelVariable {
  readonly name: string;
  /** As ONNX names it, such as "float32" or "int64". */
  readonly type: string;
  readonly shape: readonly number[];
}

/** A trained model. */
export interface TrainedModel {
  readonly inputs: readonly ModelVariable[];
  readonly outputs: readonly ModelVariable[];
  /**
   * Evaluates the model, for many objects at once: a call takes some 50 µs besides the model. Throws ARGUMENT for inputs that do not
   * fit, and for what the model reports.
   */
  run(inputs: Readonly<Record<string, ModelInput>>): Record<string, ModelTensor>;
}

/** Functions of selectors for trained models. */
export interface ModelTools {
  /** The model of a file that the selector declares, in the format ONNX. Throws UNSUPPORTED without onnxruntime, and in pages. */
  model(file: string): TrainedModel;
}
