import type { JSX } from 'preact';
import type { Frequencies } from '../../api/api';
import { formatCount } from '../../base/format';
import type { ViewerStore } from '../state/viewer-state';
import { TableHead } from '../widgets/table-parts';
import { Partial } from './results';

/** The most frequent strings, with their share. */
export function FrequencyTable({ store, result }: { store: ViewerStore; result: Frequencies }): JSX.Element {
  const most = result.top[0]?.count ?? 1;
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.session.reload()} />
      <p class="summary">
        {formatCount(result.values)} strings, {formatCount(result.distinct)} different
        {result.top.length < result.distinct ? `; the ${result.top.length} most frequent:` : ''}
      </p>
      <div class="table-box">
        <table class="frequencies">
          <TableHead titles={['Value', 'Count', 'Share']} numbers={[1, 2]} />
          <tbody>
            {result.top.map((line) => (
              <tr key={line.value}>
                <td class="value">
                  <span class="bar" style={{ width: `${(100 * line.count) / most}%` }} />
                  <span class="bar-text">{line.value === '' ? <em>empty</em> : line.value}</span>
                </td>
                <td class="number">{formatCount(line.count)}</td>
                <td class="number">{((100 * line.count) / Math.max(1, result.values)).toFixed(1)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
