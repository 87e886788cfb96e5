import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../../api/api';
import type { PerfRead } from '../../../api/reading';
import { cyclePath } from '../../../model/keys';
import { perfReport, placed } from '../../../reads/place';
import type { Place } from '../../../report/report';
import { FileWords } from '../../../ui/plot/explained';
import { FreePlot } from '../../../ui/plot/free-plot';
import { OwnTable } from '../../../ui/report/report';
import { saveText } from '../../../ui/save/save-blob';
import { branchNode } from '../../../ui/state/contents-model';
import { mapOf } from '../../../ui/state/map-link';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { Choice } from '../../../ui/widgets/segmented-control';
import { useRead } from '../../../ui/widgets/use-read';
import { useTrace } from '../../../ui/widgets/use-trace';
import { SavedReading } from '../../traces/view/saved-reading-field';
import { UsesSection } from '../../traces/view/uses-section';
import { columnReads } from '../../traces/work/columns-read';
import { timeByBranch } from '../../traces/work/time-by-branch';
import { traceEvents } from '../../traces/work/trace-events';
import { columnsTable, timesTable } from '../../traces/work/uses-report';
import { WhatIf } from '../../whatif/view/simulate-view';
import { describeRead } from '../work/describe-read';
import { type ReadPlot, readPatternPlot, waterfallPlot } from '../work/read-pattern';
import { numbersTable } from '../work/reads-report';
import { ProgramReads } from './program-reads';
import { ReadsTable } from './reads-table';

/** Maximum number of reads in the plot of requests over time, and number shown at first. */
const MAX_ROWS = 1000;
const FIRST_ROWS = 30;
/** Maximum number of readings with separate columns. More are combined to one. */
const MAX_BESIDE = 5;

/** The reads of the tree so far, updated live, and the simulated cost of other ways of reading. */
export function ReadsView(props: ViewProps): JSX.Element | null {
  const { store, open, tree } = props;
  const [read, again] = useRead(
    store,
    open,
    `layout ${tree?.keyIndex}`,
    'Reading where the baskets lie',
    (api, file, options) => api.layout(file, tree === undefined ? '' : cyclePath(tree.key), options),
  );
  if (tree === undefined) return null;
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <KnownReads {...props} layout={read.value} />;
}

function KnownReads(props: ViewProps & { layout: TreeLayout }): JSX.Element {
  const { store, open, tree, theme, layout } = props;
  const records = useTrace(store, open);
  const saved = store.traffic.savedReading.value;
  const readings = store.traffic.savedReadings.value;
  const compare = useMemo(() => saved && placed(saved, layout), [saved, layout]);
  const beside = useMemo(() => {
    if (compare === undefined) return [];
    return readings.length > MAX_BESIDE ? [compare] : readings.map((one) => placed(one, layout));
  }, [compare, readings, layout]);
  const against = useSignal<'entry' | 'time'>('entry');
  const report = useMemo(() => perfReport(open.info.name, layout, records), [open, layout, records]);
  const columns = useMemo(() => columnsTable(columnReads(report, layout), layout), [report, layout]);
  const times = useMemo(() => timesTable(timeByBranch(report, layout)), [report, layout]);
  // Beside many columns, sentences would be too narrow.
  const numbers = useMemo(
    () => numbersTable([{ ...report, by: 'This' }, ...beside], beside.length < 2),
    [report, beside],
  );
  const pattern = useMemo(
    () => readPatternPlot(report, { compare, against: against.value, note: describeRead }),
    [report, compare, against.value],
  );
  /** Whether any read was requested by the user. The head and the end of a file contain baskets, too. */
  const wanted = compare !== undefined || report.reads.some(({ origin }) => origin === 'decode');
  const waterfall = useMemo(() => waterfallPlot(report, MAX_ROWS, describeRead), [report]);
  const rows = waterfall.model.rows?.length ?? 0;
  const first = useMemo(
    () => (rows > FIRST_ROWS ? { y: [rows - FIRST_ROWS - 0.5, rows - 0.5] as [number, number] } : undefined),
    [rows > FIRST_ROWS],
  );
  const goToBranch = (path: string): void => {
    const branch = layout.tree.branches.find((other) => other.path === path);
    if (branch !== undefined && tree !== undefined)
      store.selection.select(branchNode(tree.keyIndex, branch.index));
  };
  const goTo = ({ branch = -1 }: Place): void => goToBranch(layout.tree.branches[branch]?.path ?? '');
  const showMap = mapOf(store);
  const goToMap = (read: PerfRead): void => {
    const { offset, length, branches } = read;
    const place = { offset, length };
    showMap?.({ reads: true, place, branches: branches.slice(0, 8) });
  };
  const goOf =
    ({ reads }: ReadPlot) =>
    (layer: number, index: number): void => {
      const read = reads[layer]?.[index];
      if (read === undefined) return;
      if (read.origin === 'decode') goToBranch(read.branches[0] ?? '');
      else goToMap(read);
    };
  return (
    <>
      <div class="controls">
        <button
          type="button"
          onClick={() => saveText(`${layout.tree.name}-reads.json`, JSON.stringify(report, null, 1))}
        >
          Save as JSON
        </button>
        <button
          type="button"
          title="For Perfetto (ui.perfetto.dev) and chrome://tracing"
          onClick={() =>
            saveText(`${layout.tree.name}-trace.json`, JSON.stringify(traceEvents(beside[0] ?? report)))
          }
        >
          Save a Perfetto trace
        </button>
        {showMap && (
          <button type="button" onClick={() => showMap({ reads: true })}>
            Lay over the map
          </button>
        )}
        <SavedReading store={store} />
      </div>
      <FileWords
        {...{ store, open, theme, tree }}
        words={
          layout.pageBytes === undefined
            ? ['Baskets', 'Clusters', 'Over-read', 'Round trip', 'TTreeCache']
            : ['Pages', 'Clusters', 'Over-read', 'Round trip']
        }
      />
      {!wanted && (
        <p class="hint">
          No basket of this tree has been read yet. Draw a branch, or open the table, and come back: each read
          shows here where it went. What reading would cost is told below.
        </p>
      )}
      {wanted && (
        <>
          <div class="controls">
            <h3>Where it was read</h3>
            <Choice
              label="Against"
              value={against.value}
              options={[
                ['entry', 'Entry'],
                ['time', 'Time'],
              ]}
              onChange={(next) => (against.value = next)}
            />
          </div>
          <FreePlot model={pattern.model} theme={theme} onChoose={goOf(pattern)} />
          <p class="hint">Point at a read to see what it was for; click to see its place on the map.</p>
        </>
      )}
      {report.facts?.map(([name, value]) => (
        <p class="hint" key={name}>
          {name}: {value}.
        </p>
      ))}
      <OwnTable table={numbers} />
      {saved !== undefined && tree !== undefined && (
        <UsesSection {...props} tree={tree} layout={layout} onPlace={goTo} />
      )}
      {wanted && columns.rows.length > 0 && (
        <section class="part-of-view" aria-label="What was read by column">
          <h3>What this page read of each {tree?.info.kind === 'RNTuple' ? 'column' : 'branch'}</h3>
          <OwnTable table={columns} first={20} onPlace={goTo} />
        </section>
      )}
      <h3>Requests in time</h3>
      <FreePlot model={waterfall.model} theme={theme} first={first} onChoose={goOf(waterfall)} />
      {wanted && times.rows.length > 0 && (
        <section class="part-of-view" aria-label="Where the time went">
          <h3>Where the time went</h3>
          <p class="hint">
            A request for several branches counts for each by its bytes; requests and tasks that ran at once
            count each. A Perfetto trace shows the same along the axis of time.
          </p>
          <OwnTable table={times} first={8} onPlace={goTo} />
        </section>
      )}
      <ReadsTable report={report} onMap={goToMap} onBranch={goToBranch} />
      {tree !== undefined && <ProgramReads {...props} tree={tree} layout={layout} />}
      <WhatIf {...props} layout={layout} records={records} />
    </>
  );
}
