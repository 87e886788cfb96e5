import { basename, join } from 'node:path';
import type { Histogram } from '../../../api/api';
import type { Gathered, GatheredState, ProcessResult } from '../../../api/selector';
import type { Sink } from '../../../api/sink';
import { type Context, refuseTerminal } from '../../../cli/context';
import { roundedSum } from '../../../core/sums/exact-sums';
import type { RootWriter } from '../../../library/write';
import { fileSink } from '../../../sinks/node-file-sink';
import { memorySink } from '../../../sinks/sink';
import type { Counted, CounterResult } from '../work/kinds/counter';
import { isOf, kindOf } from '../work/kinds/kinds';
import { type LabelsResult, labelsInOrder } from '../work/kinds/labels';
import { blocksOf, type RowsResult } from '../work/kinds/rows';
import type { ScaledSample } from '../work/partial/samples';
import type { ShownHistogram } from './cell-rows';
import { fileNames } from './file-names';
import type { TableRows } from './tables/row-reader';
import { eachFile, type RowsGiven, rowsOfFiles, saveDataSet } from './tables/save-rows';
import { putRows, type RootForm, withRows } from './tables/write-rows';

/** How results are written. */
interface How {
  context: Pick<Context, 'open'>;
  /** How tables are written. */
  form: RootForm | undefined;
}

type Save = (file: RootWriter, path: string, one: Gathered, made: Made, how: How) => Promise<void>;

/** Writers of results into a ROOT file, by their kinds. Results of other kinds are left out. */
const SAVED: Readonly<Record<string, Save | undefined>> = {
  histogram: (file, path, one, { entries }) =>
    file.histogram(path, kindOf(one).value(one, path, entries) as Histogram),
  grid: (file, path, one, { entries }) =>
    file.histogram(path, kindOf(one).value(one, path, entries) as ShownHistogram),
  table: (file, path, one, _made, how) => saveTable(file, path, tableOf(one as RowsResult), how),
  async counter(file, path, one) {
    await saveCounted(file, path, [[path.slice(path.lastIndexOf('/') + 1), one as CounterResult]]);
  },
  async labels(file, path, one) {
    await saveCounted(file, path, labelsInOrder(one as LabelsResult));
  },
};

/** Returns a table with its rows in order. */
export function tableOf(one: RowsResult): TableRows {
  return { columns: one.columns, blocks: blocksOf(one) };
}

function saveTable(file: RootWriter, path: string, table: TableRows, { context, form }: How): Promise<void> {
  return withRows(table, context, (rows) => putRows(file, path, table, rows, { form }));
}

/**
 * Writes sums of weights as a TH1D whose bins have their labels and errors. If there are weights, the numbers of entries are in a
 * second one, NAME_raw.
 */
async function saveCounted(
  file: RootWriter,
  path: string,
  all: readonly (readonly [label: string, counted: Counted])[],
): Promise<void> {
  if (all.length === 0) return;
  const sums = all.map(([, { sum }]) => roundedSum(sum, 0));
  const counts = all.map(([, { count = Number.NaN }]) => count);
  // Results of earlier versions have no errors.
  const squares = all.map(([, { squares }], i) => (squares ? roundedSum(squares, 0) : (sums[i] ?? 0)));
  const titles = all.map(([label]) => label);
  const known = counts.every((one) => !Number.isNaN(one));
  const fills = known ? counts.reduce((sum, one) => sum + one, 0) : 0;
  await file.histogram(path, labelled(path, titles, { sums, squares, fills }));
  if (known && sums.some((sum, i) => sum !== counts[i]))
    await file.histogram(
      `${path}_raw`,
      labelled(`${path}_raw`, titles, { sums: counts, squares: counts, fills }),
    );
}

function labelled(
  path: string,
  labels: string[],
  { sums, squares, fills }: { sums: number[]; squares: number[]; fills: number },
): Histogram {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const weight = sums.reduce((sum, one) => sum + one, 0);
  const squared = squares.reduce((sum, one) => sum + one, 0);
  const none = [Number.NaN];
  return {
    ...{ kind: 'histogram', title: name, name, profile: false, entries: fills, fills, nan: 0 },
    axes: [{ title: '', bins: labels.length, low: 0, high: labels.length, labels, grows: false }],
    ...{
      valueTitle: undefined,
      sums: Float64Array.of(0, ...sums, 0),
      squares: Float64Array.of(0, ...squares, 0),
    },
    ...{ weight, effective: squared > 0 ? weight ** 2 / squared : 0, covariance: 0 },
    ...{ mean: none, stdDev: none, min: none, max: none, integer: [false] },
  };
}

/** Returns a sentence about the results that a ROOT file does not get, or undefined if it gets all. */
export function leftOut(state: GatheredState): string | undefined {
  const names = Object.keys(state).filter((name) => !SAVED[state[name]?.kind ?? '']);
  if (names.length === 0) return undefined;
  return `${names.join(', ')}: only histograms, tables, counters and labels are in a ROOT file`;
}

/**
 * Writes a ROOT file with all results that it can hold to a file or, with "-", to stdout. Results of a sample are in its directory
 * "samples/NAME". With a folder, each table is in files of its own there, and the other results are in "results.root".
 */
export async function saveMade(
  target: string,
  made: Made,
  samples: readonly ScaledSample[] | undefined,
  given: RootGiven,
  context: Context,
): Promise<void> {
  const { force, 'table-format': form } = given;
  const how = { context, form: form === 'rntuple' ? ('ntuple' as const) : undefined };
  const most = rowsOfFiles(target, given);
  if (most !== undefined) {
    await saveRootFiles(target, made, samples, { given, how, most }, context);
    return;
  }
  if (target === '-') refuseTerminal(context.out);
  // A stream gets the file as a whole, because its start is written last.
  const memory = target === '-' ? memorySink() : undefined;
  const sink = memory ?? fileSink(target, { replace: force ?? false });
  await writeMade(sink, basename(target), made, samples, how, context);
  if (memory) await context.out.write(memory.bytes());
}

async function writeMade(
  sink: Sink,
  name: string,
  made: Made,
  samples: readonly ScaledSample[] | undefined,
  how: How,
  { reader }: Pick<Context, 'reader'>,
): Promise<void> {
  const { writeRoot } = await import('../../../node');
  await writeRoot(
    sink,
    async (file) => {
      await put(file, '', made, how);
      for (const one of samples ?? []) await put(file, `samples/${one.sample.name}/`, one, how);
    },
    { name: name === '-' ? undefined : name, reader: await reader() },
  );
}

/** Writes each table to files of `most` rows, as trees of one name, and the other results to "results.root". */
async function saveRootFiles(
  target: string,
  made: Made,
  samples: readonly ScaledSample[] | undefined,
  { given, how, most }: { given: RootGiven; how: How; most: number },
  context: Context,
): Promise<void> {
  const { writeRoot } = await import('../../../node');
  const reader = await context.reader();
  const tables = Object.entries(made.state).filter(([, one]) => isOf('table', one));
  const others = (one: Made): Made => ({
    ...one,
    state: Object.fromEntries(Object.entries(one.state).filter(([, part]) => !isOf('table', part))),
  });
  const names = fileNames(tables.map(([name]) => name.replaceAll('/', '_')));
  await saveDataSet(
    target,
    'root',
    given,
    async (folder, stem) => {
      const files: string[] = [];
      for (const [i, [name, one]] of tables.entries()) {
        const table = tableOf(one as RowsResult);
        const last = name.slice(name.lastIndexOf('/') + 1);
        await withRows(table, context, (rows) =>
          eachFile(rows, async (number) => {
            const own = stem === 'part' ? names[i] : `${stem}-${names[i]}`;
            const file = `${own}-${String(number).padStart(4, '0')}.root`;
            const write = (root: RootWriter) => putRows(root, last, table, rows, { form: how.form, most });
            await writeRoot(fileSink(join(folder, file)), write, { name: file, reader });
            files.push(file);
          }),
        );
      }
      const rest = { ...others(made), samples: samples?.map((one) => ({ ...one, ...others(one) })) };
      if (Object.keys(rest.state).length > 0) {
        const file = stem === 'part' ? 'results.root' : `${stem}-results-0001.root`;
        await writeMade(fileSink(join(folder, file)), file, rest, rest.samples, how, context);
        files.push(file);
      }
      return files;
    },
    context,
  );
}

type Made = Pick<ProcessResult, 'state' | 'entries'>;

interface RootGiven extends RowsGiven {
  'table-format'?: string | undefined;
}

async function put(file: RootWriter, folder: string, made: Made, how: How): Promise<void> {
  for (const [name, one] of Object.entries(made.state))
    await SAVED[one.kind]?.(file, folder + name, one, made, how);
}
