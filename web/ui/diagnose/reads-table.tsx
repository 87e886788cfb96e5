import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { originNames } from '../../insight/reads/describe-read';
import type { PerfRead, PerfReport } from '../../insight/reads/reading';
import { NumbersTable } from '../widgets/table-parts';

/** More rows than this are not listed. */
const MAX_ROWS = 200;
interface ReadsTableProps {
  report: PerfReport;
  onMap(read: PerfRead): void;
  onBranch(path: string): void;
}

/** The reads in numbers, each with its place on the map and the branches that it brought. */
export function ReadsTable({ report, onMap, onBranch }: ReadsTableProps): JSX.Element {
  const reads = report.reads.filter(({ origin }) => origin !== 'decode');
  return (
    <details>
      <summary>Reads in numbers ({formatCount(reads.length)})</summary>
      <div class="table-box">
        <NumbersTable
          titles={['At byte', 'Bytes', 'From', 'Begun', 'Took', 'Branches']}
          numbers={[0, 1, 3, 4]}
          rows={reads.slice(0, MAX_ROWS).map((read) => [
            <button type="button" class="link" title="Show on the map" key="at" onClick={() => onMap(read)}>
              {formatCount(read.offset)}
            </button>,
            formatBytes(read.length),
            originNames[read.origin],
            formatDuration(read.queued * 1000),
            formatDuration((read.done - read.queued) * 1000),
            <>
              {read.branches.length === 0 && read.purpose}
              {read.branches.map((path) => (
                <button type="button" class="link" key={path} onClick={() => onBranch(path)}>
                  {path}
                </button>
              ))}
            </>,
          ])}
        />
      </div>
      {reads.length > MAX_ROWS && (
        <p class="hint">… and {formatCount(reads.length - MAX_ROWS)} more: save them as JSON.</p>
      )}
    </details>
  );
}
