import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../../base/format';
import type { EntryNumbers, FilledHistogram } from '../../file/api';
import { modelOfFilled } from '../../plot/filled';
import { parseDraw } from '../../query/draw-spec';
import { BinsTable } from '../bins-table';
import { ExportMenu } from '../export-menu';
import { type Fact, Facts } from '../facts';
import { LookToggles, SavePlot } from '../plot-controls';
import { PlotView } from '../plot-view';
import { FrequencyTable, Partial } from '../results';
import { Placeholder } from '../status-line';
import type { Content, ViewerStore } from '../viewer-state';
import type { ViewProps } from '../views';
import { QueryBar } from './query-bar';

/** The query bar of a tree, and what it drew. */
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

function Filled(props: DrawnProps & { result: FilledHistogram }): JSX.Element {
  const { store, content, result, theme, tree } = props;
  const model = useMemo(() => modelOfFilled(result), [result]);
  const { range } = store.settings.value;
  // Bins that stand in the text are what was asked for: they do not zoom.
  const zooms = result.axes.length === 1 && !content.query.expr.includes('>>');
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.reload()} />
      <div class="controls">
        {zooms && (
          <button
            type="button"
            disabled={range === undefined}
            onClick={() => store.setSettings({ range: undefined })}
          >
            Full range
          </button>
        )}
        <LookToggles store={store} model={model} />
        <ExportMenu
          store={store}
          keyInfo={tree.key}
          tree={tree.info}
          branches={[]}
          query={{ columns: columnsOf(content.query.expr), cut: content.query.cut ?? '' }}
        />
      </div>
      <PlotView
        model={model}
        look={store.look.value}
        theme={theme}
        stale={content.stale}
        onRange={zooms ? (low, high) => store.setSettings({ range: [low, high] }) : undefined}
        onReset={zooms ? () => store.setSettings({ range: undefined }) : undefined}
      >
        <SavePlot model={model} look={store.look.value} />
      </PlotView>
      <Facts class="stats" facts={model.stats.map((line): Fact => [line.label, line.value])} />
      {model.kind === 'bins' && <BinsTable model={model} />}
    </>
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
