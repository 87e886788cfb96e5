import { basename } from 'node:path';
import type { Histogram } from '../../../api/api';
import type { GatheredState, ProcessResult } from '../../../api/selector';
import { csvCell, csvText } from '../../../bins/to-csv';
import { type Context, refuseTerminal } from '../../../cli/context';
import { roundedSum } from '../../../core/sums/exact-sums';
import type { RootWriter } from '../../../library/write';
import { saveFile } from '../../../sinks/node-save-file';
import { memorySink } from '../../../sinks/sink';
import { processedOf } from '../work/gathered';
import type { Counted, CounterResult } from '../work/kinds/counter';
import { type LabelsResult, labelsInOrder } from '../work/kinds/labels';
import type { TableValues } from '../work/kinds/rows';
import type { ScaledSample } from '../work/partial/samples';
import { rowsOf, type ShownHistogram } from './cell-rows';

/** The columns of a table, by name. */
type Table = Record<string, TableValues>;

/** Writers of results into a ROOT file, by their kinds. Results of other kinds are left out. */
const SAVED: Readonly<
  Record<string, ((file: RootWriter, path: string, value: never, one: never) => Promise<void>) | undefined>
> = {
  histogram: (file, path, value: Histogram) => file.histogram(path, value),
  async grid(file, path, value: ShownHistogram) {
    if (value.kind === 'histogram') await file.histogram(path, value);
    else await saveTable(file, path, rowsOf([{ sample: '', variation: '', histogram: value }], []));
  },
  table: saveTable,
  async counter(file, path, _value: number, one: CounterResult) {
    await saveCounted(file, path, [[path.slice(path.lastIndexOf('/') + 1), one]]);
  },
  async labels(file, path, _value: unknown, one: LabelsResult) {
    await saveCounted(file, path, labelsInOrder(one));
  },
};

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

async function saveTable(file: RootWriter, path: string, value: Table): Promise<void> {
  const types = Object.fromEntries(Object.entries(value).map(([name, values]) => [name, typeOf(values)]));
  const tree = await file.tree(path, { types });
  await tree.append(value);
}

function typeOf(values: TableValues): 'f64' | 'i64' | 'u64' | 'string' {
  if (Array.isArray(values)) return 'string';
  if (values instanceof Float64Array) return 'f64';
  return values instanceof BigInt64Array ? 'i64' : 'u64';
}

/** Returns a sentence about the results that a ROOT file does not get, or undefined if it gets all. */
export function leftOut(state: GatheredState): string | undefined {
  const names = Object.keys(state).filter((name) => !SAVED[state[name]?.kind ?? '']);
  if (names.length === 0) return undefined;
  return `${names.join(', ')}: only histograms, tables, counters and labels are in a ROOT file`;
}

/**
 * Writes a ROOT file with all results that it can hold to a file or, with "-", to stdout. Results of a sample are in its directory
 * "samples/NAME".
 */
export async function saveMade(
  target: string,
  made: Made,
  samples: readonly ScaledSample[] | undefined,
  { force }: { force?: boolean | undefined },
  { out, reader }: Pick<Context, 'out' | 'reader'>,
): Promise<void> {
  if (target === '-') refuseTerminal(out);
  const { writeRoot } = await import('../../../node');
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      await put(file, '', made);
      for (const one of samples ?? []) await put(file, `samples/${one.sample.name}/`, one);
    },
    { name: target === '-' ? undefined : basename(target), reader: await reader() },
  );
  if (target === '-') await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}

/** Writes the rows of a table in a format of "xylem export", from a ROOT file that is only in memory. */
export async function saveRows(
  target: string,
  format: 'parquet' | 'arrow',
  name: string,
  table: Table,
  { force }: { force?: boolean | undefined },
  context: Context,
): Promise<void> {
  if (target === '-') refuseTerminal(context.out);
  const [{ writeRoot }, { exportTree }] = await Promise.all([
    import('../../../node'),
    import('../../exports/work/export-tree'),
  ]);
  const sink = memorySink();
  await writeRoot(sink, async (file) => SAVED.table?.(file, name, table as never, undefined as never), {
    name: `${name}.root`,
    codec: 'none',
    reader: await context.reader(),
  });
  const open = await context.open({
    kind: 'buffer',
    buffer: new Uint8Array(sink.bytes()).buffer,
    name: `${name}.root`,
  });
  try {
    const branches = Object.keys(table).map((_, i) => i);
    const chunks = exportTree(open.reader, open.info.id, { tree: name, branches, format });
    if (target === '-') for await (const chunk of chunks) await context.out.write(chunk);
    else {
      const save = async (write: (bytes: Uint8Array) => Promise<void>): Promise<void> => {
        for await (const chunk of chunks) await write(chunk);
      };
      await saveFile(target, save, { replaces: force ? 'all' : 'nothing' });
    }
  } finally {
    await open.close();
  }
}

type Made = Pick<ProcessResult, 'state' | 'entries'>;

async function put(file: RootWriter, folder: string, made: Made): Promise<void> {
  for (const [name, value] of Object.entries(processedOf(made)))
    await SAVED[made.state[name]?.kind ?? '']?.(
      file,
      folder + name,
      value as never,
      made.state[name] as never,
    );
}

export function tableCsv(table: Table): string {
  const columns = Object.entries(table);
  const lines = [columns.map(([name]) => csvText(name)).join(',')];
  const rows = columns[0]?.[1].length ?? 0;
  for (let i = 0; i < rows; i++) lines.push(columns.map(([, values]) => csvCell(values[i])).join(','));
  return lines.join('\n');
}
