import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { TreeLayout } from '../../../api/api';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import type { ReadRecord } from '../../../io/trace';
import { cyclePath } from '../../../model/keys';
import { type PlotLook, plainLook } from '../../../plot/look/look';
import { withNeeded } from '../../../reads/basket-layout';
import { FileWords } from '../../../ui/plot/explained';
import { FreePlot } from '../../../ui/plot/free-plot';
import { OwnTable } from '../../../ui/report/report';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import type { Outcome } from '../work/simulate';
import { whatIfPlot } from '../work/simulation';
import { outcomesTable } from '../work/whatif-report';

/** A logarithmic axis shows both few and very many calls. */
const CALLS_LOOK: PlotLook = { ...plainLook, log: { x: false, y: true } };

/** The words of the table that are explained. */
const WORDS = {
  TTree: ['Calls', 'In a row', 'Over-read', 'TTreeCache'],
  RNTuple: ['Calls', 'In a row', 'Over-read', 'Cluster pool'],
} as const;

interface WhatIfProps extends ViewProps {
  layout: TreeLayout;
  records: readonly ReadRecord[];
}

const SHARES: readonly [part: number, text: string][] = [
  [1, 'all entries'],
  [0.2, '20 %'],
  [0.01, '1 %'],
];

/** The simulated cost of reading branches over the measured link or another one. */
export function WhatIf({ store, open, tree: here, layout, records, theme }: WhatIfProps): JSX.Element {
  const measured = store.traffic.link.link.value;
  const latency = useSignal<number | undefined>(undefined);
  const bandwidth = useSignal<number | undefined>(undefined);
  const which = useSignal('few');
  const part = useSignal(1);
  const latencyMs = latency.value ?? Math.max(0.1, Math.round((measured?.latencyMs ?? 20) * 10) / 10);
  const mbit = bandwidth.value ?? Math.max(1, Math.round((measured?.bytesPerMs ?? 12_500) / 125));
  const { tree } = layout;
  const chosen = useMemo(() => branchesOf(layout, which.value, records), [layout, which.value, records]);
  const request = JSON.stringify([chosen, part.value, latencyMs, mbit]);
  const [simulated, again] = useRead(
    store,
    open,
    `what-if ${here?.keyIndex} ${request}`,
    'Simulating what reading would cost',
    (_api, file, options) =>
      store.insight.simulate(
        file,
        {
          tree: here === undefined ? tree.path : cyclePath(here.key),
          branches: chosen,
          entries: { fraction: part.value },
          size: open.info.size,
          link: { latencyMs, bytesPerMs: mbit * 125 },
        },
        options,
      ),
  );
  // While another choice is simulated, the last result stays.
  const before = useRef<{ outcomes: Outcome[]; branches: number } | undefined>(undefined);
  if (simulated.state === 'ready') before.current = { outcomes: simulated.value, branches: chosen.length };
  const { outcomes, branches } = before.current ?? { branches: 0 };
  const plot = useMemo(() => outcomes && whatIfPlot(outcomes, 'Cache size, read calls and time'), [outcomes]);
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
          <select value={part.value} onChange={(event) => (part.value = Number(event.currentTarget.value))}>
            {SHARES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <NumberField label="Latency (ms)" value={latencyMs} onValue={(value) => (latency.value = value)} />
        <NumberField label="Bandwidth (Mbit/s)" value={mbit} onValue={(value) => (bandwidth.value = value)} />
      </div>
      {simulated.state === 'failed' && <ErrorPane error={simulated.error} onRetry={again} />}
      {simulated.state === 'cancelled' && <Cancelled onAgain={again} />}
      {simulated.state === 'reading' && <p class="hint">Simulating…</p>}
      {outcomes !== undefined && xylem !== undefined && plot !== undefined && (
        <>
          <p class="summary">
            {formatCount(branches)} branches with xylem: {formatBytes(xylem.bytes)},{' '}
            {formatCount(xylem.calls)} {xylem.calls === 1 ? 'request' : 'requests'}, about{' '}
            {formatDuration(xylem.ms)}
          </p>
          <FileWords {...{ store, open, theme }} tree={here} words={WORDS[tree.kind]} />
          <OwnTable table={outcomesTable(outcomes)} />
          {/* Sizes of a TTreeCache: of an RNTuple there is nothing to plot. */}
          {tree.kind === 'TTree' && <FreePlot model={plot} theme={theme} look={CALLS_LOOK} />}
        </>
      )}
    </>
  );
}

function branchesOf({ tree, source }: TreeLayout, which: string, records: readonly ReadRecord[]): number[] {
  const readable = tree.branches.filter(({ storedBytes }) => storedBytes > 0);
  if (which === 'all') return readable.map(({ index }) => index);
  const read = new Set(records.filter(({ origin }) => origin === 'decode').map(({ purpose }) => purpose));
  const seen = readable.filter(({ path }) => read.has(path));
  return withNeeded(tree, seen.length > 0 ? seen : readable.slice(0, 8), source).map(({ index }) => index);
}

interface NumberFieldProps {
  label: string;
  value: number;
  onValue(value: number): void;
}

/** A field for a positive number. Other texts change nothing. */
function NumberField({ label, value, onValue }: NumberFieldProps): JSX.Element {
  const typed = useTyped(String(value), (text) => {
    const next = Number(text);
    if (next > 0 && Number.isFinite(next)) onValue(next);
  });
  return (
    <label class="number-field">
      {label}
      <input type="number" min="0.1" step="any" {...typed} />
    </label>
  );
}
