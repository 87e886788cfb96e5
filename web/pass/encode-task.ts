import { type EncodeResult, Encoder, type EncodeTask } from '../core/encoder';
import { noModule } from '../core/modules/registry';

/** An instance with more memory than this is dropped, because its memory never shrinks. */
const WATERMARK_BYTES = 64 * 1024 * 1024;

/** Returns a function that runs tasks in this thread with one shared instance of the encoder. */
export function encodeHere(): (task: EncodeTask) => Promise<EncodeResult> {
  let made: Promise<Encoder> | undefined;
  return async (task) => {
    if (!task.encoder) throw noModule('export');
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
