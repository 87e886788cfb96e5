/**
 * Calls `work` for each item, `jobs` at once, until the signal is aborted. `work` must not throw what is a failure of
 * one item only.
 */
export async function eachOf<T>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (signal?.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, run));
}
