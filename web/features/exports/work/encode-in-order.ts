import type { CallOptions } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { EncodeResult, EncodeTask } from '../../../core/encoder';
import type { SpareInputs } from '../../../core/task-input';

/** Encodes columns or writes them as text, in workers where there are some. */
export type Encode = EngineApi['encode'];

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
