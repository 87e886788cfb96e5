import type { CallOptions, FileId, PartialNote } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { Rows } from '../../api/rows';
import type { GatheredState, ProcessRequest, ProcessResult } from '../../api/selector';
import { throwIfAborted } from '../../base/abort';
import { chooseEntries, countOf, sliceSelection } from '../../model/entry-choice';
import type { Selected, SelectTask } from '../../pass/selector/run';
import { addState, ownOf } from '../gathered';

/** Rows are asked for in blocks of about this many bytes of memory. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** A selector that runs apart from the reader: in a page, in a place that can reach nothing. */
export interface SelectorBox {
  branches: Readonly<Record<string, string>>;
  where: string | undefined;
  /** Objects before anything was filled into them. */
  empty: GatheredState;
  /** Number of parts that may usefully be under way at once. */
  concurrency: number;
  /** Runs it on rows, which it takes over. Throws what its code throws, and TIMEOUT. */
  run(task: Pick<SelectTask, 'names' | 'lists' | 'file' | 'tree'>, rows: Rows): Promise<Selected>;
  /** The selector's own merge; undefined where it has none. */
  merge: ((one: object, other: object) => Promise<object>) | undefined;
}

export interface ProcessRowsOptions extends CallOptions {
  /** Gets a function that returns what was made until now, each time that there is more. */
  onSum?: ((sum: () => ProcessResult) => void) | undefined;
}

/** A tree or a chain, and the entries that are processed. */
export type RowsPlace = { file: FileId } & Pick<
  ProcessRequest,
  'tree' | 'entries' | 'friends' | 'rootVersion'
>;

/**
 * Runs a selector that is elsewhere on a tree of a file: the reader gives rows of its expressions, block by block. Throws
 * the errors of reading and of the selector, and ABORTED.
 */
export async function processRows(
  reader: Pick<EngineApi, 'scan' | 'tree'>,
  { file, tree, entries: chosen, friends, rootVersion }: RowsPlace,
  box: SelectorBox,
  { signal, onProgress, onSum }: ProcessRowsOptions = {},
): Promise<ProcessResult> {
  const names = Object.keys(box.branches);
  const exprs = Object.values(box.branches);
  const { entries: all } = await reader.tree(file, tree, { signal });
  const choice = chooseEntries(chosen, all);
  const total = countOf(choice.spans(choice.from, choice.to));
  const whole = chosen ?? [0, all];
  const sum = new RowsSum(box);
  const running = new Set<Promise<void>>();
  let failure: { thrown: unknown } | undefined;
  let partial: PartialNote | undefined;
  let number = 0;
  const request = { tree, friends, rootVersion, columns: '', packed: exprs, cut: box.where };
  for (let from: number | undefined = choice.from; from !== undefined && !failure; ) {
    const entries = sliceSelection(whole, from, all);
    const table = await reader.scan(file, { ...request, entries, maxBytes: BLOCK_BYTES }, { signal });
    const { packed = [], read = 0, next } = table;
    partial = addNote(partial, table.partial);
    for (const { file: name, tree: path, lists, ...rows } of packed) {
      while (running.size >= box.concurrency && !failure) await Promise.race(running);
      const part = number++;
      const work = (async () => {
        try {
          await sum.add(await box.run({ names, lists, file: name, tree: path }, rows), part);
          onSum?.(() => sum.result());
        } catch (thrown) {
          failure ??= { thrown };
        }
      })();
      const kept = work.finally(() => running.delete(kept));
      running.add(kept);
      if (failure) break;
    }
    if (failure) break;
    sum.entries += read;
    from = next;
    const entriesDone = countOf(choice.spans(choice.from, next ?? choice.to));
    onProgress?.({
      label: `Processing ${tree}`,
      ...{ bytesDone: 0, bytesTotal: 0, entriesDone, entriesTotal: total },
    });
  }
  await Promise.all(running);
  throwIfAborted(signal);
  if (failure) throw failure.thrown;
  return { ...sum.result(), partial };
}

/** A reader whose `process` runs such a selector, for what adds results of files. */
export function processingReader(
  reader: EngineApi,
  box: SelectorBox,
  watch: Pick<ProcessRowsOptions, 'onProgress' | 'onSum'> = {},
): EngineApi {
  return {
    ...reader,
    process: (file, { tree }, options) => processRows(reader, { file, tree }, box, { ...options, ...watch }),
  };
}

/** The sum of parts that come in any order; what the selector merges itself is merged in the order of the entries. */
class RowsSum {
  entries = 0;
  #passed = 0;
  #state: GatheredState | undefined;
  /** Parts that wait for earlier ones. */
  readonly #waiting = new Map<number, Selected>();
  #next = 0;
  #merging: Promise<void> = Promise.resolve();

  constructor(readonly box: SelectorBox) {}

  add(selected: Selected, part: number): Promise<void> {
    if (!this.box.merge) {
      this.#take(selected);
      return Promise.resolve();
    }
    this.#waiting.set(part, selected);
    this.#merging = this.#merging.then(() => this.#mergeNext());
    return this.#merging;
  }

  /** `merged` are the members that the selector has merged. */
  #take({ state, passed }: Selected, merged?: object): void {
    this.#passed += passed;
    this.#state = addState(this.#state, state, merged && (() => merged));
  }

  async #mergeNext(): Promise<void> {
    for (;;) {
      const one = this.#waiting.get(this.#next);
      if (!one) return;
      this.#waiting.delete(this.#next++);
      const before = this.#state && ownOf(this.#state);
      const merged = before && (await this.box.merge?.(before, ownOf(one.state)));
      this.#take(one, merged);
    }
  }

  /** A copy: the sum goes on. */
  result(): ProcessResult {
    const state = structuredClone(this.#state ?? this.box.empty);
    return { state, entries: this.entries, passed: this.#passed };
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
