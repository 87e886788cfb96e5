import type { CallOptions } from '../../../api/api';
import type { GatheredState, ProcessRequest, ProcessResult } from '../../../api/selector';
import { toXylemError, WorkerLost, XylemError } from '../../../base/errors';
import { MemberPass } from '../../../measure/member-pass';
import {
  chainNote,
  cutSource,
  forEachMember,
  namesOf,
  pathIn,
  placeError,
  type Query,
  type QueryMember,
  QueryProgress,
  rulesOf,
  selectorSource,
} from '../../../measure/members';
import { ChainTree, type EntryTree } from '../../../model/chain';
import type { PassProgress, TaskRunner } from '../../../pass/types';
import type { FriendHost } from '../../../query/friends/friends';
import { addCounts, branchSources, countsOf, type OptionalCounts } from './branches';
import { addState, checkAddsUp, PartSum } from './gathered';
import { LIMIT_MS, weightError } from './run';
import { allowSelectors, selectGoal } from './select';
import { loadSelector, mergeOf } from './selector';

/** How often a pass is repeated whose workers were lost. */
const AGAIN = 2;

/** Returns the error of a cut. `without` are the names that have no value in this file, which only the code may use. */
function cutError(thrown: unknown, without: readonly string[]): unknown {
  if (!(thrown instanceof XylemError) || thrown.code !== 'NOT_FOUND') return thrown;
  const name = without.find((one) => thrown.message.includes(`"${one}"`));
  if (name === undefined) return thrown;
  return new XylemError({
    ...thrown.toRecord(),
    message: `"where" uses "${name}", which has no value in a file that lacks what it reads.`,
    fix: `Give "missing" of "${name}" a value, such as 0, or cut in the code.`,
    cause: thrown,
  });
}

/**
 * Implements EngineApi.process. Throws ARGUMENT if the module is not a selector, or its code throws; NOT_FOUND,
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
  const { module, entries, limitMs = LIMIT_MS, sample, files: known, spool } = request;
  const set = { ...request.set, ...sample?.set };
  const selector = await loadSelector(module, set);
  if (sample) checkAddsUp(selector.empty);
  const merge = mergeOf(selector);
  const inputs = branchSources(selector.own.branches, sample?.branches);
  const { names } = inputs;
  const asked = inputs.sources.map(selectorSource);
  const weight = sample?.weight;
  if (weight !== undefined) asked.push(selectorSource(weight));
  const cut = cutSource(
    selector.own.where,
    namesOf(
      names,
      asked.map(({ text }) => text),
    ),
  );
  const query: Query = {
    ...{ tree, runner, entries, friends, options },
    ...{ rootVersion: rulesOf(request.rootVersion), seed: 1 },
  };
  const progress = new QueryProgress(query);
  const note = chainNote(tree);
  let state: GatheredState | undefined;
  let failure: XylemError | undefined;
  let files = 0;
  let optional: OptionalCounts | undefined;
  const result = { entries: 0, passed: 0 };
  const done: PassProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  /** The work on the previous file, which continues while the next one is planned. */
  let before: Promise<void> = Promise.resolve();
  let fatal: XylemError | undefined;
  const written = cut ? [...asked, cut] : asked;
  const run = async (member: QueryMember): Promise<boolean> => {
    const pass = new MemberPass(query, member);
    const { sources, texts, absent } = await pass.inTree(asked);
    const has = (_name: string, i: number): boolean => texts[i] !== undefined;
    const present = names.filter(has);
    const ownCut = cut && { ...cut, names: namesOf(names, texts) };
    const compiled = await pass.compile(sources, ownCut, 'table').catch((thrown: unknown) => {
      throw cutError(
        thrown,
        names.filter((name, i) => !has(name, i)),
      );
    });
    if (compiled.placed || compiled.random) throw placeError();
    const weigher = compiled.outputs[present.length];
    if (weigher && (weigher.dims > 0 || weigher.kind === 'string')) throw weightError(sample?.name);
    const program = pass.program(compiled);
    const select = ownCut && {
      text: ownCut.text,
      program: pass.program(await pass.compile([], ownCut, 'table')),
    };
    await pass.open();
    const report = reportOf(progress, done);
    let parts = new PartSum(merge);
    let read = 0;
    const goal = selectGoal(
      program,
      compiled.outputs.map(({ kind }) => kind),
      {
        ...{ module, set, names: present, limitMs, files: known, spool },
        without: names.filter((name, i) => !has(name, i)),
        tree: pathIn(tree, member.model, request.tree),
        ...{ sample: sample?.name ?? '', weighted: weight !== undefined, vary: sample?.vary ?? true },
        lists: compiled.outputs.map(({ dims, kind, text }) => (kind === 'string' ? !text : dims > 0)),
        file: member.model.reader.source.name,
      },
      (selected, { number }) => parts.add(selected, number),
    );
    note.expect(Math.max(1, pass.unitsOf([goal])));
    const ask = {
      goals: [goal],
      select,
      onPart: ({ rows }: { rows: number }) => {
        read += rows;
      },
      onFailures: (errors: Parameters<typeof note.addErrors>[0]) => note.addErrors(errors),
    };
    const previous = before;
    const add = async (): Promise<void> => {
      let failed = await pass.run([ask], report).catch(toXylemError);
      await previous;
      // The code in another file may have ended its worker, and with it tasks of this file.
      for (let again = 0; failed instanceof WorkerLost && !fatal && again < AGAIN; again++) {
        parts = new PartSum(merge);
        read = 0;
        failed = await pass.run([ask], () => {}).catch(toXylemError);
      }
      if (fatal) return;
      try {
        if (failed) throw failed;
        // A file counts as a whole or not at all.
        const whole = parts.result();
        if (whole) state = addState(state, whole, merge);
      } catch (thrown) {
        const error = toXylemError(thrown);
        // Another task ended the worker, so everything is repeated.
        if (!(tree instanceof ChainTree) || error.code === 'ABORTED' || error instanceof WorkerLost) {
          fatal = error;
          return;
        }
        // The results of the other files are kept.
        failure ??= error;
        note.addErrors([error.at({ url: member.model.reader.source.name }).toRecord()]);
        return;
      }
      files += 1;
      optional = addCounts(optional, countsOf(inputs, absent));
      result.entries += read;
      result.passed += parts.passed;
    };
    const release = await member.hold?.();
    const mine = add().finally(release);
    // Nothing throws but what closes the file.
    before = mine.catch(() => {});
    await (release ? previous : mine);
    return !fatal;
  };
  try {
    await forEachMember(query, written, [note], run);
  } finally {
    await before;
  }
  if (fatal) throw fatal;
  note.throwIfAll();
  if (failure && files === 0) throw failure;
  // Without entries the result is the empty state.
  state ??= structuredClone(selector.empty);
  return { state, ...result, ...(optional && { optional }), partial: note.toNote() };
}

/** Adds the progress of one of several passes to the sum of all, and reports it. */
function reportOf(progress: QueryProgress, all: PassProgress): (now: PassProgress) => void {
  let before = { ...all, bytesDone: 0, bytesTotal: 0, entriesDone: 0 };
  return (now) => {
    for (const name of ['bytesDone', 'bytesTotal', 'entriesDone'] as const)
      all[name] += now[name] - before[name];
    before = { ...now };
    progress.report(all, 'Processing');
  };
}
