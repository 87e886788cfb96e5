import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { type ErrorRecord, toXylemError } from '../base/errors';
import { formatBytes, formatCount, formatDuration } from '../base/format';
import type { TreeLayout } from '../file/api';
import {
  loadPerfReport,
  PERF_NUMBERS,
  type PerfReport,
  perfReport,
  perfReportOfObject,
} from '../insight/perf';
import { type Outcome, simulateReading, strategyName } from '../insight/simulate';
import { basketLayout, withNeeded } from '../insight/simulate-layout';
import { estimateLink } from '../io/link';
import type { ReadRecord } from '../io/trace';
import { readPatternDrawing, waterfallDrawing } from '../plot/read-pattern';
import { whatIfDrawing } from '../plot/what-if';
import { Cancelled } from './branch-panel';
import { DrawingView } from './drawing-view';
import { ErrorPane } from './error-pane';
import { saveText } from './save';
import { Placeholder } from './status-line';
import { useRead } from './use-read';
import type { ViewProps } from './views';

/** More baskets than this are not simulated while a person waits. */
const MOST_BASKETS = 60_000;
/** Fits beside the contents on a common screen; narrower ones scroll. */
const PLOT_WIDTH = 660;
/** While something is read, the trace is looked at so often, in ms. */
const LIVE_MS = 500;

/** How the tree was read so far, live, and what reading would cost otherwise. */
export function ReadsView(props: ViewProps): JSX.Element | null {
  const { store, open, tree } = props;
  const [read, again] = useRead(
    store,
    open,
    `layout ${tree?.keyIndex}`,
    'Reading where the baskets lie',
    (api, file, options) =>
      api.layout(file, tree === undefined ? '' : `${tree.key.path};${tree.key.cycle}`, options),
  );
  if (tree === undefined) return null;
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <KnownReads {...props} layout={read.value} />;
}

function KnownReads({ store, open, theme, layout }: ViewProps & { layout: TreeLayout }): JSX.Element {
  const records = useSignal<readonly ReadRecord[]>([]);
  const compare = useSignal<PerfReport | undefined>(undefined);
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const busy = store.activities.list.value.some(({ slot }) => !slot.startsWith('reads'));
  const done = store.trace.value;
  useEffect(() => {
    let here = true;
    const look = () =>
      store.reads().then(
        (list) => {
          if (here && list.length !== records.peek().length) records.value = list;
        },
        // The file was closed: there is nothing to show any more.
        () => undefined,
      );
    void look();
    const timer = busy ? setInterval(look, LIVE_MS) : undefined;
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [store, open, busy, done]);
  const report = useMemo(
    () => perfReport(open.info.name, layout, records.value),
    [open, layout, records.value],
  );

  const load = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file === undefined) return;
    failed.value = undefined;
    try {
      compare.value = await savedReading(store, file);
    } catch (thrown) {
      failed.value = toXylemError(thrown).toRecord();
    }
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
        <label class="button">
          Compare with a saved reading or perfstat.root
          <input
            class="hidden-input"
            type="file"
            accept=".json,.root"
            onChange={(event) => void load(event.currentTarget)}
          />
        </label>
        {compare.value !== undefined && (
          <button
            type="button"
            onClick={() => {
              compare.value = undefined;
            }}
          >
            Compare no more
          </button>
        )}
      </div>
      {failed.value !== undefined && <ErrorPane error={failed.value} />}
      <DrawingView
        drawing={readPatternDrawing(report, { compare: compare.value, bare: true, width: PLOT_WIDTH })}
        theme={theme}
      />
      <NumbersTable report={report} compare={compare.value} />
      <h3>Requests in time</h3>
      <DrawingView drawing={waterfallDrawing(report, PLOT_WIDTH)} theme={theme} />
      <WhatIf layout={layout} records={records.value} theme={theme} />
    </>
  );
}

/** What xylem saved, or the TTreePerfStats in a file of ROOT. */
async function savedReading(store: ViewProps['store'], file: File): Promise<PerfReport> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== 'root') return loadPerfReport(await file.text());
  return await store.call('reads compare', `Reading ${file.name}`, async (api, _file, options) => {
    const { id } = await api.open({ kind: 'blob', blob: file, name: file.name }, options);
    try {
      const key = (await api.keys(id, options)).find(({ className }) => className === 'TTreePerfStats');
      if (key === undefined) return loadPerfReport('');
      return perfReportOfObject(await api.object(id, `${key.path};${key.cycle}`, options));
    } finally {
      await api.close(id);
    }
  });
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

interface WhatIfProps {
  layout: TreeLayout;
  records: readonly ReadRecord[];
  theme: 'light' | 'dark';
}

const SHARES: readonly [step: number, text: string][] = [
  [1, 'all entries'],
  [5, '20 %'],
  [100, '1 %'],
];

/** What reading branches would cost, at the link that was measured or another. */
function WhatIf({ layout, records, theme }: WhatIfProps): JSX.Element {
  const measured = useMemo(() => estimateLink(records), [records]);
  const latency = useSignal<number | undefined>(undefined);
  const bandwidth = useSignal<number | undefined>(undefined);
  const which = useSignal('few');
  const step = useSignal(1);
  const latencyMs = latency.value ?? Math.max(0.1, Math.round((measured?.latencyMs ?? 20) * 10) / 10);
  const mbit = bandwidth.value ?? Math.max(1, Math.round((measured?.bytesPerMs ?? 12_500) / 125));
  const { tree } = layout;
  const chosen = useMemo(() => branchesOf(layout, which.value, records), [layout, which.value, records]);
  const outcomes = useMemo((): Outcome[] | undefined => {
    const baskets = chosen.reduce(
      (sum, index) => sum + (layout.basketStart[index + 1] ?? 0) - (layout.basketStart[index] ?? 0),
      0,
    );
    if (baskets > MOST_BASKETS) return undefined;
    const entries = { from: 0, to: tree.entries, step: step.value };
    return simulateReading(
      basketLayout(layout),
      { branches: chosen, entries },
      { latencyMs, bytesPerMs: mbit * 125 },
    );
  }, [layout, chosen, step.value, latencyMs, mbit]);
  const number = (label: string, value: number, set: (value: number) => void) => (
    <label class="field">
      {label}
      <input
        type="number"
        min="0.1"
        step="any"
        value={value}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          if (next > 0 && Number.isFinite(next)) set(next);
        }}
      />
    </label>
  );
  const xylem = outcomes?.at(-1);
  return (
    <>
      <h3>What reading would cost</h3>
      <div class="controls">
        <label class="field">
          Branches
          <select value={which.value} onChange={(event) => (which.value = event.currentTarget.value)}>
            <option value="few">those that were read, or eight</option>
            <option value="all">all {formatCount(tree.branches.length)}</option>
          </select>
        </label>
        <label class="field">
          Entries
          <select value={step.value} onChange={(event) => (step.value = Number(event.currentTarget.value))}>
            {SHARES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {number('Latency (ms)', latencyMs, (value) => (latency.value = value))}
        {number('Bandwidth (Mbit/s)', mbit, (value) => (bandwidth.value = value))}
      </div>
      {outcomes === undefined || xylem === undefined ? (
        <p class="hint">
          These branches have more than {formatCount(MOST_BASKETS)} baskets: choose fewer, or run “xylem
          whatif”.
        </p>
      ) : (
        <>
          <p class="summary">
            {formatCount(chosen.length)} branches with xylem: {formatBytes(xylem.bytes)},{' '}
            {formatCount(xylem.calls)} {xylem.calls === 1 ? 'request' : 'requests'}, about{' '}
            {formatDuration(xylem.ms)}
          </p>
          <OutcomeTable outcomes={outcomes} />
          <DrawingView
            drawing={whatIfDrawing(outcomes, 'Cache size, read calls and time', PLOT_WIDTH)}
            theme={theme}
          />
        </>
      )}
    </>
  );
}

function OutcomeTable({ outcomes }: { outcomes: readonly Outcome[] }): JSX.Element {
  return (
    <div class="table-box">
      <table class="numbers">
        <thead>
          <tr>
            {['Read with', 'Calls', 'In a row', 'Bytes', 'Over-read', 'Time'].map((title, i) => (
              <th scope="col" key={title} class={i > 0 ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ strategy, calls, trips, bytes, overread, ms }) => (
            <tr key={strategyName(strategy)}>
              <td>{strategyName(strategy)}</td>
              <td class="number">{formatCount(calls)}</td>
              <td class="number">{formatCount(trips)}</td>
              <td class="number">{formatBytes(bytes)}</td>
              <td class="number">{formatBytes(overread)}</td>
              <td class="number">{formatDuration(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function branchesOf({ tree }: TreeLayout, which: string, records: readonly ReadRecord[]): number[] {
  const readable = tree.branches.filter(({ storedBytes }) => storedBytes > 0);
  if (which === 'all') return readable.map(({ index }) => index);
  const read = new Set(records.filter(({ origin }) => origin === 'decode').map(({ purpose }) => purpose));
  const seen = readable.filter(({ path }) => read.has(path));
  return withNeeded(tree, seen.length > 0 ? seen : readable.slice(0, 8)).map(({ index }) => index);
}
