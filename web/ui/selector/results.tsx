import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Histogram, PartialNote } from '../../api/api';
import type { ProcessResult } from '../../api/selector';
import { formatCount } from '../../base/format';
import { processedOf } from '../../measure/gathered';
import { modelOfHistogram } from '../../plot/histogram';
import type { PlotWindow } from '../../plot/ranges';
import { HistogramPanel } from '../plot/histogram-panel';
import { LookToggles } from '../plot/plot-controls';
import { Partial } from '../plot/results';
import type { ViewerStore } from '../state/viewer-state';
import { Choice } from '../widgets/segmented-control';
import { TableHead } from '../widgets/table-parts';
import { ownText } from './own-text';

/** Rows that are shown of a table, and labels. */
const SHOWN = 50;

interface ResultsProps {
  store: ViewerStore;
  result: ProcessResult;
  /** Files in which the code failed. */
  mistakes: PartialNote | undefined;
  running: boolean;
  /** Whether the files of a list are read. */
  isList: boolean;
  theme: 'light' | 'dark';
  onAgain(): void;
}

/** The results of a selector, one member at a time. */
export function Results({
  store,
  result,
  mistakes,
  running,
  isList,
  theme,
  onAgain,
}: ResultsProps): JSX.Element {
  const chosen = useSignal('');
  const made = useMemo(() => processedOf(result), [result]);
  const names = Object.keys(made);
  const name = names.includes(chosen.value) ? chosen.value : (names[0] ?? '');
  const kind = result.state[name]?.kind;
  return (
    <>
      <Partial note={mistakes} parts="files" became="have entries in which the code failed" />
      <Partial note={result.partial} parts={isList ? 'files' : 'baskets'} onAgain={onAgain} />
      {names.length > 1 && (
        <Choice
          label="Result"
          options={names.map((one) => [one, one] as const)}
          value={name}
          onChange={(next) => {
            chosen.value = next;
          }}
        />
      )}
      {kind === 'histogram' && (
        <Filled
          key={name}
          store={store}
          histogram={made[name] as Histogram}
          running={running}
          theme={theme}
        />
      )}
      {kind === 'counter' && (
        <p class="summary">
          {name}: {String(made[name])}
        </p>
      )}
      {kind === 'labels' && <Labels sums={made[name] as Record<string, number>} />}
      {kind === 'table' && <Rows columns={made[name] as Record<string, ArrayLike<unknown>>} />}
      {kind === 'own' && <pre class="own-result">{ownText(made[name])}</pre>}
    </>
  );
}

interface FilledProps {
  store: ViewerStore;
  histogram: Histogram;
  running: boolean;
  theme: 'light' | 'dark';
}

function Filled({ store, histogram, running, theme }: FilledProps): JSX.Element {
  const model = useMemo(() => modelOfHistogram(histogram), [histogram]);
  const window = useSignal<PlotWindow>({});
  return (
    <HistogramPanel
      store={store}
      result={histogram}
      model={model}
      theme={theme}
      stale={false}
      reading={running}
      window={window.value}
      onZoom={(next) => {
        window.value = next;
      }}
      controls={
        <div class="controls">
          <LookToggles store={store} model={model} />
        </div>
      }
    />
  );
}

function Labels({ sums }: { sums: Record<string, number> }): JSX.Element {
  const all = Object.entries(sums).sort(([, a], [, b]) => b - a);
  return (
    <div class="table-scroll">
      <table>
        <TableHead titles={['Label', 'Sum']} numbers={[1]} />
        <tbody>
          {all.slice(0, SHOWN).map(([label, sum]) => (
            <tr key={label}>
              <td>{label}</td>
              <td class="number">{String(sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{formatCount(all.length)} labels</p>
    </div>
  );
}

function Rows({ columns }: { columns: Record<string, ArrayLike<unknown>> }): JSX.Element {
  const names = Object.keys(columns);
  const count = columns[names[0] ?? '']?.length ?? 0;
  return (
    <div class="table-scroll">
      <table>
        <TableHead titles={names} numbers={names.map((_, i) => i)} />
        <tbody>
          {Array.from({ length: Math.min(count, SHOWN) }, (_, row) => (
            <tr key={row}>
              {names.map((one) => (
                <td class="number" key={one}>
                  {String(columns[one]?.[row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{formatCount(count)} rows</p>
    </div>
  );
}
