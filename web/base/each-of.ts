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

/**
 * As `eachOf`, but where there are more items than `jobs`, the others begin only when the work for the first one is done or
 * has called `go`: they use what it found out. Only that first one has a `go`.
 */
export async function eachAfterFirst<T>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal | undefined,
  work: (item: T, go?: () => void) => Promise<void>,
): Promise<void> {
  if (items.length <= jobs) return eachOf(items, jobs, signal, (item) => work(item));
  let go = () => {};
  const first = new Promise<void>((settle) => {
    go = settle;
  });
  await eachOf([...items.entries()], jobs, signal, async ([i, item]) => {
    if (i > 0) {
      await first;
      if (!signal?.aborted) await work(item);
      return;
    }
    try {
      await work(item, go);
    } finally {
      go();
    }
  });
}
