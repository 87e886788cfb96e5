import type { TreeLayout } from '../api/layout';
import { firstAtLeast } from '../base/search';

/** A tree in one file that is divided into tasks between clusters. */
export interface TaskSource {
  entries: number;
  /** First entries of the clusters, ascending; the first is 0. */
  starts: Float64Array;
  /** Stored bytes of the wanted branches in each cluster. */
  bytes: Float64Array;
}

/** A sequence of whole clusters of one file. */
export interface TaskInput {
  /** Index of the file. */
  source: number;
  entries: [from: number, to: number];
  /** Whether these are all entries of the file. */
  whole: boolean;
  bytes: number;
}

/** Returns the clusters of a tree with their bytes, counted over the branches for which `wanted` is true. */
export function taskSourceOf(layout: TreeLayout, wanted: (branch: number) => boolean): TaskSource {
  const { basketStart, firstEntry, storedBytes, trueStart, tree } = layout;
  const starts = trueStart[0] === 0 ? trueStart : Float64Array.of(0);
  const bytes = new Float64Array(starts.length);
  for (let branch = 0; branch + 1 < basketStart.length; branch++) {
    if (!wanted(branch)) continue;
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) {
      // The last cluster that begins at or before the first entry of the basket.
      const next = firstAtLeast(starts, (firstEntry[i] ?? 0) + 1);
      const cluster = Math.max(0, next - 1);
      bytes[cluster] = (bytes[cluster] ?? 0) + (storedBytes[i] ?? 0);
    }
  }
  return { entries: tree.entries, starts, bytes };
}

/** Returns the same tree as a single cluster. */
export function uncut({ entries, bytes }: TaskSource): TaskSource {
  return {
    entries,
    starts: Float64Array.of(0),
    bytes: Float64Array.of(bytes.reduce((sum, one) => sum + one, 0)),
  };
}

/**
 * Divides the clusters of all files, in their order, into at most `count` tasks of nearly equal bytes. A cluster
 * belongs to the task that contains its middle, so no task exceeds its share by more than one cluster. Every entry is
 * in exactly one task; a file without entries is in one, too. Tasks without clusters are left out.
 */
export function cutTasks(sources: readonly TaskSource[], count: number): TaskInput[][] {
  // Each cluster counts as at least one byte, so that clusters without baskets are distributed, too.
  const weightOf = (bytes: number): number => Math.max(1, bytes);
  const total = sources.reduce((sum, { bytes }) => bytes.reduce((all, one) => all + weightOf(one), sum), 0);
  const tasks: TaskInput[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const [source, { entries, starts, bytes }] of sources.entries()) {
    let last: { task: number; input: TaskInput } | undefined;
    for (let i = 0; i < starts.length; i++) {
      const weight = weightOf(bytes[i] ?? 0);
      const task = Math.min(count - 1, Math.floor(((before + weight / 2) / total) * count));
      before += weight;
      const from = starts[i] ?? 0;
      const to = starts[i + 1] ?? entries;
      if (last?.task === task) {
        last.input.entries[1] = to;
        last.input.bytes += bytes[i] ?? 0;
      } else {
        last = { task, input: { source, entries: [from, to], whole: false, bytes: bytes[i] ?? 0 } };
        tasks[task]?.push(last.input);
      }
      last.input.whole = last.input.entries[0] === 0 && to === entries;
    }
  }
  return tasks.filter((task) => task.length > 0);
}
