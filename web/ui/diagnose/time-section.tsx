import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../api/api';
import { formatDuration } from '../../base/format';
import type { PerfReport } from '../../insight/reads/reading';
import { PHASES, phaseNames, timeByBranch } from '../../insight/reads/time-by-branch';
import { MoreRows, NumbersTable } from '../widgets/table-parts';

interface TimeProps {
  report: PerfReport;
  layout: TreeLayout;
  onBranch(path: string): void;
}

const FIRST_ROWS = 8;

/** The time of a reading by branch and phase, as a table. */
export function TimeSection({ report, layout, onBranch }: TimeProps): JSX.Element | null {
  const times = useMemo(() => timeByBranch(report, layout), [report, layout]);
  const most = useSignal(FIRST_ROWS);
  if (times.length === 0) return null;
  return (
    <section class="part-of-view" aria-label="Where the time went">
      <h3>Where the time went</h3>
      <p class="hint">
        A request for several branches counts for each by its bytes; requests and tasks that ran at once count
        each. A Perfetto trace shows the same along the axis of time.
      </p>
      <div class="table-box">
        <NumbersTable
          titles={['Branch', 'Time', ...PHASES.map((phase) => phaseNames[phase])]}
          numbers={[1, 2, 3, 4, 5, 6]}
          rows={times.slice(0, most.value).map(({ name, branch, total, ...phases }) => [
            branch < 0 ? (
              name
            ) : (
              <button type="button" class="link" onClick={() => onBranch(name)}>
                {name}
              </button>
            ),
            timeText(total),
            ...PHASES.map((phase) => (phases[phase] > 0 ? timeText(phases[phase]) : '')),
          ])}
        />
      </div>
      <MoreRows left={times.length - most.value} onMore={() => (most.value += 200)} />
    </section>
  );
}

/** Seconds as text. Times below 0.1 s keep three digits, because decoding a branch often takes less than 1 ms. */
function timeText(seconds: number): string {
  return seconds < 0.1 ? `${Number((seconds * 1000).toPrecision(3))} ms` : formatDuration(seconds * 1000);
}
