import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallOptions, FileId } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import type { Activities } from './activities';

/** A file that was written. */
export interface Written {
  /** Its name, if it differs from the name of the job. */
  name?: string | undefined;
  bytes: number;
  /** A description: "3 trees, 12 histograms". */
  text: string;
  /** Parts that were left out, and parts that were added. */
  notes: readonly string[];
}

export type JobEnd =
  | { kind: 'written'; written: Written }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: ErrorRecord };

/**
 * A file that the user has written. The job continues while other things are read, and while another file is shown.
 */
export interface Job {
  /** Its slot among the activities. */
  slot: string;
  /** Place at which it was started; each place has one job at a time. */
  place: string;
  /** Name of the new file. */
  name: string;
  /** The open file that it reads. */
  file: FileId;
  /** Undefined while it runs. */
  end: JobEnd | undefined;
  /** Whether the user has seen how it ended. */
  seen: boolean;
}

/** The files that are being written, and finished ones until the user has seen the result. */
export interface Jobs {
  readonly list: ReadonlySignal<readonly Job[]>;
  /**
   * Runs a job, which replaces an ended job at the same place. `abandon` removes the written part after a failure.
   * Never rejects; the list has the result.
   */
  start(
    job: Pick<Job, 'place' | 'name' | 'file'>,
    write: (options: CallOptions) => Promise<Written>,
    abandon: () => Promise<void>,
  ): Promise<void>;
  /** Marks the result of the job as seen. */
  see(job: Job): void;
  /** Stops all jobs that read this file, because it is being closed, and removes jobs whose result was seen. */
  leave(file: FileId): void;
}

export function createJobs(activities: Activities): Jobs {
  const list = signal<readonly Job[]>([]);
  let count = 0;
  const change = (slot: string, part: Partial<Job>) => {
    list.value = list.peek().map((job) => (job.slot === slot ? { ...job, ...part } : job));
  };
  return {
    list,
    async start(job, write, abandon) {
      const slot = `write ${++count}`;
      const others = list.peek().filter(({ place, end }) => place !== job.place || end === undefined);
      list.value = [...others, { ...job, slot, end: undefined, seen: false }];
      let end: JobEnd;
      try {
        const written = await activities.run(slot, `Writing ${job.name}`, write, { writes: true });
        end = { kind: 'written', written };
      } catch (thrown) {
        // Also when it failed before anything could be written.
        await abandon().catch(() => undefined);
        const error = toXylemError(thrown);
        end = error.code === 'ABORTED' ? { kind: 'cancelled' } : { kind: 'failed', error: error.toRecord() };
      }
      change(slot, { end });
    },
    see: ({ slot }) => change(slot, { seen: true }),
    leave(file) {
      for (const job of list.peek()) if (job.file === file) activities.cancel(job.slot);
      list.value = list.peek().filter((job) => job.file !== file || !job.seen);
    },
  };
}
