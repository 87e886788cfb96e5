import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../api/api';
import { PERF_NUMBERS } from '../../insight/reads/perf-numbers';
import { perfReport, placed } from '../../insight/reads/place';
import type { PerfRead, PerfReport } from '../../insight/reads/reading';
import { cyclePath } from '../../model/find-key';
import { readPatternDrawing, waterfallDrawing } from '../../plot/read-pattern';
import { formatMapState } from '../map/map-state';
import { Cancelled } from '../panels/branch-panel';
import { SavedReading } from '../panels/saved-reading-field';
import { saveText } from '../plot/save';
import { branchNode } from '../state/contents-model';
import type { ViewProps } from '../view-tabs';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { useRead } from '../widgets/use-read';
import { useTrace } from '../widgets/use-trace';
import { DrawingView } from './drawing-view';
import { describeRead, ReadsTable } from './reads-table';
import { WhatIf } from './simulate-view';

/** Fits beside the contents on a common screen; narrower ones scroll. */
const PLOT_WIDTH = 660;

/** The reads of the tree so far, live, and the simulated cost of other ways of reading. */
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
  const compare = useMemo(() => saved && placed(saved, layout), [saved, layout]);
  const pointed = useSignal<PerfRead | undefined>(undefined);
  const report = useMemo(() => perfReport(open.info.name, layout, records), [open, layout, records]);
  const pattern = useMemo(
    () => readPatternDrawing(report, { compare, bare: true, width: PLOT_WIDTH }),
    [report, compare],
  );
  const decoded = report.reads.some(({ origin }) => origin === 'decode');
  const waterfall = useMemo(() => waterfallDrawing(report, PLOT_WIDTH), [report]);
  const goToBranch = (path: string): void => {
    const branch = layout.tree.branches.find((other) => other.path === path);
    if (branch !== undefined && tree !== undefined)
      store.selection.select(branchNode(tree.keyIndex, branch.index));
  };
  const goToMap = (read: PerfRead): void => {
    const { offset, length, branches } = read;
    const place = { offset, length };
    store.selection.setView('map', formatMapState({ reads: true, place, branches: branches.slice(0, 8) }));
  };
  const go = (read: PerfRead): void =>
    read.origin === 'decode' ? goToBranch(read.branches[0] ?? '') : goToMap(read);
  const point = (read: PerfRead | undefined): void => {
    pointed.value = read;
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
        <button type="button" onClick={() => store.selection.setView('map', formatMapState({ reads: true }))}>
          Lay over the map
        </button>
        <SavedReading store={store} />
      </div>
      {!decoded && compare === undefined && (
        <p class="hint">
          No basket of this tree has been read yet. Draw a branch, or open the table, and come back: each read
          shows here where it went. What reading would cost is told below.
        </p>
      )}
      {(decoded || compare !== undefined) && (
        <>
          <DrawingView
            drawing={pattern}
            theme={theme}
            targets={pattern.targets}
            onPoint={point}
            onChoose={go}
          />
          <p class="hint read-readout">
            {pointed.value === undefined
              ? 'Point at a read to see what it was for; click to see its place on the map.'
              : describeRead(pointed.value)}
          </p>
        </>
      )}
      <NumbersTable report={report} compare={compare} />
      <h3>Requests in time</h3>
      <DrawingView
        drawing={waterfall}
        theme={theme}
        targets={waterfall.targets}
        onPoint={point}
        onChoose={go}
      />
      <ReadsTable report={report} onMap={goToMap} onBranch={goToBranch} />
      <WhatIf {...props} layout={layout} records={records} />
    </>
  );
}

function NumbersTable({
  report,
  compare,
}: {
  report: PerfReport;
  compare: PerfReport | undefined;
}): JSX.Element {
  return (
    <div class="table-box">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">As TTreePerfStats calls it</th>
            <th scope="col" class="number">
              This
            </th>
            {compare && (
              <th scope="col" class="number">
                {compare.by}
              </th>
            )}
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {PERF_NUMBERS.map(({ name, meaning, text }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{text(report.numbers)}</td>
              {compare && <td class="number">{text(compare.numbers)}</td>}
              <td class="hint">{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
