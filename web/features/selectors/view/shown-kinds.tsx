import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Histogram } from '../../../api/api';
import type { Gathered } from '../../../api/selector';
import { formatCount } from '../../../base/format';
import { modelOfHistogram } from '../../../plot/histogram';
import type { PlotWindow } from '../../../plot/ranges';
import { HistogramPanel } from '../../../ui/plot/histogram-panel';
import { LookToggles } from '../../../ui/plot/plot-controls';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { TableHead } from '../../../ui/widgets/table-parts';
import { kindOf } from '../work/kinds/kinds';
import { ownText } from './own-text';

/** Maximum number of rows, labels and lines that are shown. */
const SHOWN = 50;

interface ShownProps<Value> {
  store: ViewerStore;
  name: string;
  /** The result in the form for programs: see ResultKind.value. */
  value: Value;
  running: boolean;
  theme: 'light' | 'dark';
  /** See ResultKind.lines. */
  lines?: readonly string[] | undefined;
}

/** Components by kind of result. A kind without one is shown by its lines, or as JSON. */
const COMPONENTS: Readonly<Record<string, ((props: ShownProps<never>) => JSX.Element) | undefined>> = {
  histogram: Filled,
  counter: Count,
  labels: Labels,
  table: Rows,
};

/** Shows one result of a selector. */
export function Shown({ one, ...props }: ShownProps<unknown> & { one: Gathered }): JSX.Element {
  // A grid of up to three axes is a histogram.
  const isHistogram = (props.value as { kind?: unknown } | null)?.kind === 'histogram';
  const Component = COMPONENTS[isHistogram ? 'histogram' : one.kind];
  const lines = kindOf(one).lines?.(props.value, one);
  if (Component) return <Component {...(props as ShownProps<never>)} lines={lines} />;
  return <pre class="own-result">{lines?.slice(0, SHOWN).join('\n') ?? ownText(props.value)}</pre>;
}

function Count({ name, value, lines }: ShownProps<number>): JSX.Element {
  return (
    <p class="summary">
      {name}: {lines?.[0] ?? String(value)}
    </p>
  );
}

function Filled({ store, value: histogram, running, theme }: ShownProps<Histogram>): JSX.Element {
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

function Labels({ value }: ShownProps<Record<string, number>>): JSX.Element {
  const all = Object.entries(value).sort(([, a], [, b]) => b - a);
  const columns = { Label: all.map(([label]) => label), Sum: all.map(([, sum]) => sum) };
  return <Columns columns={columns} what="labels" first={1} />;
}

function Rows({ value }: ShownProps<Record<string, ArrayLike<unknown>>>): JSX.Element {
  return <Columns columns={value} what="rows" first={0} />;
}

interface ColumnsProps {
  columns: Record<string, ArrayLike<unknown>>;
  /** Title of the rows. */
  what: string;
  /** Index of the first column that is aligned as numbers. */
  first: number;
}

function Columns({ columns, what, first }: ColumnsProps): JSX.Element {
  const titles = Object.keys(columns);
  const count = columns[titles[0] ?? '']?.length ?? 0;
  return (
    <div class="table-scroll">
      <table>
        <TableHead titles={titles} numbers={titles.map((_, i) => i).slice(first)} />
        <tbody>
          {Array.from({ length: Math.min(count, SHOWN) }, (_, row) => (
            <tr key={row}>
              {titles.map((title, i) => (
                <td class={i < first ? undefined : 'number'} key={title}>
                  {String(columns[title]?.[row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {formatCount(count)} {what}
      </p>
    </div>
  );
}
