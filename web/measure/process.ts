import type { CallOptions } from '../api/api';
import type { GatheredState, ProcessRequest, ProcessResult } from '../api/selector';
import { toXylemError, XylemError } from '../base/errors';
import { ChainTree, type EntryTree } from '../model/chain';
import { allowSelectors, selectGoal } from '../pass/goals/select';
import type { Selected } from '../pass/selector/run';
import { beginOf, gatheredOf, loadSelector } from '../pass/selector/selector';
import type { TaskRunner } from '../pass/types';
import type { FriendHost } from '../query/friends/friends';
import { addState } from './gathered';
import { MemberPass } from './member-pass';
import {
  chainNote,
  cutSource,
  forEachMember,
  knownObjects,
  placeError,
  type Query,
  QueryProgress,
  rulesOf,
} from './members';

const LIMIT_MS = 60_000;

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
  const { branches, where, merge } = selector.own;
  const own = merge as Parameters<typeof addState>[2];
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
    if (weigher && (weigher.dims > 0 || weigher.kind === 'string')) throw weightError(weight ?? '');
    const program = pass.program(compiled);
    const select = cut && { text: cut.text, program: pass.program(pass.compile([], cut, 'table')) };
    await pass.open();
    const found: Selected[] = [];
    let read = 0;
    const goal = selectGoal(
      program,
      compiled.outputs.map(({ kind }) => kind),
      {
        ...{ module, set, names, limitMs, tree: request.tree },
        ...{ sample: sample?.name ?? '', weighted: weight !== undefined },
        lists: compiled.outputs.map(({ dims, kind, text }) => (kind === 'string' ? !text : dims > 0)),
        file: member.model.reader.source.name,
      },
      (selected, { number }) => {
        found[number] = selected;
      },
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
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!(tree instanceof ChainTree) || error.code === 'ABORTED') throw error;
      // The other files of a chain stay.
      failure ??= error;
      note.addErrors([error.at({ url: member.model.reader.source.name }).toRecord()]);
      return;
    }
    files += 1;
    // A file counts whole, or not at all.
    const parts = found.filter((one) => one !== undefined);
    const whole = parts.reduce<GatheredState | undefined>(
      (sum, one) => addState(sum, one.state, own),
      undefined,
    );
    if (whole) state = addState(state, whole, own);
    result.entries += read;
    for (const one of parts) result.passed += one.passed;
  });
  note.throwIfAll();
  if (failure && files === 0) throw failure;
  // Without entries the result is what nothing was filled into.
  state ??= gatheredOf(beginOf(selector, undefined), { file: '', tree: request.tree, from: 0 });
  return { state, ...result, partial: note.toNote() };
}

function weightError(weight: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The weight "${weight}" of a sample is not one number for each entry.`,
    fix: 'Take an element of it, such as weights[0].',
  });
}
