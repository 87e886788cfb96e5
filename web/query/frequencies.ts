import { XylemError } from '../base/errors';
import { decodeText } from '../core/tape';
import type { Frequencies } from '../file/api';
import { StringCounts } from '../file/draw';
import type { Source } from './compile';
import { allTasks, jobOf, titleOf } from './draw';
import { forEachMember, type Query, QueryState } from './members';
import { runJob } from './run';

/** The most frequent strings among those of entries that pass. */
export async function countStrings(query: Query, source: Source): Promise<Frequencies> {
  const { tree, entries, options } = query;
  const title = titleOf(source);
  const seen = new StringCounts();
  const state = new QueryState(tree, entries, options, `Drawing ${title}`);
  await forEachMember(query, [source], state.note, async (member) => {
    const job = await jobOf(query, member, [source], 'table');
    if (job.compiled.outputs[0]?.kind !== 'string') {
      throw new XylemError({ code: 'UNSUPPORTED', message: `${title} holds strings in other files only.` });
    }
    state.begin(job);
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
  });
  state.note.throwIfAll();
  return seen.result(title, state.rows, state.note.toNote());
}
