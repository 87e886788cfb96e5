import type { CallOptions, Table } from '../api/api';
import type { PackedRows, PackedTable, RowsRequest } from '../api/engine-api';
import type { OutputValues, Rows } from '../api/rows';
import { unsupported } from '../base/data-errors';
import type { ErrorRecord } from '../base/errors';
import type { EntryTree } from '../model/chain';
import { chooseEntries, type EntryChoice, sliceSelection } from '../model/entry-choice';
import { rowsGoal } from '../pass/goals/rows';
import type { TaskRunner } from '../pass/types';
import type { Compiled } from '../query/compile/compile';
import { parseColumns } from '../query/compile/draw-spec';
import type { FriendHost } from '../query/friends/friends';
import { titleOf } from '../query/language/source';
import { MemberPass } from './member-pass';
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
  seedOf,
  selectorSource,
} from './members';
import { addValues, bytesOf, type EntryValues, lackOfFriends, valuesOf } from './table-values';

const DEFAULT_LIMIT = 1000;
/** Number of tasks that the first step reads. If no entry passes in a step, the next one is larger. */
const FIRST_TASKS = 2;
/** Estimate: at least one of this many entries passes a cut. */
const FEW = 16;
/**
 * Minimum size of a range of entries that is planned for a table with a limit of bytes. Tasks do not cross its end,
 * because highly compressed values can have millions of entries in one task.
 */
const PLANNED_BYTES = 2 * 1024 * 1024;

/** See EngineApi.scan. Reads task by task until there are enough rows, or enough bytes of rows. */
export async function readTable(
  tree: EntryTree,
  runner: TaskRunner,
  request: RowsRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<PackedTable> {
  const { packed, names = [] } = request;
  const asked = packed?.map(selectorSource) ?? parseColumns(request.columns);
  const counts = request.count === true;
  const all = Number.POSITIVE_INFINITY;
  const maxBytes = counts ? all : (request.maxBytes ?? all);
  const limit = counts ? all : Math.max(0, request.limit ?? (maxBytes < all ? all : DEFAULT_LIMIT));
  const choice = chooseEntries(request.entries, tree.info.entries);
  const cut = cutSource(
    request.cut,
    namesOf(
      names,
      asked.map(({ text }) => text),
    ),
  );
  // Without a cut every entry passes, so entries beyond the limit are not read.
  const last = cut ? choice.to : entryAfter(choice, limit);
  const rowBytes = 8 * asked.length;
  const planned = Math.ceil((Math.max(2 * maxBytes, PLANNED_BYTES) * (cut ? FEW : 1)) / rowBytes);
  const end = maxBytes < all ? Math.min(last, entryAfter(choice, planned)) : last;
  const entries = sliceSelection(request.entries ?? [0, tree.info.entries], choice.from, end);
  const query: Query = {
    ...{ tree, runner, entries, friends, options },
    ...{ rootVersion: rulesOf(request.rootVersion), seed: seedOf(request.seed) },
  };
  const progress = new QueryProgress(query);
  const note = chainNote(tree);
  const instances = request.by === 'instance';
  const table = new TableRows(asked.map(titleOf), limit, instances, counts);
  const written = cut ? [...asked, cut] : asked;
  const read: PackedTable['read'] = [];
  await forEachMember(query, written, [note], async (member) => {
    const pass = new MemberPass(query, member);
    const mode = instances ? 'scan' : 'table';
    const { sources, texts, absent } = await pass.inTree(asked);
    const without = absent.filter((i) => texts[i] === undefined);
    const ownCut = cut && names.length > 0 ? { ...cut, names: namesOf(names, texts) } : cut;
    const compiled = await pass.compile(sources, ownCut, mode);
    if (counts && compiled.placed) throw placeError();
    if (packed && request.placed !== true && (compiled.placed || compiled.random)) throw placeError();
    const program = pass.program(compiled);
    const select = ownCut && {
      text: ownCut.text,
      program: pass.program(await pass.compile([], ownCut, 'table')),
    };
    await pass.open();
    table.begin(compiled, member, packed !== undefined);
    const results: Rows[] = [];
    const kinds = compiled.outputs.map(({ kind }) => kind);
    const goal = rowsGoal(program, kinds, (found, { number }) => {
      results[number] = found;
    });
    note.expect(Math.max(1, pass.unitsOf([goal])));
    const { tasks } = pass;
    const { first } = member.place;
    const { name: file } = member.model.reader.source;
    const before = read.at(-1);
    const own = before?.first === first ? before : { first, file, entries: 0 };
    if (own !== before) read.push(own);
    const to = tasks.at(-1)?.to ?? 0;
    // A task that the planned end divides is decoded completely with the next table.
    const divided = end < last && first + to >= end && (table.some || tasks.length > 1);
    const count = tasks.length - (divided ? 1 : 0);
    const bytesOfTask = (task: number): number => rowBytes * (tasks[task]?.chosen ?? 0);
    // The fraction of the values that passes.
    let share = 1;
    let wanted = 0;
    let step = FIRST_TASKS;
    for (let done = 0; done < count; step *= 2) {
      const only: number[] = [];
      let bytes = table.bytes;
      for (let task = done; task < Math.min(count, done + step); task++) {
        if (task > done && bytes >= maxBytes) break;
        only.push(task);
        bytes += share * bytesOfTask(task);
        wanted += bytesOfTask(task);
      }
      progress.begin();
      const onFailures = (errors: ErrorRecord[]): void => note.addErrors(errors);
      const onPart = ({ rows }: { rows: number }): void => {
        own.entries += rows;
      };
      await pass.run([{ goals: [goal], select, only, onPart, onFailures }], (now) =>
        progress.report(now, 'Scanning'),
      );
      for (let task = done; task < done + only.length; task++) {
        const found = results[task];
        if (found && packed)
          table.addPacked(found, {
            ...{ first, file, absent, without },
            tree: pathIn(tree, member.model, request.tree),
          });
        else if (found) table.add(found, first);
        delete results[task];
      }
      done += only.length;
      if (cut) share = Math.min(1, Math.max(table.bytes / wanted, 1 / FEW));
      if (table.full || table.bytes >= maxBytes) {
        table.next ??= first + (tasks[done]?.from ?? to);
        return false;
      }
    }
    if (divided) table.next ??= first + (tasks[count]?.from ?? to);
    return !divided;
  });
  note.throwIfAll();
  const made = table.table(choice, end, note.toNote(), packed !== undefined);
  return packed ? { ...made, read } : made;
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
class TableRows {
  readonly #entries: number[] = [];
  readonly #instances: number[] = [];
  readonly #values: Table['values'];
  #compiled: Pick<Compiled, 'outputs' | 'together'> = { outputs: [], together: false };
  #columns: Table['columns'] | undefined;
  #loops = false;
  /** Estimated memory of all values in bytes. */
  bytes = 0;
  /** The first entry that was not read or not included. */
  next: number | undefined;
  readonly #counted = { rows: 0, entries: 0 };
  readonly #packed: PackedRows[] = [];
  /** For each column, a function that returns whether an entry has no value; undefined if all have one. */
  #lacks: (((entry: number) => boolean) | undefined)[] = [];

  constructor(
    readonly titles: string[],
    readonly limit: number,
    readonly byInstance: boolean,
    readonly counts: boolean,
  ) {
    this.#values = titles.map(() => []);
  }

  get some(): boolean {
    return this.#entries.length + this.#packed.length > 0;
  }

  get full(): boolean {
    return this.#entries.length >= this.limit;
  }

  /**
   * Starts the outputs of the next tree. With one row per entry, throws UNSUPPORTED if strings became
   * numbers, or a number became a list. With one row per instance each row is independent.
   */
  begin(compiled: Compiled, member: QueryMember, packed: boolean): void {
    this.#compiled = compiled;
    const { outputs } = compiled;
    const lackOf = lackOfFriends(member);
    this.#lacks = outputs.map(({ lacking }) => lackOf(lacking));
    this.#loops ||= outputs.some(({ loops }) => loops);
    const columns = this.titles.map((title, i): Table['columns'][number] => {
      const output = outputs[i];
      const kind = output?.kind === 'string' ? 'string' : output?.integer ? 'integer' : 'number';
      const { dims = 0, dtype = 'f64', missing = false, lacking: [friend = -1] = [] } = output ?? {};
      const { lacking } = member.scopes?.friends[friend] ?? {};
      return { title, kind, list: !this.byInstance && dims > 0, dtype, missing, ...(lacking && { lacking }) };
    });
    const before = this.#columns ?? columns;
    for (const [i, { title, kind, list }] of columns.entries()) {
      const other = before[i] ?? { kind, list };
      // Packed rows already contain which columns are lists.
      if (
        packed ||
        this.byInstance ||
        (other.list === list && (other.kind === 'string') === (kind === 'string'))
      )
        continue;
      throw unsupported(`${title} is of another type than before.`);
    }
    this.#columns = before.map((column, i) => {
      const { kind, dtype, missing = false, lacking } = columns[i] ?? column;
      return {
        ...column,
        kind: column.kind === kind ? kind : 'number',
        dtype: column.dtype === dtype ? dtype : 'f64',
        missing: column.missing || missing,
        ...(lacking && { lacking }),
      };
    });
  }

  /** Adds packed rows unchanged. */
  addPacked(rows: Rows, place: Omit<PackedRows, keyof Rows | 'lists'>): void {
    const lists = this.#compiled.outputs.map(({ dims, kind, text }) =>
      kind === 'string' ? !text : dims > 0,
    );
    this.#packed.push({ ...rows, ...place, lists });
    for (const { counts, strings, values } of rows.outputs)
      this.bytes += counts.byteLength + (strings ?? values).byteLength;
  }

  /** Adds rows. Their entries are relative to `first`. */
  add({ entries, outputs }: Rows, first: number): void {
    if (!this.counts && !this.byInstance) {
      this.#addEntries(first, entries, outputs);
      return;
    }
    const readers = outputs.map(valuesOf);
    for (const entry of entries) {
      if (this.full) {
        this.next ??= first + entry;
        return;
      }
      const values = readers.map((read) => read());
      if (this.counts) this.#count(values);
      else this.#addInstances(first + entry, values);
    }
  }

  /** Returns the number of rows of an entry, including instances for which a looping cut is 0. */
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

  /** Adds one row per entry, column by column. */
  #addEntries(first: number, entries: Float64Array, outputs: readonly OutputValues[]): void {
    const rows = Math.min(entries.length, this.limit - this.#entries.length);
    if (rows < entries.length) this.next ??= first + (entries[rows] ?? 0);
    for (let row = 0; row < rows; row++) this.#entries.push(first + (entries[row] ?? 0));
    for (const [i, column] of this.#values.entries()) {
      const output = outputs[i];
      const lists = (this.#compiled.outputs[i]?.dims ?? 0) > 0;
      const lack = this.#lacks[i];
      const lacks = lack && ((row: number): boolean => lack(entries[row] ?? 0));
      if (output) this.bytes += addValues(column, output, rows, lists, lacks);
    }
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
        // A single number is repeated in each row of its entry; a text is only in the first row.
        const single = !together && dims === 0 && !loops && kind !== 'string';
        const value = single ? list[0] : text && instance > 0 ? undefined : list[instance];
        column.push(value ?? null);
        this.bytes += bytesOf(value ?? null);
      });
    }
  }

  table(choice: EntryChoice, end: number, partial: Table['partial'], packed: boolean): PackedTable {
    const next = choice.next(this.next ?? end);
    return {
      columns: this.#columns ?? [],
      entries: Float64Array.from(this.#entries),
      ...(this.byInstance && this.#loops && { instances: Float64Array.from(this.#instances) }),
      values: this.#values,
      next: next < choice.to ? next : undefined,
      ...(this.counts && { counted: this.#counted }),
      ...(packed && { packed: this.#packed }),
      partial,
    };
  }
}
