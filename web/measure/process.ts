import type { CallOptions } from '../api/api';
import type { GatheredState, ProcessRequest, ProcessResult } from '../api/selector';
import { toXylemError, WorkerLost, type XylemError } from '../base/errors';
import { ChainTree, type EntryTree } from '../model/chain';
import { allowSelectors, selectGoal } from '../pass/goals/select';
import { checkAddsUp } from '../pass/selector/forms';
import { LIMIT_MS, weightError } from '../pass/selector/run';
import { type LoadedSelector, loadSelector, selectorError } from '../pass/selector/selector';
import type { TaskRunner } from '../pass/types';
import type { FriendHost } from '../query/friends/friends';
import { addState, type OwnMerge, PartSum } from './gathered';
import { MemberPass } from './member-pass';
import {
  chainNote,
  cutSource,
  forEachMember,
  knownObjects,
  pathIn,
  placeError,
  type Query,
  QueryProgress,
  rulesOf,
} from './members';

/**
 * Implements EngineApi.process. Throws ARGUMENT for a module that is no selector, and where its code throws; NOT_FOUND,
 * UNSUPPORTED and ABORTED.
 */
export async function processTree(
  tree: EntryTree,
  runner: TaskRunner,
  request: ProcessRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<ProcessResult> {
  allowSelectors();
  const { module, set = {}, entries, limitMs = LIMIT_MS, sample } = request;
  const selector = await loadSelector(module, set);
  if (sample) checkAddsUp(selector.empty);
  const { branches, where } = selector.own;
  const merge = mergeOf(selector);
  const names = Object.keys(branches);
  const sources = names.map((name) => ({ text: branches[name] ?? '' }));
  const weight = sample?.weight;
  if (weight !== undefined) sources.push({ text: weight });
  const cut = cutSource(where);
  const query: Query = {
    ...{ tree, runner, entries, friends, options },
    ...{ rootVersion: rulesOf(request.rootVersion), seed: 1 },
  };
  const progress = new QueryProgress(query);
  const note = chainNote(tree);
  let state: GatheredState | undefined;
  let failure: XylemError | undefined;
  let files = 0;
  const result = { entries: 0, passed: 0 };
  const written = cut ? [...sources, cut] : sources;
  await forEachMember(query, written, [note], async (member) => {
    const pass = new MemberPass(query, member);
    const compiled = await knownObjects(query, () => pass.compile(sources, cut, 'table'));
    if (compiled.placed || compiled.random) throw placeError();
    const weigher = compiled.outputs[names.length];
    if (weigher && (weigher.dims > 0 || weigher.kind === 'string')) throw weightError(sample?.name);
    const program = pass.program(compiled);
    const select = cut && { text: cut.text, program: pass.program(pass.compile([], cut, 'table')) };
    await pass.open();
    const parts = new PartSum(merge);
    let read = 0;
    const goal = selectGoal(
      program,
      compiled.outputs.map(({ kind }) => kind),
      {
        ...{ module, set, names, limitMs },
        tree: pathIn(tree, member.model, request.tree),
        ...{ sample: sample?.name ?? '', weighted: weight !== undefined },
        lists: compiled.outputs.map(({ dims, kind, text }) => (kind === 'string' ? !text : dims > 0)),
        file: member.model.reader.source.name,
      },
      (selected, { number }) => parts.add(selected, number),
    );
    note.expect(Math.max(1, pass.unitsOf([goal])));
    progress.begin();
    const ask = {
      goals: [goal],
      select,
      onPart: ({ rows }: { rows: number }) => {
        read += rows;
      },
      onFailures: (errors: Parameters<typeof note.addErrors>[0]) => note.addErrors(errors),
    };
    try {
      await pass.run([ask], (now) => progress.report(now, 'Processing'));
      // A file counts whole, or not at all.
      const whole = parts.result();
      if (whole) state = addState(state, whole, merge);
    } catch (thrown) {
      const error = toXylemError(thrown);
      // A worker that was lost by another task is no fault of this file: all is repeated.
      if (!(tree instanceof ChainTree) || error.code === 'ABORTED' || error instanceof WorkerLost)
        throw error;
      // The other files of a chain stay.
      failure ??= error;
      note.addErrors([error.at({ url: member.model.reader.source.name }).toRecord()]);
      return;
    }
    files += 1;
    result.entries += read;
    result.passed += parts.passed;
  });
  note.throwIfAll();
  if (failure && files === 0) throw failure;
  // Without entries the result is what nothing was filled into.
  state ??= structuredClone(selector.empty);
  return { state, ...result, partial: note.toNote() };
}

/** The selector's own merge, whose errors have their lines. */
function mergeOf({ module, own }: LoadedSelector): OwnMerge | undefined {
  if (!own.merge) return undefined;
  return (one, other) => {
    try {
      return own.merge?.(one, other) ?? {};
    } catch (thrown) {
      throw selectorError(module, 'failed in merge', thrown);
    }
  };
}
