import type { ArraysResult, BranchInfo, DrawResult, Histogram } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import { cellText } from '../../export/cell-text';
import { readableLatex } from '../../plot/drawing/latex';
import { elementsTitle } from '../../query/compile/elements';
import { branchModel, branchZoom } from '../plot/branch-plot';
import { FrequencyTable } from '../plot/frequency-table';
import { HistogramPanel } from '../plot/histogram-panel';
import { BelowHistogram, BelowPlot, NoPlot, usePlotChange } from '../plot/own-plot';
import { AxisFields, LookToggles } from '../plot/plot-controls';
import { QueryBar } from '../query/query-bar';
import { isMistake, type Selection, TABLE_ROWS, type ViewerStore } from '../state/viewer-state';
import { Cancelled } from '../widgets/cancelled';
import { type Fact, Facts, Head } from '../widgets/definition-list';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { TableHead } from '../widgets/table-parts';

interface BranchPanelProps {
  store: ViewerStore;
  selection: Selection & { kind: 'branch' };
  theme: 'light' | 'dark';
}

/** A branch: its histogram or most frequent values, and its first entries as a table. */
export function BranchPanel({ store, selection, theme }: BranchPanelProps): JSX.Element {
  const { branch, tree, key } = selection;
  const drawable = branch.kind === 'number' || branch.kind === 'string';
  const view = drawable ? store.selection.branchView.value : 'entries';
  return (
    <div class="panel">
      <Head
        path={[key.path, ...branch.path.split('/').slice(0, -1), branch.name]}
        title={readableLatex(branch.documentation ?? '')}
        badge={branch.typeName}
      >
        {drawable ? (
          <div class="tabs" role="tablist" aria-label="Show as">
            {(['plot', 'entries'] as const).map((name) => (
              <button
                type="button"
                role="tab"
                key={name}
                aria-selected={view === name}
                onClick={() => store.selection.setBranchView(name)}
              >
                {name === 'entries' ? 'Entries' : branch.kind === 'string' ? 'Values' : 'Plot'}
              </button>
            ))}
          </div>
        ) : null}
      </Head>
      {drawable && (
        <QueryBar
          key={`${selection.keyIndex} ${branch.index}`}
          store={store}
          tree={tree}
          keyInfo={key}
          branch={branch.path}
        />
      )}
      <BranchContent store={store} branch={branch} theme={theme} />
      <Facts class="wide" facts={branchFacts(branch, countBelow(tree.branches, branch))} />
    </div>
  );
}

function countBelow(branches: BranchInfo[], branch: BranchInfo): number {
  let end = branch.index + 1;
  while ((branches[end]?.depth ?? 0) > branch.depth) end++;
  return end - branch.index - 1;
}

function branchFacts(branch: BranchInfo, below: number): Fact[] {
  const ratio = branch.totalBytes / branch.storedBytes;
  return [
    ['Entries in the tree', formatCount(branch.entries)],
    ['Sub-branches', below === 0 ? undefined : formatCount(below)],
    ['Baskets', branch.kind === 'group' ? undefined : formatCount(branch.baskets)],
    ['Compressed', branch.storedBytes > 0 ? formatBytes(branch.storedBytes) : undefined],
    ['Uncompressed', branch.totalBytes > 0 ? formatBytes(branch.totalBytes) : undefined],
    ['Compression factor', Number.isFinite(ratio) && ratio > 0 ? ratio.toFixed(2) : undefined],
  ];
}

function BranchContent({
  store,
  branch,
  theme,
}: {
  store: ViewerStore;
  branch: BranchInfo;
  theme: 'light' | 'dark';
}): JSX.Element | null {
  const content = store.selection.content.value;
  switch (content.kind) {
    case 'failed':
      // The query bar shows the error of a cut, at its place.
      if (isMistake(content.error)) return null;
      return <ErrorPane error={content.error} onRetry={() => store.session.reload()} />;
    case 'cancelled':
      return <Cancelled onAgain={() => store.session.reload()} />;
    case 'reading':
      return <Placeholder store={store} />;
    case 'draw':
      return (
        <Drawn
          store={store}
          branch={branch}
          result={content.result}
          reading={content.reading}
          stale={content.stale}
          theme={theme}
        />
      );
    case 'entries':
      return <EntriesTable store={store} result={content.result} from={content.from} />;
    default:
      return branch.kind === 'group' ? (
        <p class="hint">This branch only holds others: unfold it in the contents to see them.</p>
      ) : null;
  }
}

interface DrawnProps {
  store: ViewerStore;
  branch: BranchInfo;
  result: DrawResult;
  reading: boolean;
  stale: boolean;
  theme: 'light' | 'dark';
}

function Drawn({ result, ...props }: DrawnProps): JSX.Element | null {
  if (result.kind === 'frequencies') {
    return (
      <>
        <NoPlot store={props.store} why="strings have no bins." />
        <FrequencyTable store={props.store} result={result} />
      </>
    );
  }
  return result.kind === 'histogram' ? <Filled result={result} {...props} /> : null;
}

function Filled({
  store,
  branch,
  result,
  reading,
  stale,
  theme,
}: DrawnProps & { result: Histogram }): JSX.Element {
  const selection = store.selection.chosen.value;
  const tree = selection?.kind === 'branch' ? selection.tree.path : '';
  const cut = store.selection.branchCut.value;
  const draw = { branch: branch.path, ...(cut.trim() !== '' && { cut }) };
  const elements = selection?.kind === 'branch' ? elementsTitle(branch, selection.tree) : undefined;
  const own = branchModel(result, elements);
  const isGiven = store.plot.settings.value.range !== undefined;
  const { model, change, told } = usePlotChange(store, own);
  const shownTree = selection?.kind === 'branch' ? selection.tree : undefined;
  const drawn = change?.own ?? result;
  const zoom = branchZoom(store);
  return (
    <HistogramPanel
      store={store}
      result={result}
      model={model}
      theme={theme}
      stale={stale || change?.reading === true}
      reading={reading && !stale}
      histograms={change?.histograms}
      {...zoom}
      controls={
        <>
          {elements !== undefined && (
            <p class="hint">
              This branch holds a collection ({branch.typeName}): drawn is how many elements it has in each
              entry. Its values are in the branches below it.
            </p>
          )}
          <div class="controls">
            <AxisFields
              shown={drawn.axes[0]}
              asked={store.plot.settings.value}
              stale={stale}
              onChange={(change) => store.selection.setSettings(change)}
            />
            <button
              type="button"
              disabled={zoom.refills === 'whole' && zoom.window.y === undefined}
              onClick={zoom.onReset}
            >
              Full range
            </button>
            <LookToggles store={store} model={model} />
          </div>
        </>
      }
      below={
        <BelowPlot
          {...{ store, tree: shownTree, shown: own, ...told }}
          own={
            reading || stale
              ? undefined
              : { model: own, what: branch.path, cut, filled: { tree, draw, histogram: result, isGiven } }
          }
        />
      }
      stats={change?.stats}
    >
      <BelowHistogram
        {...{ store, histogram: drawn, tree: shownTree, cut }}
        branch={branch.path}
        expr={branch.name}
        layers={change?.layers}
      />
    </HistogramPanel>
  );
}

interface EntriesTableProps {
  store: ViewerStore;
  result: ArraysResult;
  from: number;
}

function EntriesTable({ store, result, from }: EntriesTableProps): JSX.Element {
  const { column, branch } = result;
  if (column === undefined || column.length === 0) return <p class="hint">This branch has no entries.</p>;
  const to = from + column.length;
  return (
    <>
      <div class="table-box">
        <table class="entries">
          <TableHead titles={['Entry', branch.name]} numbers={[0]} />
          <tbody>
            {Array.from({ length: column.length }, (_, i) => (
              <tr key={from + i}>
                <th scope="row" class="number">
                  {formatCount(from + i)}
                </th>
                <td>{cellText(column, i)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="pager">
        <button
          type="button"
          disabled={from === 0}
          onClick={() => store.selection.showEntries(Math.max(0, from - TABLE_ROWS))}
        >
          Previous
        </button>
        <span>
          {formatCount(from)} to {formatCount(to - 1)} of {formatCount(branch.entries)}
        </span>
        <button type="button" disabled={to >= branch.entries} onClick={() => store.selection.showEntries(to)}>
          Next
        </button>
      </div>
    </>
  );
}
