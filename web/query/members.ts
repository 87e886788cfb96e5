import { type ErrorRecord, toXylemError } from '../base/errors';
import type { CallOptions, EntrySelection, FilledHistogram } from '../file/api';
import { ChainTree, type EntryTree, membersOf } from '../file/chain';
import type { DataModel } from '../file/data-model';
import { chooseEntries, countOf } from '../file/entry-choice';
import { Failures } from '../file/failures';
import type { ScanProgress } from '../file/scan';
import { throttle } from '../file/throttle';
import { type Catalog, catalogOf } from './catalog';
import type { EntryPlace } from './compile';
import type { QueryJob } from './run';

/** A tree whose entries are looked at: the only one, or that of one file of a chain. */
export interface QueryMember {
  model: DataModel;
  catalog: Catalog;
  place: EntryPlace;
  /** Counted from the tree's own first. */
  entries: EntrySelection | undefined;
}

/** The entries that a selection chooses of a tree or a chain. */
export function countChosen(tree: EntryTree, entries: EntrySelection | undefined): number {
  const choice = chooseEntries(entries, tree.info.entries);
  return countOf(choice.spans(choice.from, choice.to));
}

/** What has been read so far, what could not be, and its reports. */
export class QueryState {
  readonly note = new Failures();
  readonly #report: ReturnType<typeof throttle>;
  readonly #entries: number;
  /** Of the members before. */
  #before: ScanProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  #last = this.#before;
  /** Entries that were looked at. */
  rows = 0;

  constructor(
    readonly tree: EntryTree,
    entries: EntrySelection | undefined,
    options: CallOptions,
    readonly label: string,
  ) {
    this.#entries = countChosen(tree, entries);
    this.#report = throttle(options.onProgress);
    const { partial } = tree.info;
    if (!partial) return;
    this.note.expect(partial.failed);
    this.note.add(partial.errors.map((error) => ({ error })));
  }

  /** To be told of each job before it runs. */
  begin(job: QueryJob): void {
    const sum = (a: number, b: number): number => a + b;
    this.note.expect(
      Math.max(
        1,
        job.tasks.map((task) => task.columns.map((column) => column.length).reduce(sum, 0)).reduce(sum, 0),
      ),
    );
    this.#before = {
      ...this.#before,
      bytesDone: this.#before.bytesDone + this.#last.bytesDone,
      entriesDone: this.#before.entriesDone + this.#last.entriesDone,
    };
    this.#last = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
  }

  readonly onFailures = (errors: ErrorRecord[]): void => {
    this.note.add(errors.map((error) => ({ error })));
  };

  report(progress: ScanProgress, filled?: () => FilledHistogram): void {
    this.#last = { ...progress };
    this.#report(() => ({
      label: this.label,
      bytesDone: this.#before.bytesDone + progress.bytesDone,
      bytesTotal: this.#before.bytesDone + progress.bytesTotal,
      entriesDone: this.#before.entriesDone + progress.entriesDone,
      entriesTotal: this.#entries,
      ...(filled && { filled: filled() }),
    }));
  }
}

/**
 * Runs something for the tree, or for each of a chain that holds chosen entries, in order, until it
 * returns false. What fails in a file after one that did not is noted, and the file left out: an
 * expression that the first one cannot be asked is wrong, one that another cannot be is not.
 */
export async function forEachMember(
  tree: EntryTree,
  entries: EntrySelection | undefined,
  note: Failures,
  options: CallOptions,
  // biome-ignore lint/suspicious/noConfusingVoidType: most loops never end early and return nothing.
  run: (member: QueryMember) => Promise<boolean | void>,
): Promise<void> {
  let some = false;
  const total = tree.info.entries;
  for await (const member of membersOf(tree, entries, options)) {
    if ('error' in member) {
      note.expect(1);
      note.add([member]);
      continue;
    }
    const { tree: model, first } = member;
    const place = { first, entries: total };
    try {
      const goOn = await run({ model, catalog: catalogOf(model), place, entries: member.entries });
      if (goOn === false) return;
      some = true;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!some || error.code === 'ABORTED') throw error;
      note.expect(1);
      note.add([{ error: error.at({ url: model.reader.source.name }).toRecord() }]);
    }
  }
  // Without entries nothing was compiled, and nothing was found to be wrong.
  if (some || !(tree instanceof ChainTree) || total === 0) return;
  for await (const member of membersOf(tree, [0, 1], options)) {
    if ('error' in member) continue;
    const { tree: model, first } = member;
    await run({ model, catalog: catalogOf(model), place: { first, entries: total }, entries: [0, 0] });
    return;
  }
}
