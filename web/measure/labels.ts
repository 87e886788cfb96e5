import { runJob } from '../pass/run';
import { expressionError } from '../query/language/errors';
import { type Source, titleOf } from '../query/language/source';
import { jobOf } from './job';
import { forEachMember, type Query, QueryState } from './members';
import { allTasks, unitsOf } from './program-fill';
import { valuesOf } from './table-values';

/** Maximum number of labels on an axis; more are not readable. */
const MAX_LABELS = 1000;

/**
 * Gives each expression of strings its labels: the different texts of all instances that pass, in the
 * order of their first appearance. TTree::Draw gives each text a bin and fills at the centre of the bin.
 * Throws BUDGET if there are too many texts.
 */
export async function withLabels(
  query: Query,
  sources: readonly Source[],
  strings: readonly boolean[],
): Promise<Source[]> {
  if (!strings.some(Boolean)) return [...sources];
  const { tree, entries, options } = query;
  const all = sources.map(() => new Set<string>());
  const state = new QueryState(tree, entries, options, 'Finding the labels');
  await forEachMember(query, [...sources], state.note, async (member) => {
    const job = await jobOf(query, member, [...sources], 'weighed');
    const { outputs, together } = job.compiled;
    // Tasks finish in any order.
    const found: Set<string>[][] = [];
    state.begin(unitsOf(job));
    await runJob(job, allTasks(job), {
      ...options,
      goal: () => ({ kind: 'rows', outputs: outputs.map(({ kind }) => kind) }),
      onResult: (task, result) => {
        state.rows += result.rows;
        const own = sources.map(() => new Set<string>());
        found[task] = own;
        const next = (result.outputs ?? []).map(valuesOf);
        for (let row = 0; row < (result.entries?.length ?? 0); row++) {
          const values = next.map((one) => one());
          const weights = together ? values[sources.length] : undefined;
          strings.forEach((isString, k) => {
            if (!isString) return;
            values[k]?.forEach((text, i) => {
              if (text !== undefined && (weights === undefined || weights[i] !== 0))
                own[k]?.add(String(text));
            });
          });
        }
      },
      onFailures: state.onFailures,
      onBytes: (progress) => state.report(progress),
    });
    for (const own of found) {
      own?.forEach((texts, k) => {
        for (const text of texts) all[k]?.add(text);
      });
    }
  });
  return sources.map((source, k) => {
    if (!strings[k]) return source;
    const labels = [...(all[k] ?? [])];
    if (labels.length > MAX_LABELS) {
      const { from = 0, to = source.text.length, text } = source;
      const message = `"${titleOf(source)}" holds ${labels.length} different texts, more than the ${MAX_LABELS} of an axis.`;
      throw expressionError(text, { at: from, end: to }, message, 'Select some of them by a cut.', 'BUDGET');
    }
    return { ...source, labels };
  });
}
