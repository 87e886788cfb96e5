import { partialNotes } from '../../../api/partial-notes';
import { formatCount } from '../../../base/format';
import { column, type Report, type Table } from '../../../report/report';
import type { TableFormat } from '../../../report/table-text';
import type { Count, Cutflow, CutStep, Efficiency, SampleFlow } from './flow';
import { plotPictures } from './plot-model';

/** A row of a cutflow: all entries, or what is left after a cut. */
type Row = Partial<CutStep> & { name: string; left: Count };

const percent = (share: Efficiency | undefined): string =>
  share === undefined
    ? '–'
    : `${(100 * share.value).toFixed(2)} % (${(100 * share.low).toFixed(2)}–${(100 * share.high).toFixed(2)})`;

/** A sum of weights with its error, both with two digits of the error. */
export function yieldText({ weight, error }: Count): string {
  if (!(error > 0)) return String(Number(weight.toPrecision(6)));
  const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(error))));
  return `${weight.toFixed(digits)} ± ${error.toFixed(digits)}`;
}

const rowsOf = ({ all, steps }: SampleFlow): Row[] => [
  { name: 'all entries', left: all },
  ...steps.map((step) => ({ name: step.cut, ...step })),
];

const NAME = column<Row>('cut', 'Cut', 'text', ({ name }) => name, { whole: true });
const ENTRIES = column<Row>('entries', 'Entries', 'count', ({ left }) => left.entries);
const WEIGHT = column<Row>('weight', 'Weights', 'number', ({ left }) => left.weight, {
  text: ({ left }) => yieldText(left),
});
const SHARES = [
  column<Row>('step', 'Of before', 'text', (row) => row.ofBefore?.value, {
    text: ({ ofBefore, cut }) => (cut === undefined ? '' : percent(ofBefore)),
  }),
  column<Row>('total', 'Of all', 'text', (row) => row.ofAll?.value, {
    text: ({ ofAll, cut }) => (cut === undefined ? '' : percent(ofAll)),
  }),
  column<Row>('alone', 'Cut alone', 'count', ({ alone }) => alone?.entries),
  column<Row>('others', 'All others', 'count', ({ others }) => others?.entries),
  column<Row>('removes', 'Removes of these', 'text', (row) => row.removes?.value, {
    text: ({ removes, cut }) => (cut === undefined ? '' : percent(removes)),
  }),
];

/** Returns the table of one sample. */
export function flowTable(flow: SampleFlow, isWeighted: boolean): Table<Row> {
  return {
    id: flow.sample === undefined ? 'cutflow' : `cutflow-${flow.sample}`,
    ...(flow.sample !== undefined && { title: flow.sample }),
    columns: [NAME, ENTRIES, ...(isWeighted ? [WEIGHT] : []), ...SHARES],
    rows: rowsOf(flow),
  };
}

/** A row of the table of several samples. */
interface YieldRow {
  name: string;
  counts: (Count | undefined)[];
}

/** Returns the table of the sums of weights of several samples, a column for each. */
export function yieldTable({ cuts, samples, total }: Cutflow): Table<YieldRow> {
  const names = [...samples.map(({ sample = '' }) => sample), ...(total ? ['all simulated'] : [])];
  const row = (name: string, of: (flow: SampleFlow) => Count | undefined, all: Count | undefined) => ({
    name,
    counts: [...samples.map(of), ...(total ? [all] : [])],
  });
  return {
    id: 'yields',
    columns: [
      column<YieldRow>('cut', 'Cut', 'text', ({ name }) => name, { whole: true }),
      ...names.map((name, i) =>
        column<YieldRow>(`sample${i}`, name, 'number', ({ counts }) => counts[i]?.weight, {
          text: ({ counts }) => {
            const count = counts[i];
            return count ? yieldText(count) : '–';
          },
        }),
      ),
    ],
    rows: [
      row('all entries', ({ all }) => all, total?.all),
      ...cuts.map((cut, i) => row(cut, ({ steps }) => steps[i]?.left, total?.left[i])),
    ],
  };
}

/** Returns the tables of a cutflow: of several samples first their sums of weights. */
export function cutflowTables(found: Cutflow) {
  const isWeighted = found.weight !== '' || found.samples.some(({ scale }) => scale !== 1);
  const flows = found.samples.map((flow) => flowTable(flow, isWeighted));
  return found.samples.some(({ sample }) => sample !== undefined) ? [yieldTable(found), ...flows] : flows;
}

/** A row of CSV: a cut of a sample, or all its entries. */
type FlatRow = Row & { sample: string };

const share = (id: string, title: string, of: (row: FlatRow) => Efficiency | undefined) =>
  (['value', 'low', 'high'] as const).map((end) =>
    column<FlatRow>(
      `${id}-${end}`,
      end === 'value' ? title : `${title} ${end}`,
      'number',
      (row) => of(row)?.[end],
    ),
  );

const count = (id: string, of: (row: FlatRow) => Count | undefined) => [
  column<FlatRow>(`${id}-entries`, `${id} entries`, 'count', (row) => of(row)?.entries),
  column<FlatRow>(`${id}-weight`, `${id} weight`, 'number', (row) => of(row)?.weight),
  column<FlatRow>(`${id}-error`, `${id} error`, 'number', (row) => of(row)?.error),
];

/** All figures of a cutflow in one table, a column for each. */
const flatTable = ({ samples }: Cutflow): Table<FlatRow> => ({
  id: 'cutflow',
  columns: [
    column('sample', 'sample', 'text', ({ sample }) => sample),
    column('cut', 'cut', 'text', ({ name }) => name),
    ...count('left', ({ left }) => left),
    ...share('step', 'of before', ({ ofBefore }) => ofBefore),
    ...share('all', 'of all', ({ ofAll }) => ofAll),
    ...count('alone', ({ alone }) => alone),
    ...count('others', ({ others }) => others),
    ...share('removes', 'removes', ({ removes }) => removes),
  ],
  rows: samples.flatMap((flow) => rowsOf(flow).map((row) => ({ ...row, sample: flow.sample ?? '' }))),
});

/** Returns the tables of a cutflow for a format: CSV has all figures in one. */
export const tablesOf = (found: Cutflow, format: TableFormat) =>
  format === 'csv' ? [flatTable(found)] : cutflowTables(found);

export function cutflowReport(found: Cutflow): Report {
  const { tree, weight, samples, luminosity, plots = [], partial } = found;
  const entries = samples.reduce((sum, { all }) => sum + all.entries, 0);
  return {
    title: `${formatCount(found.cuts.length)} ${found.cuts.length === 1 ? 'cut' : 'cuts'} on ${formatCount(entries)} entries of ${tree}`,
    facts: [
      ...(weight === '' ? [] : [{ label: 'Weight', value: weight }]),
      ...(luminosity === undefined ? [] : [{ label: 'Luminosity', value: String(luminosity) }]),
      ...samples
        .filter(({ scale }) => scale !== 1)
        .map(({ sample, scale }) => ({
          label: `Scale of ${sample}`,
          value: String(Number(scale.toPrecision(6))),
        })),
    ],
    tables: cutflowTables(found),
    pictures: plotPictures(plots).map(({ title, svg }) => ({ title, svg: (id) => svg({ id }) })),
    notes: [...plots.flatMap(({ why }) => why ?? []), ...partialNotes(partial, 'files')],
  };
}
