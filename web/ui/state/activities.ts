import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { CallOptions, Progress } from '../../api/api';
import { abortError, toXylemError } from '../../base/errors';

/** A running activity. `started` is ms of performance.now(). */
export interface Activity {
  /** Its purpose. A new activity in the same slot replaces the running one. */
  slot: string;
  label: string;
  started: number;
  progress: Progress | undefined;
  /** Whether it writes a file for the user. It then continues while other things are read and shown. */
  writes?: boolean | undefined;
  /** Time of the first bytes, in ms of performance.now(), and their number. */
  begun?: { at: number; bytes: number } | undefined;
}

/** Runs activities, one at a time for each slot, and lists the running ones. */
export interface Activities {
  list: ReadonlySignal<Activity[]>;
  /** Activities that read for the panel, the most recent last: all except those that write files. */
  reading: ReadonlySignal<Activity[]>;
  /**
   * Runs `work` in `slot`, after aborting what runs there. Rejects with XylemError; also with ABORTED if `work` ends
   * normally after it was replaced or cancelled, so that late results are never used.
   */
  run<T>(
    slot: string,
    label: string,
    work: (options: CallOptions) => Promise<T>,
    how?: { onProgress?(progress: Progress): void; writes?: boolean },
  ): Promise<T>;
  /** Aborts one slot, or all activities that read for the panel. */
  cancel(slot?: string): void;
  /** Aborts everything, including activities that write files. */
  cancelAll(): void;
}

export function createActivities(): Activities {
  const list = signal<Activity[]>([]);
  const controllers = new Map<string, AbortController>();

  const reading = computed(() => list.value.filter(({ writes }) => writes !== true));
  const abort = (running: readonly Activity[]) => {
    for (const { slot } of running) controllers.get(slot)?.abort();
  };

  const replace = (old: Activity | undefined, next: Activity | undefined) => {
    const others = list.peek().filter((activity) => activity !== old);
    list.value = next === undefined ? others : [...others, next];
  };

  return {
    list,
    reading,
    async run(slot, label, work, { onProgress, writes } = {}) {
      controllers.get(slot)?.abort();
      const controller = new AbortController();
      const { signal: aborted } = controller;
      controllers.set(slot, controller);
      let activity: Activity = { slot, label, started: performance.now(), progress: undefined, writes };
      replace(undefined, activity);
      const gone = new Promise<never>((_, reject) => {
        aborted.addEventListener('abort', () => reject(abortError()), { once: true });
      });
      const watched = work({
        signal: aborted,
        onProgress(progress) {
          if (aborted.aborted || !list.peek().includes(activity)) return;
          const { bytesDone: bytes, label: step } = progress;
          // Each step has its own progress.
          const same = step === '' || (step || label) === activity.label;
          const begun =
            same && activity.begun
              ? activity.begun
              : bytes > 0
                ? { at: performance.now(), bytes }
                : undefined;
          const next = { ...activity, label: step || label, progress, begun };
          replace(activity, next);
          activity = next;
          onProgress?.(progress);
        },
      });
      try {
        return await Promise.race([watched, gone]);
      } catch (thrown) {
        throw toXylemError(thrown);
      } finally {
        replace(activity, undefined);
        if (controllers.get(slot) === controller) controllers.delete(slot);
      }
    },
    cancel(slot) {
      if (slot !== undefined) controllers.get(slot)?.abort();
      else abort(reading.peek());
    },
    cancelAll: () => abort(list.peek()),
  };
}
