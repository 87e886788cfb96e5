import type { Frequencies } from '../../api/api';
import { formatCount, formatNumber } from '../../base/format';
import type { ViewerStore } from '../state/viewer-state';
import { TableHead } from '../widgets/table-parts';
import { Partial } from './results';

/**
 * Returns the texts for each count and its share. Sums of weights have no share if some strings are not listed or
 * some sums are negative, because the total is then unknown or meaningless.
 */
export function countsOf({ top, values, distinct }: Frequencies): { count: string; share: string }[] {
  const sum = top.reduce((all, { count }) => all + count, 0);
  const counted = top.every(({ count }) => Number.isInteger(count) && count > 0) && sum <= values;
  const all = counted ? values : top.length < distinct || top.some(({ count }) => count < 0) ? 0 : sum;
  return top.map(({ count }) => ({
    count: Number.isInteger(count) ? formatCount(count) : formatNumber(count).replace('-', '−'),
    share: all > 0 ? `${((100 * count) / all).toFixed(1)} %` : '',
  }));
}

/** The most frequent strings, with their share. */
export function FrequencyTable({ store, result }: { store: ViewerStore; result: Frequencies }): JSX.Element {
  const most = Math.max(...result.top.map(({ count }) => Math.abs(count)));
  const words = countsOf(result);
  return (
    <>
      <Partial note={result.partial} onAgain={() => store.session.reload()} />
      <p class="summary">
        {formatCount(result.values)} strings, {formatCount(result.distinct)} different
        {result.top.length < result.distinct ? `; the ${result.top.length} most frequent:` : ''}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="table-box" aria-label="Counts of texts" tabIndex={0}>
        <table class="frequencies">
          <TableHead titles={['Value', 'Count', 'Share']} numbers={[1, 2]} />
          <tbody>
            {result.top.map((line, i) => (
              <tr key={line.value}>
                <td class="value">
                  <span class="bar" style={{ width: `${(100 * Math.abs(line.count)) / most}%` }} />
                  <span class="bar-text">{line.value === '' ? <em>empty</em> : line.value}</span>
                </td>
                <td class="number">{words[i]?.count}</td>
                <td class="number">{words[i]?.share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
