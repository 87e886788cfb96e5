import type { DrawResult, Histogram } from '../api/api';
import { toXylemError, type XylemError } from '../base/errors';
import type { Failures } from '../pass/failures';
import type { PassProgress } from '../pass/types';
import type { Source } from '../query/language/source';
import { type Ask, MemberPass } from './member-pass';
import { chainNote, forEachMember, namesBranch, type Query, QueryProgress } from './members';

/** One question about the entries of a tree, or of the files of a chain. */
export interface Measure {
  /** Shown in progress messages. */
  readonly label: string;
  /** The expressions that it compiles, including the cut. */
  readonly sources: readonly Source[];
  /** The cut. Measures with the same text share its evaluation. */
  readonly cut?: Source | undefined;
  readonly note: Failures;
  /**
   * Compiles the expressions for a tree and returns what to read; undefined if nothing has to be read. Called for each
   * tree in order. An error in the first tree is an error of the question.
   */
  open(pass: MemberPass): Promise<Ask | undefined>;
  /** Called after the returned parts were read. Returns what to read again before `next`. */
  settle?(): Ask | undefined;
  /** Called after the parts of all measures were read. Returns what else to read of the same tree. */
  next(pass: MemberPass): Ask | undefined;
  /** Called after all trees. Returns whether the trees have to be read once more. */
  again(): boolean;
  /** The histogram so far, if there is one. */
  partial?(): Histogram | undefined;
  result(): DrawResult;
}

/** The result of a measure, or its error. */
export type Outcome = { result: DrawResult } | { error: XylemError };

/** A measure while it runs. */
interface Asked {
  measure: Measure;
  /** Whether a tree was opened. If so, an error of a later one means that this file is unusual. */
  some: boolean;
  error?: XylemError | undefined;
}

/**
 * Answers any number of questions. All questions are compiled, planned and read together in each tree. The trees are read
 * again only for questions that were not answered the first time.
 */
export async function measureAll(query: Query, measures: readonly Measure[]): Promise<Outcome[]> {
  const all = measures.map((measure): Asked => ({ measure, some: namesBranch(query.tree, measure.sources) }));
  const progress = new QueryProgress(query);
  const told = new Set<Failures>();
  let round = all;
  do {
    await goThrough(query, round, progress, told);
    round = round.filter(isOpen).filter((asked) => attempt(asked, () => asked.measure.again()));
  } while (round.length > 0);
  return all.map((asked): Outcome => {
    const result = attempt(asked, () => {
      asked.measure.note.throwIfAll();
      return asked.measure.result();
    });
    return result ? { result } : { error: asked.error as XylemError };
  });
}

function isOpen({ error }: Asked): boolean {
  return error === undefined;
}

/** Calls `run` for a measure. If it throws, stores the error in the measure and returns undefined. */
function attempt<T>(asked: Asked, run: () => T): T | undefined {
  if (asked.error) return undefined;
  try {
    return run();
  } catch (thrown) {
    asked.error = toXylemError(thrown);
    return undefined;
  }
}

/** Reads all trees once. `told` contains the notes that already list the files that cannot be opened. */
async function goThrough(
  query: Query,
  round: readonly Asked[],
  progress: QueryProgress,
  told: Set<Failures>,
): Promise<void> {
  const notes = round.map(({ measure }) => measure.note).filter((note) => !told.has(note));
  for (const note of notes) {
    told.add(note);
    note.addAll(chainNote(query.tree));
  }
  const sources = round.flatMap(({ measure }) => measure.sources);
  const [cuts, common] = [new Set<string>(), new Set<string>()];
  for (const { measure } of round)
    if (measure.cut) (cuts.has(measure.cut.text) ? common : cuts).add(measure.cut.text);
  await forEachMember(query, sources, notes, async (member) => {
    const pass = new MemberPass(query, member, common);
    const asks = new Map<Asked, Ask>();
    for (const asked of round.filter(isOpen)) {
      const ask = await openMeasure(asked, pass);
      if (ask) asks.set(asked, ask);
    }
    await pass.open();
    for (const [{ measure }, { goals }] of asks)
      if (notes.includes(measure.note)) measure.note.expect(Math.max(1, pass.unitsOf(goals)));
    for (let again = false; asks.size > 0; again = true) {
      progress.begin(again);
      await pass.run([...asks.values()], (done) => report(progress, [...asks.keys()], done));
      for (let rest = settled(asks.keys()); rest.size > 0; rest = settled(rest.keys()))
        await pass.run([...rest.values()], (done) => report(progress, [...rest.keys()], done));
      for (const asked of [...asks.keys()]) {
        const ask = attempt(asked, () => asked.measure.next(pass));
        if (ask) asks.set(asked, ask);
        else asks.delete(asked);
      }
    }
    return round.some(isOpen);
  });
}

/** Returns what each measure has to read again before it continues. */
function settled(asks: Iterable<Asked>): Map<Asked, Ask> {
  const rest = new Map<Asked, Ask>();
  for (const asked of asks) {
    const ask = attempt(asked, () => asked.measure.settle?.());
    if (ask) rest.set(asked, ask);
  }
  return rest;
}

function report(progress: QueryProgress, asked: readonly Asked[], done: PassProgress): void {
  const [only, another] = asked;
  if (!only || another) progress.report(done, `Drawing ${asked.length} histograms`);
  else progress.report(done, only.measure.label, () => only.measure.partial?.());
}

/** Compiles a measure for a tree. An error in a later tree is recorded, and the tree is left out. */
async function openMeasure(asked: Asked, pass: MemberPass): Promise<Ask | undefined> {
  const { measure } = asked;
  try {
    const ask = await measure.open(pass);
    asked.some = true;
    return ask;
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED') throw error;
    if (!asked.some) asked.error = error;
    else {
      const { name } = pass.member.model.reader.source;
      measure.note.expect(1);
      measure.note.add([{ error: error.at({ url: name }).toRecord() }]);
    }
    return undefined;
  }
}
