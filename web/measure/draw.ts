import type { BranchInfo, CallOptions, DrawRequest, DrawResult, EntryNumbers, Histogram } from '../api/api';
import { XylemError } from '../base/errors';
import { addFill } from '../core/query-core';
import type { EntryTree } from '../model/chain';
import { Failures } from '../pass/failures';
import { runJob } from '../pass/run';
import type { DecodeProgress, TaskRunner } from '../pass/types';
import { isString } from '../query/compile/compile';
import { type DrawOptions, parseOptions } from '../query/compile/draw-options';
import { type DrawSpec, parseDraw } from '../query/compile/draw-spec';
import type { FriendHost } from '../query/friends/friends';
import { type Source, titleOf } from '../query/language/source';
import { type AxisWish, chooseAxes, givenAxes, wishedAxes } from './axes';
import { countStrings } from './frequencies';
import { emptyFill } from './histogram-numbers';
import { histogramOf, needsAxes, notExact, shapeOf } from './histogram-shape';
import { cutSource, fillJobOf, jobOf } from './job';
import { withLabels } from './labels';
import { countChosen, forEachMember, type Query, QueryState, rulesOf, seedOf } from './members';
import { allTasks, unitsOf } from './program-fill';
import { findRanges, type Ranges } from './ranges';

/** Implements ReaderApi.draw. Throws ARGUMENT, NOT_FOUND, UNSUPPORTED and ABORTED. */
export async function draw(
  tree: EntryTree,
  runner: TaskRunner,
  request: DrawRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<DrawResult> {
  const { entries } = request;
  const named = request.branch === undefined ? undefined : drawable(tree.branch(request.branch));
  const spec = named ? { expressions: [{ text: named.path }], axes: [] } : parseDraw(request.expr ?? '');
  const cut = cutSource(request.cut);
  const rootVersion = rulesOf(request.rootVersion);
  const seed = seedOf(request.seed);
  const query: Query = { tree, runner, branch: named, entries, cut, friends, rootVersion, seed, options };
  const asked = parseOptions(request.option);
  if (spec.expressions.length === 0 || asked.entryList) {
    if (request.exact) throw notExact();
    return listEntries(query, spec.target ?? 'elist');
  }
  // In the cells, x varies fastest.
  const sources = [...spec.expressions].reverse();
  const strings = await whichHoldStrings(query, sources);
  const [only] = sources;
  if (request.exact && strings.some(Boolean)) throw notExact();
  if (only && sources.length === 1 && strings[0]) return countStrings(query, only);
  // The averaged coordinate of a profile has no axis.
  if (asked.profile !== undefined) strings[strings.length - 1] = false;
  return fillHistogram(query, spec, await withLabels(query, sources, strings), request, asked);
}

/** Returns the branch if it has values to draw. Throws UNSUPPORTED otherwise. */
function drawable(branch: BranchInfo): BranchInfo {
  if (branch.kind === 'number' || branch.kind === 'string') return branch;
  throw new XylemError({
    code: 'UNSUPPORTED',
    message: `${branch.path} (${branch.typeName}) does not hold numbers of one kind.`,
    where: { path: branch.path },
    fix: 'Draw one of its members, or read its values.',
  });
}

/** Returns which expressions are branches of strings in the first file that has entries. */
async function whichHoldStrings(query: Query, sources: Source[]): Promise<boolean[]> {
  if (query.branch) return [query.branch.kind === 'string'];
  let strings: boolean[] = [];
  await forEachMember(query, sources, new Failures(), async ({ scopes }) => {
    strings = sources.map((source) => isString(scopes, source));
    return false;
  });
  return strings;
}

async function listEntries(query: Query, name: string): Promise<EntryNumbers> {
  const { tree, entries, options } = query;
  const kept: Float64Array[] = [];
  const state = new QueryState(tree, entries, options, 'Selecting entries');
  const all: Source[] = query.cut ? [] : [{ text: '1' }];
  await forEachMember(query, all, state.note, async (member) => {
    const job = await jobOf(query, member, all, 'table');
    state.begin(unitsOf(job));
    const parts: Float64Array[] = [];
    await runJob(job, allTasks(job), {
      ...options,
      goal: () => ({ kind: 'rows', outputs: all.map(() => 'number') }),
      onResult: (task, result) => {
        state.rows += result.rows;
        if (result.entries) parts[task] = result.entries.map((entry) => entry + member.place.first);
      },
      onFailures: state.onFailures,
      onBytes: (progress) => state.report(progress),
    });
    for (const part of parts) if (part) kept.push(part);
  });
  state.note.throwIfAll();
  const numbers = new Float64Array(kept.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of kept) {
    numbers.set(part, at);
    at += part.length;
  }
  return { kind: 'entries', name, numbers, entries: state.rows, partial: state.note.toNote() };
}

/** Computes missing ranges in a first pass over the selected values, then fills in a second pass. */
async function fillHistogram(
  query: Query,
  spec: DrawSpec,
  sources: Source[],
  request: DrawRequest,
  asked: DrawOptions,
): Promise<Histogram> {
  const { tree, entries, options } = query;
  const dims = sources.length;
  const profile = dims > 1 && asked.profile !== undefined;
  const binned = profile ? dims - 1 : dims;
  const wishes = wishedAxes(spec, request, binned).map((wish, i) => labelledAxis(wish, sources[i]?.labels));
  const given = givenAxes(wishes, profile);
  const exact = request.exact === true;
  if (exact && !given) throw needsAxes();
  const ranges = given ? undefined : await findRanges(query, sources);
  const axes = given ?? chooseAxes(wishes, ranges as Ranges, profile);
  const shape = shapeOf(
    spec,
    request,
    asked,
    axes.map((axis, i) => ({ ...axis, labels: sources[i]?.labels })),
  );
  const sum = emptyFill(axes, dims, profile, exact);
  const text = spec.expressions.map(titleOf).join(':');
  const state = new QueryState(tree, entries, options, `Drawing ${text}`);
  const chosen = countChosen(tree, entries);
  const integer = sources.map(() => true);
  let random = false;
  const toResult = (): Histogram => ({
    ...histogramOf(shape, sum, { entries: chosen, integer, partial: state.note.toNote() }),
    ...(random && { seed: query.seed }),
  });
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await fillJobOf(query, member, sources, exact);
    random ||= job.random;
    job.integer.forEach((whole, i) => {
      integer[i] &&= whole;
    });
    state.begin(job.units);
    const { onFailures } = state;
    const steps = {
      ...options,
      onFailures,
      onBytes: (progress: DecodeProgress) => state.report(progress, toResult),
    };
    await job.fill({ axes, dims, profile, exact }, ranges?.parts.get(member.number), steps, (fill) =>
      addFill(sum, fill),
    );
  });
  state.note.throwIfAll();
  return toResult();
}

/** Returns an axis with one bin for each label, unless the ends of the axis are given. */
function labelledAxis(wish: AxisWish, labels: readonly string[] | undefined): AxisWish {
  if (!labels || wish.range) return wish;
  const bins = Math.max(1, labels.length);
  return { ...wish, bins, range: [0, bins] };
}
