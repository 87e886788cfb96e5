/**
 * Calls `work` for each item, at most `jobs` at once, until the signal aborts. `work` must handle failures of a single
 * item itself; if it throws, the call rejects.
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
 * As `eachOf`, but the first item gets a head start, so that the others can use what it finds out: if there are more
 * items than `jobs`, they begin when the work for the first item is done or has called `go`. Only the first item gets
 * `go`.
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
