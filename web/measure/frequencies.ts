import type { BranchInfo, Frequencies } from '../api/api';
import { XylemError } from '../base/errors';
import { decodeText } from '../core/tape';
import { decodeBranches, planBranch } from '../pass/pass';
import { runJob } from '../pass/run';
import { type Source, titleOf } from '../query/language/source';
import { jobOf, plainBranch } from './job';
import { forEachMember, type Query, type QueryMember, QueryState } from './members';
import { allTasks, unitsOf } from './program-fill';
import { StringCounts, stringsOf } from './string-counts';
import { valuesOf } from './table-values';

/** Returns the most frequent strings. Each instance that passes counts once, with its weight. */
export async function countStrings(query: Query, source: Source): Promise<Frequencies> {
  const { tree, entries, options } = query;
  const title = titleOf(source);
  const seen = new StringCounts();
  const state = new QueryState(tree, entries, options, `Drawing ${title}`);
  await forEachMember(query, [source], state.note, async (member) => {
    const plain = plainBranch(query, member, [source])?.branch;
    if (plain?.kind === 'string') await countBranch(query, member, plain, seen, state);
    else await countExpression(query, member, source, seen, state);
  });
  state.note.throwIfAll();
  return seen.result(title, state.rows, state.note.toNote());
}

/** Counts all strings of a branch. */
async function countBranch(
  { runner, options }: Query,
  { model, entries }: QueryMember,
  branch: BranchInfo,
  seen: StringCounts,
  state: QueryState,
): Promise<void> {
  await model.prepare(entries, options, [branch]);
  const plan = planBranch(model, branch.index, entries);
  state.begin(plan.units.length);
  await decodeBranches(model, runner, [plan], {
    ...options,
    goal: { kind: 'columns' },
    onResult: (_plan, { rows, column, failures }) => {
      state.rows += rows;
      state.onFailures(failures.map(({ error }) => error));
      const strings = column && stringsOf(column);
      if (!strings) return;
      for (let i = 0; i < strings.length; i++) {
        seen.add(decodeText(strings.bytes.subarray(strings.offsets[i], strings.offsets[i + 1])));
      }
    },
    onBytes: (progress) => state.report(progress),
  });
}

/** Counts the strings that pass a cut, or those in a part of a branch. */
async function countExpression(
  query: Query,
  member: QueryMember,
  source: Source,
  seen: StringCounts,
  state: QueryState,
): Promise<void> {
  const job = await jobOf(query, member, [source], 'weighed');
  const { outputs, together } = job.compiled;
  if (outputs[0]?.kind !== 'string') {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `${titleOf(source)} holds strings in other files only.`,
    });
  }
  state.begin(unitsOf(job));
  await runJob(job, allTasks(job), {
    ...query.options,
    goal: () => ({ kind: 'rows', outputs: outputs.map(({ kind }) => kind) }),
    onResult: (_task, result) => {
      state.rows += result.rows;
      const [strings, weights] = (result.outputs ?? []).map(valuesOf);
      for (let row = 0; row < (result.entries?.length ?? 0); row++) {
        const weight = together ? weights?.() : undefined;
        for (const [i, text] of (strings?.() ?? []).entries()) {
          const counts = weight ? Number(weight[i] ?? 0) : 1;
          if (text !== undefined && counts !== 0) seen.add(String(text), counts);
        }
      }
    },
    onFailures: state.onFailures,
    onBytes: (progress) => state.report(progress),
  });
}
