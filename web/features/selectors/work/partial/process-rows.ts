import type { CallOptions, FileId, PartialNote } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Rows } from '../../../../api/rows';
import type { GatheredState, ProcessRequest, ProcessResult } from '../../../../api/selector';
import { throwIfAborted } from '../../../../base/abort';
import { toXylemError, WorkerLost, type XylemError } from '../../../../base/errors';
import { chooseEntries, countOf, sliceSelection } from '../../../../model/entry-choice';
import { addCounts, type BranchText, branchSources, countsOf, type OptionalCounts } from '../branches';
import { addState, checkAddsUp, ownOf } from '../gathered';
import type { Selected, SelectTask } from '../run';

/** Approximate memory of a block of rows, in bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** A part of a tree for a selector that is loaded already. `ownSet` are values of the sample, over those that it was loaded with. */
export type BoxTask = Omit<SelectTask, 'module' | 'set' | 'limitMs'> & {
  ownSet?: Readonly<Record<string, string>> | undefined;
};

/** A selector that runs outside the reader: in a page, in a worker without network access. */
export interface SelectorBox {
  branches: Readonly<Record<string, BranchText>>;
  where: string | undefined;
  /** Its result objects before anything is filled. */
  empty: GatheredState;
  /** Number of parts that are usefully processed at the same time. */
  concurrency: number;
  /** Runs the selector on rows, whose memory is moved to it. Throws the errors of its code, and TIMEOUT. */
  run(task: BoxTask, rows: Rows): Promise<Selected>;
  /** The selector's own merge; undefined if it has none. */
  merge: ((one: object, other: object) => Promise<object>) | undefined;
}

export interface ProcessRowsOptions extends CallOptions {
  /** Called whenever there are new results, with a function that returns those so far. */
  onSum?: ((sum: () => ProcessResult) => void) | undefined;
}

/** A tree or a chain, and the entries that are processed. */
export type RowsPlace = { file: FileId; isChain?: boolean | undefined } & Pick<
  ProcessRequest,
  'tree' | 'entries' | 'friends' | 'rootVersion' | 'sample'
>;

/**
 * Runs an external selector on a tree of a file. The reader provides rows of its expressions, block by block. A file
 * of a chain in which its code throws is left out. Throws the errors of reading and of the selector, and ABORTED.
 */
export async function processRows(
  reader: Pick<EngineApi, 'scan' | 'tree'>,
  { file, isChain = false, tree, entries: chosen, friends, rootVersion, sample }: RowsPlace,
  box: SelectorBox,
  { signal, onProgress, onSum }: ProcessRowsOptions = {},
): Promise<ProcessResult> {
  const inputs = branchSources(box.branches, sample?.branches);
  const { names } = inputs;
  if (sample) checkAddsUp(box.empty);
  const weights = sample?.weight === undefined ? [] : [sample.weight];
  const packed = [...inputs.sources, ...weights];
  const facts = {
    sample: sample?.name ?? '',
    weighted: weights.length > 0,
    ownSet: sample?.set,
    vary: sample?.vary ?? true,
  };
  const { entries: all } = await reader.tree(file, tree, { signal });
  const choice = chooseEntries(chosen, all);
  const total = countOf(choice.spans(choice.from, choice.to));
  const whole = chosen ?? [0, all];
  const sum = new FilesSum(box, isChain);
  let partial: PartialNote | undefined;
  const request = { tree, friends, rootVersion, columns: '', packed, names, cut: box.where };
  for (let from: number | undefined = choice.from; from !== undefined && !sum.ended; ) {
    const entries = sliceSelection(whole, from, all);
    const table = await reader.scan(file, { ...request, entries, maxBytes: BLOCK_BYTES }, { signal });
    const { packed: found = [], read = [], next } = table;
    partial = addNote(partial, table.partial);
    for (const one of read) {
      const own = await sum.of(one);
      const parts = found.filter(({ first }) => first === one.first);
      for (const { first: _, file: name, tree: path, lists, absent, without, ...rows } of parts) {
        if (!(await own.isFree())) break;
        own.optional = countsOf(inputs, absent);
        const some = {
          names: names.filter((__, i) => !without.includes(i)),
          without: names.filter((__, i) => without.includes(i)),
        };
        own.run({ ...facts, ...some, lists, file: name, tree: path }, rows, () =>
          onSum?.(() => sum.result()),
        );
      }
      own.entries += one.entries;
    }
    from = next;
    const entriesDone = countOf(choice.spans(choice.from, next ?? choice.to));
    onProgress?.({
      label: `Processing ${tree}`,
      ...{ bytesDone: 0, bytesTotal: 0, entriesDone, entriesTotal: total },
    });
  }
  await sum.finish();
  throwIfAborted(signal);
  sum.throwIfAll();
  return { ...sum.result(), partial: addNote(partial, sum.note) };
}

/** Returns a reader whose `process` runs such a selector, for code that adds the results of files. */
export function processingReader(
  reader: EngineApi,
  box: SelectorBox,
  watch: Pick<ProcessRowsOptions, 'onProgress' | 'onSum'> = {},
): EngineApi {
  return {
    ...reader,
    process: (file, { tree, rootVersion, sample }, options) =>
      processRows(reader, { file, tree, rootVersion, sample }, box, { ...options, ...watch }),
  };
}

/** The sum over the files of a chain. Each file counts as a whole or not at all. */
class FilesSum {
  #all: ProcessResult | undefined;
  #current: (FileSum & { first: number }) | undefined;
  #failure: XylemError | undefined;
  note: PartialNote | undefined;

  constructor(
    readonly box: SelectorBox,
    readonly isChain: boolean,
  ) {}

  /** Whether processing must stop: after any error with one file; with several, only after a fatal one. */
  get ended(): boolean {
    const failure = this.#current?.failure;
    return failure !== undefined && (!this.isChain || isFatal(failure));
  }

  /** Returns the sum of this file, after finishing that of the previous file. */
  async of({ first, file }: { first: number; file: string }): Promise<FileSum> {
    if (this.#current?.first === first) return this.#current;
    await this.finish();
    this.#current = Object.assign(new FileSum(this.box, file), { first });
    return this.#current;
  }

  /** Adds the file that was read last, or notes why it is missing. Throws if processing must stop. */
  async finish(): Promise<void> {
    const file = this.#current;
    if (!file) return;
    await file.settle();
    try {
      if (file.failure) throw file.failure;
      const { state, entries, passed, optional } = file;
      const all = this.#all;
      const merged = all && state && (await mergedOwn(this.box, all.state, state));
      this.#all = {
        state: state ? addState(all?.state, state, merged && (() => merged)) : (all?.state ?? this.box.empty),
        entries: (all?.entries ?? 0) + entries,
        passed: (all?.passed ?? 0) + passed,
        optional: addCounts(all?.optional, optional),
      };
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!this.isChain || isFatal(error)) throw error;
      this.#failure ??= error;
      const errors = [error.at({ url: file.name }).toRecord()];
      this.note = addNote(this.note, { failed: 1, total: 1, errors });
    }
    this.#current = undefined;
  }

  /** Throws if no file counts. */
  throwIfAll(): void {
    if (this.#failure && !this.#all) throw this.#failure;
  }

  /** Returns a copy of the sum so far. Files of a chain are included when they are complete. */
  result(): ProcessResult {
    const { state = this.box.empty, entries, passed, optional } = this.#all ?? this.#current ?? EMPTY;
    return structuredClone({ state, entries, passed, ...(optional && { optional }) });
  }
}

const EMPTY = { state: undefined, entries: 0, passed: 0, optional: undefined };

function isFatal(error: XylemError): boolean {
  return error instanceof WorkerLost || error.code === 'ABORTED' || error.code === 'TIMEOUT';
}

/** Returns the members that the selector itself merges, merged; undefined if there are none. */
async function mergedOwn(
  { merge }: SelectorBox,
  one: GatheredState,
  other: GatheredState,
): Promise<object | undefined> {
  return merge && Object.keys(ownOf(other)).length > 0 ? merge(ownOf(one), ownOf(other)) : undefined;
}

/** Adds parts, which come in any order. The selector's own merge is called in the order of the entries. */
class FileSum {
  entries = 0;
  passed = 0;
  state: GatheredState | undefined;
  optional: OptionalCounts | undefined;
  failure: XylemError | undefined;
  readonly #running = new Set<Promise<void>>();
  #parts = 0;
  /** Parts that wait for earlier ones. */
  readonly #waiting = new Map<number, Selected>();
  #next = 0;
  #merging: Promise<void> = Promise.resolve();

  constructor(
    readonly box: SelectorBox,
    readonly name: string,
  ) {}

  /** Waits until another part may run. Returns false when one has failed. */
  async isFree(): Promise<boolean> {
    while (this.#running.size >= this.box.concurrency && !this.failure) await Promise.race(this.#running);
    return !this.failure;
  }

  /** Runs a part; `then` is called after it was added. */
  run(task: Parameters<SelectorBox['run']>[0], rows: Rows, then: () => void): void {
    const part = this.#parts++;
    const work = (async () => {
      try {
        await this.#add(await this.box.run(task, rows), part);
        then();
      } catch (thrown) {
        this.failure ??= toXylemError(thrown);
      }
    })();
    const kept = work.finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #add(selected: Selected, part: number): Promise<void> {
    if (!this.box.merge) {
      this.#take(selected);
      return Promise.resolve();
    }
    this.#waiting.set(part, selected);
    this.#merging = this.#merging.then(() => this.#mergeNext());
    return this.#merging;
  }

  /** `merged` are the members that the selector's own merge returned. */
  #take({ state, passed }: Selected, merged?: object): void {
    this.passed += passed;
    this.state = addState(this.state, state, merged && (() => merged));
  }

  async #mergeNext(): Promise<void> {
    for (;;) {
      const one = this.#waiting.get(this.#next);
      if (!one) return;
      this.#waiting.delete(this.#next++);
      this.#take(one, this.state && (await mergedOwn(this.box, this.state, one.state)));
    }
  }
}

function addNote(sum: PartialNote | undefined, more: PartialNote | undefined): PartialNote | undefined {
  if (!sum || !more) return more ?? sum;
  const { failed, total, errors } = more;
  return {
    ...sum,
    failed: sum.failed + failed,
    total: sum.total + total,
    errors: [...sum.errors, ...errors],
  };
}
