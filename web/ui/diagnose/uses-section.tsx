import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../api/api';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { rateText, type UseReport } from '../../insight/reads/use';
import type { BranchSum, UsesReport } from '../../insight/reads/uses';
import { cyclePath } from '../../model/find-key';
import { DARK_PALETTE, PALETTE } from '../../plot/drawing/drawing';
import { useDrawing } from '../../plot/use-drawing';
import { Painted } from '../plot/painted';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { CopyButton } from '../widgets/copy-button';
import { ErrorPane } from '../widgets/error-pane';
import { MoreRows, NumbersTable } from '../widgets/table-parts';
import { useRead } from '../widgets/use-read';
import { ColumnsTable } from './columns-table';

const FIRST_ROWS = 20;

interface UsesProps extends ViewProps {
  onBranch(path: string): void;
  tree: NonNullable<ViewProps['tree']>;
  layout: TreeLayout;
}

/** The parts of the tree that the saved readings used, and how the same would cost less. */
export function UsesSection({ store, open, tree, layout, theme, onBranch }: UsesProps): JSX.Element {
  const readings = store.traffic.savedReadings.value;
  const key = useMemo(() => `uses ${tree.keyIndex} ${++keys}`, [readings, tree.keyIndex]);
  const [read, again] = useRead(store, open, key, 'Putting reads to branches', (_api, file, options) =>
    store.insight.uses(file, cyclePath(tree.key), { readings, name: open.info.name }, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <p class="hint">Putting reads to branches…</p>;
  return <Uses report={read.value} layout={layout} theme={theme} onBranch={onBranch} />;
}

/** Each list of readings has a key of its own. */
let keys = 0;

function Uses({
  report,
  layout,
  theme,
  onBranch,
}: Pick<UsesProps, 'layout' | 'theme' | 'onBranch'> & { report: UsesReport }): JSX.Element {
  const { uses, branches, columns, ways, link, linkKnown } = report;
  const wanted = useMemo(() => new Set(branches.map(({ branch }) => branch)), [branches]);
  const told = uses.flatMap(({ by, use }) => (use === undefined ? [] : [{ by, use }]));
  const facts = uses.flatMap(({ facts = [] }) => facts);
  const several = told.length > 1;
  return (
    <>
      <h3>{several ? `What ${formatCount(told.length)} readings used` : 'What the reading used'}</h3>
      {facts.length > 0 && uses.length === 1 && (
        <p>{facts.map(([name, value]) => `${name}: ${value}`).join(' · ')}</p>
      )}
      {told.length === 0 && (
        <p class="hint">
          No read of it has a basket of this tree: look at the tree that was read, or choose a trace of this
          file.
        </p>
      )}
      {told.length > 0 && <Shares uses={told.map(({ use }) => use)} />}
      <ColumnsTable {...{ columns, layout, wanted, onBranch }} />
      {several && <Branches rows={branches} layout={layout} readings={told.length} />}
      {several && <UsePicture uses={told} layout={layout} theme={theme} />}
      {ways.length > 0 && (
        <>
          <h3>The same, read in other ways</h3>
          <p class="hint">
            On {linkKnown ? 'the link that the trace shows' : 'a usual link'}:{' '}
            {formatDuration(link.latencyMs)}, {rateText(link.bytesPerMs)}.
          </p>
          <Ways ways={ways} />
        </>
      )}
    </>
  );
}

/** The parts of what was read, by what became of them. */
function Shares({ uses }: { uses: readonly UseReport[] }): JSX.Element {
  const sum = (of: (use: UseReport) => number) => uses.reduce((total, use) => total + of(use), 0);
  const bytes = sum((use) => use.bytes);
  const rows: [string, number][] = [
    ['of branches that were used', sum((use) => use.wantedBytes)],
    ['without need: of other branches, between them', sum((use) => use.vainBytes)],
    ["outside of the tree's baskets", sum((use) => use.otherBytes)],
    ['read again', sum((use) => use.againBytes)],
  ];
  const small = sum(({ smallCalls }) => smallCalls);
  return (
    <>
      <p class="summary">
        {formatCount(sum(({ calls }) => calls))} reads of {formatBytes(bytes)}
        {small > 0 && `, ${formatCount(small)} of them of at most 1,000 bytes`}
      </p>
      <div class="table-box">
        <NumbersTable
          titles={['Read', 'Bytes', 'Part']}
          numbers={[1, 2]}
          rows={rows.map(([name, part]) => [name, formatBytes(part), share(part, bytes)])}
        />
      </div>
    </>
  );
}

function Branches({
  rows,
  layout,
  readings,
}: {
  rows: readonly BranchSum[];
  layout: TreeLayout;
  readings: number;
}): JSX.Element {
  const most = useSignal(FIRST_ROWS);
  return (
    <>
      <div class="table-box">
        <NumbersTable
          titles={['Branch', 'Readings', 'Read', 'Of its bytes']}
          numbers={[1, 2, 3]}
          rows={rows
            .slice(0, most.value)
            .map(({ branch, readings: by, bytes, storedBytes }) => [
              layout.tree.branches[branch]?.path,
              `${formatCount(by)} of ${formatCount(readings)}`,
              formatBytes(bytes),
              share(bytes, storedBytes * by),
            ])}
        />
      </div>
      <MoreRows left={rows.length - most.value} onMore={() => (most.value += 200)} />
    </>
  );
}

function Ways({ ways }: { ways: UsesReport['ways'] }): JSX.Element {
  return (
    <div class="table-box">
      <NumbersTable
        titles={['Read', 'Reads', 'Bytes', 'Time', 'Makes the file']}
        numbers={[1, 2, 3]}
        rows={ways.map(({ name, calls, bytes, ms, command }) => [
          name,
          formatCount(calls),
          formatBytes(bytes),
          formatDuration(ms),
          command !== undefined && <CopyButton label="Copy the command" text={() => command} />,
        ])}
      />
    </div>
  );
}

/** A row for each branch, a column for each reading. */
function UsePicture({
  uses,
  layout,
  theme,
}: {
  uses: readonly { by: string; use: UseReport }[];
  layout: TreeLayout;
  theme: ViewProps['theme'];
}): JSX.Element {
  const drawing = useMemo(() => useDrawing(uses, layout.tree), [uses, layout]);
  return (
    <figure class="plot pad-picture">
      <Painted drawing={drawing} name={drawing.title} palette={theme === 'dark' ? DARK_PALETTE : PALETTE} />
    </figure>
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
