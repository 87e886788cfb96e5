import type {
  CallOptions,
  DrawAllRequest,
  DrawOutcome,
  DrawRequest,
  DrawResult,
  Histogram,
} from '../api/api';
import { unsupported } from '../base/data-errors';
import { toXylemError } from '../base/errors';
import type { EntryTree } from '../model/chain';
import { Failures } from '../pass/failures';
import type { TaskRunner } from '../pass/types';
import { type DrawOptions, NO_OPTIONS, parseOptions } from '../query/compile/draw-options';
import { type DrawSpec, parseDraw } from '../query/compile/draw-spec';
import type { FriendHost } from '../query/friends/friends';
import type { Source } from '../query/language/source';
import { EntryListMeasure } from './entry-list';
import { HistogramMeasure } from './histogram';
import { MAX_TOGETHER, notExact } from './histogram-shape';
import type { Labels } from './labels';
import { type Measure, measureAll } from './measure';
import type { Ask, MemberPass } from './member-pass';
import { cutSource, type Query, rulesOf, seedOf } from './members';
import type { KeptBytes } from './ranges';
import { SharedAxes } from './shared-axes';

/**
 * Memory for values that are kept until the axes of their histograms are known, in bytes. If it is full, the values
 * are read again.
 */
const KEPT_BYTES = 256 * 1024 * 1024;

/** See EngineApi.draw. Throws ARGUMENT, NOT_FOUND, UNSUPPORTED and ABORTED. */
export async function draw(
  tree: EntryTree,
  runner: TaskRunner,
  request: DrawRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<DrawResult> {
  const query = queryOf(tree, runner, request, friends, options);
  const kept: KeptBytes = { left: KEPT_BYTES, cells: MAX_TOGETHER };
  const measure = new DrawMeasure(query, request, kept, await notesFor([request]));
  const [outcome] = await measureAll(query, [measure]);
  if (outcome && 'result' in outcome) return outcome.result;
  throw outcome?.error;
}

/**
 * See EngineApi.drawAll. If one drawing is not valid, its result is an error. Throws the errors of reading the tree,
 * and ABORTED.
 */
export async function drawAll(
  tree: EntryTree,
  runner: TaskRunner,
  request: DrawAllRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<DrawOutcome[]> {
  const query = queryOf(tree, runner, request, friends, options);
  const kept: KeptBytes = { left: KEPT_BYTES, cells: MAX_TOGETHER };
  const shared = request.sameAxes ? new SharedAxes() : undefined;
  const noteOf = await notesFor(request.draws);
  const made = request.draws.map((one) => {
    try {
      return new DrawMeasure(query, { ...request, ...one }, kept, noteOf, shared);
    } catch (thrown) {
      return toXylemError(thrown);
    }
  });
  const measures = made.filter((one) => one instanceof DrawMeasure);
  const outcomes = (await measureAll(query, measures)).values();
  return made.map((one): DrawOutcome => {
    const outcome = one instanceof DrawMeasure ? outcomes.next().value : { error: one };
    if (outcome && 'result' in outcome) return outcome.result;
    return { kind: 'error', error: toXylemError(outcome?.error).toRecord() };
  });
}

function queryOf(
  tree: EntryTree,
  runner: TaskRunner,
  { entries, rootVersion, seed }: Pick<DrawRequest, 'entries' | 'rootVersion' | 'seed'>,
  friends: FriendHost,
  options: CallOptions,
): Query {
  const more = { rootVersion: rulesOf(rootVersion), seed: seedOf(seed) };
  return { tree, runner, entries, friends, options, ...more };
}

/** Returns what notes lists of different lengths in expressions; undefined if there are none, and their language is not loaded. */
async function notesFor(draws: readonly Drawn[]): Promise<NoteOf | undefined> {
  const isWritten = draws.some(({ branch, cut }) => branch === undefined || cut !== undefined);
  return isWritten ? (await import('./language')).pairedListsNote : undefined;
}

/** Returns a drawing of a branch. Throws NOT_FOUND, and UNSUPPORTED if the branch has no values to draw. */
function specOf({ tree }: Query, which: number | string): DrawSpec {
  const branch = tree.branch(which);
  if (branch.kind === 'number' || branch.kind === 'string')
    return { expressions: [{ text: branch.path, branch: branch.index }], axes: [] };
  throw unsupported(
    `${branch.path} (${branch.typeName}) does not hold numbers of one kind.`,
    'Draw one of its members, or read its values.',
    { path: branch.path },
  );
}

type Drawn = Pick<DrawRequest, 'branch' | 'cut'>;
type NoteOf = typeof import('./language').pairedListsNote;

/** Draws a request. When the first tree is open, it decides between a histogram and frequencies of strings. */
class DrawMeasure implements Measure {
  readonly note = new Failures();
  readonly sources: readonly Source[];
  readonly #spec: DrawSpec;
  readonly #asked: DrawOptions;
  readonly cut: Source | undefined;
  /** The expressions, x first, so x varies fastest in the cells. */
  readonly #expressions: Source[];
  #measure: Measure | undefined;
  #labels: Labels | undefined;

  /** Throws ARGUMENT if the request is not valid. */
  constructor(
    readonly query: Query,
    readonly request: DrawRequest,
    readonly kept: KeptBytes,
    readonly noteOf: NoteOf | undefined,
    readonly shared?: SharedAxes | undefined,
  ) {
    this.#spec = request.branch === undefined ? parseDraw(request.expr ?? '') : specOf(query, request.branch);
    this.#asked = request.option === undefined ? NO_OPTIONS : parseOptions(request.option);
    this.cut = cutSource(request.cut);
    this.#expressions = [...this.#spec.expressions].reverse();
    this.sources = this.cut ? [...this.#expressions, this.cut] : this.#expressions;
    if (this.#expressions.length > 0 && !this.#asked.entryList) return;
    if (request.exact) throw notExact();
    this.#measure = new EntryListMeasure(this.#spec.target ?? 'elist', this.cut, this.note);
  }

  get label(): string {
    return (this.#labels ?? this.#measure)?.label ?? '';
  }

  async open(pass: MemberPass): Promise<Ask | undefined> {
    if (!this.#measure && !this.#labels) await this.#choose(pass);
    return (this.#labels ?? this.#measure)?.open(pass);
  }

  /** Chooses a histogram or frequencies of texts. The branches of the first tree decide. */
  async #choose(pass: MemberPass): Promise<void> {
    const sources = this.#expressions;
    const strings: boolean[] = [];
    for (const source of sources) strings.push(await pass.isString(source));
    const [only] = sources;
    if (this.request.exact && strings.some(Boolean)) throw notExact();
    if (only && sources.length === 1 && strings[0] && !this.request.labels) {
      const { FrequencyMeasure } = await import('./frequencies');
      this.#measure = new FrequencyMeasure(only, this.cut, this.note);
      return;
    }
    // The averaged coordinate of a profile has no axis.
    if (this.#asked.profile !== undefined) strings[strings.length - 1] = false;
    if (strings.some(Boolean)) {
      const { Labels } = await import('./labels');
      this.#labels = new Labels(sources, strings, this.cut);
    } else this.#measure = this.#histogram(sources);
  }

  #histogram(sources: Source[]): HistogramMeasure {
    const wished = {
      ...{ spec: this.#spec, sources, cut: this.cut },
      ...{ request: this.request, asked: this.#asked },
    };
    return new HistogramMeasure(wished, this.kept, this.query.seed, this.note, this.shared);
  }

  settle(): Ask | undefined {
    return this.#labels ? undefined : this.#measure?.settle?.();
  }

  next(pass: MemberPass): Ask | undefined {
    return this.#labels ? this.#labels.next() : this.#measure?.next(pass);
  }

  again(): boolean {
    if (!this.#labels) return this.#measure?.again() ?? false;
    this.#measure = this.#histogram(this.#labels.labelled());
    this.#labels = undefined;
    return true;
  }

  partial(): Histogram | undefined {
    return this.#measure?.partial?.();
  }

  result(): DrawResult {
    // Without trees the result is an empty histogram.
    this.#measure ??= this.#histogram(this.#expressions);
    const result = this.#measure.result();
    const note = result.kind === 'histogram' && this.noteOf?.(this.query.tree.info, this.sources);
    return note ? { ...result, notes: [note] } : result;
  }
}
