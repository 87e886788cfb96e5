import { XylemError } from '../base/errors';
import { decodeText } from '../core/tape';
import type { CallOptions, Table, TableRequest, TableValue } from '../file/api';
import type { EntryTree } from '../file/chain';
import { chooseEntries, type EntryChoice, sliceSelection } from '../file/entry-choice';
import type { OutputValues, QueryResult } from '../file/query-task';
import type { TaskRunner } from '../file/scan';
import type { CompiledOutput } from './compile';
import { cutSource, jobOf, titleOf } from './draw';
import { parseColumns } from './draw-spec';
import type { FriendHost } from './friends';
import { forEachMember, type Query, QueryState } from './members';
import { runJob } from './run';

const DEFAULT_LIMIT = 1000;
/** Tasks that are read at once, more with each step in which nothing passed. */
const FIRST_TASKS = 2;

/** TTree::Scan: see ReaderApi.table. Reads on, task by task, until enough entries pass. */
export async function readTable(
  tree: EntryTree,
  runner: TaskRunner,
  request: TableRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<Table> {
  const sources = parseColumns(request.columns);
  const limit = Math.max(0, request.limit ?? DEFAULT_LIMIT);
  const choice = chooseEntries(request.entries, tree.info.entries);
  const cut = cutSource(request.cut);
  // Without a cut every entry passes: nothing is read for those beyond the limit.
  const end = cut ? choice.to : behind(choice, limit);
  const entries = sliceSelection(request.entries ?? [0, tree.info.entries], choice.from, end);
  const query: Query = { tree, runner, entries, cut, friends, options };
  const state = new QueryState(tree, entries, options, 'Scanning');
  const rows = new Rows(sources.map(titleOf), limit);
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await jobOf(query, member, sources, 'table');
    state.begin(job);
    rows.begin(job.compiled.outputs);
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

/** Behind so many chosen entries. */
function behind(choice: EntryChoice, count: number): number {
  let left = count;
  const spans = choice.spans(choice.from, choice.to);
  for (let i = 0; i < spans.length; i += 2) {
    const [from = 0, to = 0] = spans.subarray(i, i + 2);
    if (to - from >= left) return from + left;
    left -= to - from;
  }
  return choice.to;
}

/** The rows of a table as they come, in order. */
class Rows {
  readonly #entries: number[] = [];
  readonly #values: Table['values'];
  #outputs: CompiledOutput[] = [];
  #columns: Table['columns'] | undefined;
  /** The first entry that was not looked at, or is left out. */
  next: number | undefined;

  constructor(
    readonly titles: string[],
    readonly limit: number,
  ) {
    this.#values = titles.map(() => []);
  }

  get full(): boolean {
    return this.#entries.length >= this.limit;
  }

  /** The outputs of the next tree. Throws UNSUPPORTED where strings became numbers or the reverse. */
  begin(outputs: CompiledOutput[]): void {
    this.#outputs = outputs;
    const columns = this.titles.map((title, i): Table['columns'][number] => {
      const output = outputs[i];
      const kind = output?.kind === 'string' ? 'string' : output?.integer ? 'integer' : 'number';
      const { dims = 0, dtype = 'f64', missing = false } = output ?? {};
      return { title, kind, list: dims > 0, dtype, missing };
    });
    const before = this.#columns ?? columns;
    for (const [i, { title, kind, list }] of columns.entries()) {
      const other = before[i] ?? { kind, list };
      if (other.list === list && (other.kind === 'string') === (kind === 'string')) continue;
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

  /** Rows of entries that are counted from `first`. */
  add(result: QueryResult, first: number): void {
    if (!result.entries) return;
    const readers = (result.outputs ?? []).map((output, i) => valueReader(output, this.#outputs[i]));
    for (const entry of result.entries) {
      if (this.full) {
        this.next ??= first + entry;
        return;
      }
      this.#entries.push(first + entry);
      readers.forEach((read, i) => {
        this.#values[i]?.push(read());
      });
    }
  }

  table(choice: EntryChoice, end: number, partial: Table['partial']): Table {
    const next = choice.next(this.next ?? end);
    return {
      columns: this.#columns ?? [],
      entries: Float64Array.from(this.#entries),
      values: this.#values,
      next: next < choice.to ? next : undefined,
      partial,
    };
  }
}

/** Gives the values of one entry after another. */
function valueReader(
  { counts, values, strings }: OutputValues,
  output: CompiledOutput | undefined,
): () => TableValue | TableValue[] {
  let row = 0;
  let at = 0;
  const lengths = strings && new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
  const one = (): TableValue => {
    if (!strings || !lengths) return values[at++] ?? Number.NaN;
    const length = lengths.getInt32(at, true);
    const text = decodeText(strings.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    return text;
  };
  return () => {
    const list = Array.from({ length: counts[row++] ?? 0 }, one);
    if ((output?.dims ?? 0) > 0) return list;
    return list[0] ?? (output?.kind === 'string' ? '' : Number.NaN);
  };
}
