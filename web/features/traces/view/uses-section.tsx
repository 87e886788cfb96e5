import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../../api/api';
import { cyclePath } from '../../../model/keys';
import { DARK_PALETTE, PALETTE } from '../../../plot/drawing/drawing';
import type { Place } from '../../../report/report';
import { Painted } from '../../../ui/plot/painted';
import { ReportView } from '../../../ui/report/report';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { useRead } from '../../../ui/widgets/use-read';
import type { UseReport } from '../work/use';
import { useDrawing } from '../work/use-drawing';
import type { UsesReport } from '../work/uses';
import { usedReport } from '../work/uses-report';

interface UsesProps extends ViewProps {
  onPlace(place: Place): void;
  tree: NonNullable<ViewProps['tree']>;
  layout: TreeLayout;
}

/** The parts of the tree that the saved readings used, and cheaper ways to read them. */
export function UsesSection({ store, open, tree, layout, theme, onPlace }: UsesProps): JSX.Element {
  const readings = store.traffic.savedReadings.value;
  const key = useMemo(() => `uses ${tree.keyIndex} ${++keys}`, [readings, tree.keyIndex]);
  const [read, again] = useRead(store, open, key, 'Putting reads to branches', (_api, file, options) =>
    store.insight.uses(
      file,
      cyclePath(tree.key),
      { readings, name: open.info.name, size: open.info.size },
      options,
    ),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <p class="hint">Putting reads to branches…</p>;
  return <Uses report={read.value} layout={layout} theme={theme} onPlace={onPlace} />;
}

/** Each list of readings has a distinct key. */
let keys = 0;

function Uses({
  report,
  layout,
  theme,
  onPlace,
}: Pick<UsesProps, 'layout' | 'theme' | 'onPlace'> & { report: UsesReport }): JSX.Element {
  const told = report.uses.flatMap(({ by, use }) => (use === undefined ? [] : [{ by, use }]));
  const found = useMemo(() => usedReport(report, layout), [report, layout]);
  return (
    <>
      <h3>{found.title}</h3>
      {told.length === 0 && (
        <p class="hint">
          No read of it has a basket of this tree: look at the tree that was read, or choose a trace of this
          file.
        </p>
      )}
      <ReportView report={found} onPlace={onPlace} />
      {told.length > 1 && <UsePicture uses={told} layout={layout} theme={theme} />}
    </>
  );
}

/** A picture with a row for each branch and a column for each reading. */
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
