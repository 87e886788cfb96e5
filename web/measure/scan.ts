import type { CallOptions, ScanRequest, Table, TableValue } from '../api/api';
import { XylemError } from '../base/errors';
import type { EntryTree } from '../model/chain';
import { chooseEntries, type EntryChoice, sliceSelection } from '../model/entry-choice';
import type { QueryResult } from '../pass/query-task';
import { runJob } from '../pass/run';
import type { TaskRunner } from '../pass/types';
import type { Compiled } from '../query/compile/compile';
import { parseColumns } from '../query/compile/draw-spec';
import type { FriendHost } from '../query/friends/friends';
import { titleOf } from '../query/language/source';
import { cutSource, jobOf, placeError } from './job';
import { forEachMember, type Query, QueryState, rulesOf, seedOf } from './members';
import { unitsOf } from './program-fill';
import { type EntryValues, valuesOf } from './table-values';

const DEFAULT_LIMIT = 1000;
/** Number of tasks that the first step reads at once. Each step in which nothing passed reads more. */
const FIRST_TASKS = 2;

/** Implements ReaderApi.scan. Reads task by task until there are enough rows. */
export async function readTable(
  tree: EntryTree,
  runner: TaskRunner,
  request: ScanRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<Table> {
  const sources = parseColumns(request.columns);
  const counts = request.count === true;
  const limit = counts ? Number.POSITIVE_INFINITY : Math.max(0, request.limit ?? DEFAULT_LIMIT);
  const choice = chooseEntries(request.entries, tree.info.entries);
  const cut = cutSource(request.cut);
  // Without a cut every entry passes, so entries beyond the limit are not read.
  const end = cut ? choice.to : entryAfter(choice, limit);
  const entries = sliceSelection(request.entries ?? [0, tree.info.entries], choice.from, end);
  const query: Query = {
    tree,
    runner,
    entries,
    cut,
    friends,
    rootVersion: rulesOf(request.rootVersion),
    seed: seedOf(request.seed),
    options,
  };
  const state = new QueryState(tree, entries, options, 'Scanning');
  const instances = request.by === 'instance';
  const rows = new Rows(sources.map(titleOf), limit, instances, counts);
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await jobOf(query, member, sources, instances ? 'scan' : 'table');
    if (counts && job.compiled.placed) throw placeError();
    state.begin(unitsOf(job));
    rows.begin(job.compiled);
    const outputs = job.compiled.outputs.map(({ kind }) => kind);
    const { first } = member.place;
    let step = FIRST_TASKS;
    for (let done = 0; done < job.tasks.length; step *= 2) {
      const tasks = job.tasks.slice(done, done + step).map((_, i) => done + i);
      const results: QueryResult[] = [];
      await runJob(job, tasks, {
        ...options,
        goal: () => ({ kind: 'rows', outputs }),
        onResult: (task, result) => {
          results[task] = result;
        },
        onFailures: state.onFailures,
        onBytes: (progress) => state.report(progress),
      });
      done += tasks.length;
      for (const result of results) if (result) rows.add(result, first);
      if (rows.full) {
        rows.next ??= first + (job.tasks[done]?.first ?? job.choice.to);
        return false;
      }
    }
    return true;
  });
  state.note.throwIfAll();
  return rows.table(choice, end, state.note.toNote());
}

/** Returns the entry after the first `count` chosen entries. */
function entryAfter(choice: EntryChoice, count: number): number {
  let left = count;
  const spans = choice.spans(choice.from, choice.to);
  for (let i = 0; i < spans.length; i += 2) {
    const [from = 0, to = 0] = spans.subarray(i, i + 2);
    if (to - from >= left) return from + left;
    left -= to - from;
  }
  return choice.to;
}

/** Collects the rows of a table in order. */
class Rows {
  readonly #entries: number[] = [];
  readonly #instances: number[] = [];
  readonly #values: Table['values'];
  #compiled: Pick<Compiled, 'outputs' | 'together'> = { outputs: [], together: false };
  #columns: Table['columns'] | undefined;
  #loops = false;
  /** The first entry that was not read or is left out. */
  next: number | undefined;
  readonly #counted = { rows: 0, entries: 0 };

  constructor(
    readonly titles: string[],
    readonly limit: number,
    readonly byInstance: boolean,
    readonly counts: boolean,
  ) {
    this.#values = titles.map(() => []);
  }

  get full(): boolean {
    return this.#entries.length >= this.limit;
  }

  /**
   * Starts the outputs of the next tree. With one row per entry, throws UNSUPPORTED if strings became
   * numbers, or a number became a list. With one row per instance each row is independent.
   */
  begin(compiled: Compiled): void {
    this.#compiled = compiled;
    const { outputs } = compiled;
    this.#loops ||= outputs.some(({ loops }) => loops);
    const columns = this.titles.map((title, i): Table['columns'][number] => {
      const output = outputs[i];
      const kind = output?.kind === 'string' ? 'string' : output?.integer ? 'integer' : 'number';
      const { dims = 0, dtype = 'f64', missing = false } = output ?? {};
      return { title, kind, list: !this.byInstance && dims > 0, dtype, missing };
    });
    const before = this.#columns ?? columns;
    for (const [i, { title, kind, list }] of columns.entries()) {
      const other = before[i] ?? { kind, list };
      if (this.byInstance || (other.list === list && (other.kind === 'string') === (kind === 'string')))
        continue;
      throw new XylemError({ code: 'UNSUPPORTED', message: `${title} is of another type than before.` });
    }
    this.#columns = before.map((column, i) => {
      const { kind, dtype, missing = false } = columns[i] ?? column;
      return {
        ...column,
        kind: column.kind === kind ? kind : 'number',
        dtype: column.dtype === dtype ? dtype : 'f64',
        missing: column.missing || missing,
      };
    });
  }

  /** Adds rows. Their entries are counted from `first`. */
  add(result: QueryResult, first: number): void {
    if (!result.entries) return;
    const readers = (result.outputs ?? []).map(valuesOf);
    for (const entry of result.entries) {
      if (this.full) {
        this.next ??= first + entry;
        return;
      }
      const values = readers.map((read) => read());
      if (this.counts) this.#count(values);
      else if (this.byInstance) this.#addInstances(first + entry, values);
      else this.#addEntry(first + entry, values);
    }
  }

  /** Number of rows of an entry, with those of which a cut that loops is 0. */
  #instancesOf(values: EntryValues[]): { count: number; cut: EntryValues | undefined } {
    const { outputs, together } = this.#compiled;
    const cut = together ? values[outputs.length - 1] : undefined;
    return { count: cut ? cut.length : Math.max(1, ...values.map((list) => list.length)), cut };
  }

  #count(values: EntryValues[]): void {
    let rows = 1;
    if (this.byInstance) {
      const { count, cut } = this.#instancesOf(values);
      rows = cut ? cut.filter((value) => value !== 0).length : count;
    }
    this.#counted.rows += rows;
    if (rows > 0) this.#counted.entries += 1;
  }

  #addEntry(entry: number, values: EntryValues[]): void {
    this.#entries.push(entry);
    values.forEach((list, i) => {
      const { dims = 0, kind } = this.#compiled.outputs[i] ?? {};
      const there = list.filter((value): value is TableValue => value !== undefined);
      this.#values[i]?.push(dims > 0 ? there : (there[0] ?? (kind === 'string' ? '' : Number.NaN)));
    });
  }

  /**
   * Adds one row per instance, as TTree::Scan does. If the cut loops, only the instances that pass are
   * added.
   */
  #addInstances(entry: number, values: EntryValues[]): void {
    const { outputs, together } = this.#compiled;
    const { count, cut } = this.#instancesOf(values);
    for (let instance = 0; instance < count; instance++) {
      if (cut && cut[instance] === 0) continue;
      if (this.full) {
        this.next ??= entry;
        return;
      }
      this.#entries.push(entry);
      this.#instances.push(instance);
      this.#values.forEach((column, i) => {
        const list = values[i] ?? [];
        const { dims = 0, loops = false, kind, text = false } = outputs[i] ?? {};
        // A single number of an entry is repeated in each of its rows; a text is only in the first row.
        const single = !together && dims === 0 && !loops && kind !== 'string';
        const value = single ? list[0] : text && instance > 0 ? undefined : list[instance];
        column.push(value ?? null);
      });
    }
  }

  table(choice: EntryChoice, end: number, partial: Table['partial']): Table {
    const next = choice.next(this.next ?? end);
    return {
      columns: this.#columns ?? [],
      entries: Float64Array.from(this.#entries),
      ...(this.byInstance && this.#loops && { instances: Float64Array.from(this.#instances) }),
      values: this.#values,
      next: next < choice.to ? next : undefined,
      ...(this.counts && { counted: this.#counted }),
      partial,
    };
  }
}
