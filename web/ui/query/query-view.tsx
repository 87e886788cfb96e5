import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EntryNumbers, Histogram } from '../../api/api';
import { formatCount } from '../../base/format';
import { modelOfHistogram } from '../../plot/histogram';
import type { PlotWindow } from '../../plot/ranges';
import { parseDraw } from '../../query/compile/draw-spec';
import { ExportMenu } from '../plot/export-menu';
import { HistogramPanel } from '../plot/histogram-panel';
import { LookToggles } from '../plot/plot-controls';
import { FrequencyTable, Partial } from '../plot/results';
import type { Content, ViewerStore } from '../state/viewer-state';
import type { ViewProps } from '../view-tabs';
import { Placeholder } from '../widgets/status-line';
import { QueryBar } from './query-bar';

/** The query bar of a tree, and its drawing. */
export function QueryView({ store, tree, theme }: ViewProps): JSX.Element | null {
  if (tree === undefined) return null;
  const content = store.content.value;
  return (
    <>
      <QueryBar key={tree.keyIndex} store={store} tree={tree.info} keyInfo={tree.key} />
      {content.kind === 'reading' && <Placeholder store={store} />}
      {content.kind === 'query' && <Drawn store={store} content={content} theme={theme} tree={tree} />}
      {content.kind === 'info' && (
        <p class="hint">
          Write a branch or an expression of branches: <code>y:x</code> is y over x, and what stands behind{' '}
          <code>&gt;&gt;</code> says the bins, as in <code>h(100,0,50)</code>. The cut selects, and weighs.
        </p>
      )}
    </>
  );
}

interface DrawnProps {
  store: ViewerStore;
  content: Content & { kind: 'query' };
  theme: 'light' | 'dark';
  tree: NonNullable<ViewProps['tree']>;
}

function Drawn({ store, content, theme, tree }: DrawnProps): JSX.Element {
  const { result } = content;
  if (result.kind === 'frequencies') return <FrequencyTable store={store} result={result} />;
  if (result.kind === 'entries') return <Entries store={store} result={result} />;
  return <Filled store={store} content={content} result={result} theme={theme} tree={tree} />;
}

function Filled(props: DrawnProps & { result: Histogram }): JSX.Element {
  const { store, content, result, theme, tree } = props;
  const model = useMemo(() => modelOfHistogram(result), [result]);
  const { range, yRange } = store.settings.value;
  // Bins in the text were given explicitly: then zooming does not fill the histogram again.
  const fills = result.axes.length <= 2 && !content.query.expr.includes('>>');
  const local = useSignal<{ of: Histogram; window: PlotWindow } | undefined>(undefined);
  const window = !fills && local.value?.of === result ? local.value.window : undefined;
  const zoom = (next: PlotWindow) => {
    if (fills) store.setSettings({ range: next.x, yRange: next.y });
    else local.value = { of: result, window: next };
  };
  const zoomed = fills ? range !== undefined || yRange !== undefined : window?.x !== undefined;
  return (
    <HistogramPanel
      store={store}
      result={result}
      model={model}
      theme={theme}
      stale={content.stale}
      window={window}
      onZoom={zoom}
      controls={
        <div class="controls">
          <button type="button" disabled={!zoomed} onClick={() => zoom({})}>
            Full range
          </button>
          <LookToggles store={store} model={model} />
          <ExportMenu
            store={store}
            keyInfo={tree.key}
            tree={tree.info}
            branches={[]}
            query={{ columns: columnsOf(content.query.expr), cut: content.query.cut ?? '' }}
          />
        </div>
      }
    />
  );
}

/** The expressions without the histogram that they fill. */
function columnsOf(expr: string): string {
  return parseDraw(expr)
    .expressions.map(({ text, from, to }) => text.slice(from, to).trim())
    .join(':');
}

/** Entries listed at once. */
const listed = 1000;

function Entries({ store, result }: { store: ViewerStore; result: EntryNumbers }): JSX.Element {
  const { numbers, entries } = result;
  const shown = Array.from(numbers.subarray(0, listed), formatCount);
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.reload()} />
      <p class="summary">
        {formatCount(numbers.length)} of {formatCount(entries)} entries pass
        {numbers.length > listed ? `; the first ${formatCount(listed)}:` : ''}
      </p>
      <p class="entry-numbers">{shown.join('  ')}</p>
    </>
  );
}
