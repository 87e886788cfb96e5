import { decodeText } from '../core/tape';
import type { CallOptions, Table, TableRequest, TableValue } from '../file/api';
import type { DataModel } from '../file/data-model';
import type { OutputValues, QueryResult } from '../file/query-task';
import type { TaskRunner } from '../file/scan';
import type { Catalog } from './catalog';
import { type Compiled, type CompiledOutput, compile } from './compile';
import { cutSource, progressOf, titleOf } from './draw';
import { parseColumns } from './draw-spec';
import { planJob, runJob } from './run';

const DEFAULT_LIMIT = 1000;
/** Tasks that are read at once, more with each step in which nothing passed. */
const FIRST_TASKS = 2;

/** TTree::Scan: see ReaderApi.table. Reads on, task by task, until enough entries pass. */
export async function readTable(
  tree: DataModel,
  catalog: Catalog,
  runner: TaskRunner,
  request: TableRequest,
  options: CallOptions,
): Promise<Table> {
  const sources = parseColumns(request.columns);
  const cut = cutSource(request.cut);
  const limit = Math.max(0, request.limit ?? DEFAULT_LIMIT);
  const compiled = compile(tree, catalog, sources, cut, 'table');
  const select = cut && compile(tree, catalog, [], cut, 'table');
  const [from, to] = request.entries ?? [0, tree.info.entries];
  // Without a cut every entry passes: nothing is read for those beyond the limit.
  const end = cut ? to : Math.min(to, from + limit);
  const job = planJob(tree, runner, compiled, select, [from, end]);
  const state = progressOf(job, options, 'Scanning');
  const outputs = compiled.outputs.map(({ kind }) => kind);
  const results: QueryResult[] = [];
  let found = 0;
  let step = FIRST_TASKS;
  let done = 0;
  while (done < job.tasks.length && found < limit) {
    const tasks = job.tasks.slice(done, done + step).map((_, i) => done + i);
    await runJob(job, tasks, {
      ...options,
      goal: () => ({ kind: 'rows', outputs }),
      onResult: (task, result) => {
        results[task] = result;
        found += result.entries?.length ?? 0;
      },
      onFailures: state.onFailures,
      onBytes: (progress) => state.report(progress),
    });
    done += tasks.length;
    step *= 2;
  }
  state.note.throwIfAll();
  return toTable(sources.map(titleOf), compiled, results, limit, {
    partial: state.note.toNote(),
    looked: done < job.tasks.length ? (job.tasks[done]?.first ?? to) : end,
    end: Math.min(to, tree.info.entries),
  });
}

function toTable(
  titles: string[],
  compiled: Compiled,
  results: QueryResult[],
  limit: number,
  rest: { partial: Table['partial']; looked: number; end: number },
): Table {
  const entries: number[] = [];
  const values: Table['values'] = titles.map(() => []);
  let next: number | undefined = rest.looked < rest.end ? rest.looked : undefined;
  outer: for (const result of results) {
    if (!result?.entries) continue;
    const readers = (result.outputs ?? []).map((output, i) => valueReader(output, compiled.outputs[i]));
    for (const entry of result.entries) {
      if (entries.length >= limit) {
        next = entry;
        break outer;
      }
      entries.push(entry);
      readers.forEach((read, i) => {
        values[i]?.push(read());
      });
    }
  }
  return {
    columns: titles.map((title, i) => {
      const output = compiled.outputs[i];
      const kind = output?.kind === 'string' ? 'string' : output?.integer ? 'integer' : 'number';
      return { title, kind, list: (output?.dims ?? 0) > 0 };
    }),
    entries: Float64Array.from(entries),
    values,
    next,
    partial: rest.partial,
  };
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
