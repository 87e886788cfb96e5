import { decodeText } from '../core/tape';
import type { CallOptions, Frequencies } from '../file/api';
import { StringCounts } from '../file/draw';
import { allTasks, progressOf } from './draw';
import { type QueryJob, runJob } from './run';

/** The most frequent strings among those of entries that pass. */
export async function countStrings(job: QueryJob, title: string, options: CallOptions): Promise<Frequencies> {
  const seen = new StringCounts();
  const state = progressOf(job, options, `Drawing ${title}`);
  await runJob(job, allTasks(job), {
    ...options,
    goal: () => ({ kind: 'rows', outputs: ['string'] }),
    onResult: (_task, result) => {
      state.rows += result.rows;
      const strings = result.outputs?.[0]?.strings;
      if (!strings) return;
      const view = new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
      for (let at = 0; at < strings.length; ) {
        const length = view.getInt32(at, true);
        seen.add(decodeText(strings.subarray(at + 4, at + 4 + length)));
        at += 4 + length;
      }
    },
    onFailures: state.onFailures,
    onBytes: (progress) => state.report(progress),
  });
  state.note.throwIfAll();
  return seen.result(title, state.rows, state.note.toNote());
}
