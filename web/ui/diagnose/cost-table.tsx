import { formatCount, formatDuration } from '../../base/format';
import type { DoctorCost } from '../../insight/doctor/doctor-types';
import { NumbersTable } from '../widgets/table-parts';

/** Read calls and time now and afterwards; `after` says what is done: "Repaired". A single link has no column. */
export function CostTable({ costs, after }: { costs: readonly DoctorCost[]; after: string }): JSX.Element {
  const hasLinks = costs.some(({ link }) => link !== costs[0]?.link);
  const titles = [
    'Disk or link',
    'Reading',
    'Calls',
    'Time',
    `${after}: calls`,
    'time',
    'Saved in 1,000 visits',
  ];
  return (
    <div class="table-box">
      <NumbersTable
        titles={hasLinks ? titles : titles.slice(1)}
        numbers={hasLinks ? [2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]}
        rows={costs.map((cost) => [
          ...(hasLinks ? [cost.link] : []),
          cost.reading,
          formatCount(cost.calls),
          formatDuration(cost.ms),
          formatCount(cost.betterCalls),
          formatDuration(cost.betterMs),
          formatDuration(1000 * Math.max(0, cost.ms - cost.betterMs)),
        ])}
      />
    </div>
  );
}
