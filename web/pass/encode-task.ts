import type { CallOptions, ReaderApi } from '../api/api';
import { XylemError } from '../base/errors';
import { type EncodeResult, Encoder, type EncodeTask } from '../core/encoder';
import type { SpareInputs } from '../core/task-input';

/** An instance with more memory than this is dropped, because its memory never shrinks. */
const WATERMARK_BYTES = 64 * 1024 * 1024;

/** Makes a function that runs tasks in this thread, with one instance of the encoder for all. */
export function encodeHere(): (task: EncodeTask) => Promise<EncodeResult> {
  let made: Promise<Encoder> | undefined;
  return async (task) => {
    if (!task.encoder) throw noEncoder();
    made ??= Encoder.create(task.encoder);
    try {
      const encoder = await made;
      const result = encoder.run(task);
      if (encoder.memoryBytes > WATERMARK_BYTES) made = undefined;
      return result;
    } catch (thrown) {
      made = undefined;
      throw thrown;
    }
  };
}

/** Encodes columns or writes them as text, in workers where there are some. */
export type Encode = ReaderApi['encode'];

/** Number of tasks that are under way at once. */
const TASKS_AHEAD = 6;

/** The results of tasks in their order; a few are under way at once. Their inputs become spare memory for others. */
export async function* encodeInOrder(
  tasks: Iterable<EncodeTask> | AsyncIterable<EncodeTask>,
  spares: SpareInputs,
  encode: Encode,
  { signal }: CallOptions,
): AsyncGenerator<EncodeResult> {
  const running: Promise<EncodeResult>[] = [];
  for await (const task of tasks) {
    if (running.length >= TASKS_AHEAD) yield (await running.shift()) as EncodeResult;
    const result = encode(task, { signal });
    // It is awaited later, if at all.
    result.then(
      ({ input }) => spares.push(input.buffer),
      () => {},
    );
    running.push(result);
  }
  for (const result of running) yield await result;
}

/** The error when a reader has not been told where xylem-export.wasm is. */
export function noEncoder(): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: 'This reader was made without the module that writes tables.',
    fix: 'Check that xylem-export.wasm is in the same folder as xylem.wasm.',
  });
}
