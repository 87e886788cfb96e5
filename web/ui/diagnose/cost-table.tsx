import { formatCount, formatDuration } from '../../base/format';
import type { DoctorCost } from '../../insight/doctor/doctor-types';
import { TableHead } from '../widgets/table-parts';

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
      <table class="numbers">
        <TableHead
          titles={hasLinks ? titles : titles.slice(1)}
          numbers={hasLinks ? [2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]}
        />
        <tbody>
          {costs.map((cost) => (
            <tr key={`${cost.link} ${cost.reading}`}>
              {hasLinks && <td>{cost.link}</td>}
              <td>{cost.reading}</td>
              <td class="number">{formatCount(cost.calls)}</td>
              <td class="number">{formatDuration(cost.ms)}</td>
              <td class="number">{formatCount(cost.betterCalls)}</td>
              <td class="number">{formatDuration(cost.betterMs)}</td>
              <td class="number">{formatDuration(1000 * Math.max(0, cost.ms - cost.betterMs))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
