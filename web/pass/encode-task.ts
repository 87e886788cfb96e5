import { XylemError } from '../base/errors';
import { type EncodeResult, Encoder, type EncodeTask } from '../core/encoder';

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

/** The error when a reader has not been told where xylem-export.wasm is. */
export function noEncoder(): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: 'This reader was made without the module that writes tables.',
    fix: 'Check that xylem-export.wasm is in the same folder as xylem.wasm.',
  });
}
