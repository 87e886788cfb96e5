import type { PerfRead, PerfReport } from '../../../api/reading';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { TableHead } from '../../../ui/widgets/table-parts';
import { originNames } from '../work/describe-read';

/** Maximum number of rows. */
const MAX_ROWS = 200;
interface ReadsTableProps {
  report: PerfReport;
  onMap(read: PerfRead): void;
  onBranch(path: string): void;
}

/** A table of the reads, each with its place on the map and the branches whose bytes it had. */
export function ReadsTable({ report, onMap, onBranch }: ReadsTableProps): JSX.Element {
  const reads = report.reads.filter(({ origin }) => origin !== 'decode');
  return (
    <details>
      <summary>Reads in numbers ({formatCount(reads.length)})</summary>
      <div class="table-box">
        <table>
          <TableHead
            titles={['At byte', 'Bytes', 'From', 'Begun', 'Took', 'Branches']}
            numbers={[0, 1, 3, 4]}
          />
          <tbody>
            {reads.slice(0, MAX_ROWS).map((read, i) => (
              <tr key={i}>
                <td class="number">
                  <button type="button" class="link" title="Show on the map" onClick={() => onMap(read)}>
                    {formatCount(read.offset)}
                  </button>
                </td>
                <td class="number">{formatBytes(read.length)}</td>
                <td>{originNames[read.origin]}</td>
                <td class="number">{formatDuration(read.queued * 1000)}</td>
                <td class="number">{formatDuration((read.done - read.queued) * 1000)}</td>
                <td>
                  {read.branches.length === 0 && read.purpose}
                  {read.branches.map((path) => (
                    <button type="button" class="link" key={path} onClick={() => onBranch(path)}>
                      {path}
                    </button>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {reads.length > MAX_ROWS && (
        <p class="hint">… and {formatCount(reads.length - MAX_ROWS)} more: save them as JSON.</p>
      )}
    </details>
  );
}
