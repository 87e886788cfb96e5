import type { JSX } from 'preact';
import type { Frequencies, PartialNote } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import { formatCount } from '../../base/format';
import type { ViewerStore } from '../state/viewer-state';
import { TableHead } from '../widgets/table-parts';

interface PartialProps {
  note: PartialNote | undefined;
  /** Plural name of the missing parts; default "baskets". */
  parts?: string | undefined;
  /** The file concerned, when there are two. */
  of?: string | undefined;
  onAgain(): void;
}

/**
 * Reports missing parts of a result with the reason, and offers another try, because a server may have failed
 * for a moment only.
 */
export function Partial({ note, parts = 'baskets', of, onAgain }: PartialProps): JSX.Element | null {
  if (note === undefined) return null;
  return (
    <div class="partial">
      <details>
        <summary>
          Partial: {formatCount(note.failed)} of {formatCount(note.total)} {parts}{' '}
          {of !== undefined && `of ${of} `}could not be read
        </summary>
        <ul>
          {alike(note.errors).map(([error, count]) => (
            <li key={`${error.code} ${error.message}`}>
              <code>{error.code}</code> {error.message}
              {error.fix !== undefined && ` ${error.fix}`}
              {count > 1 && ` (${formatCount(count)} ${parts})`}
            </li>
          ))}
        </ul>
      </details>
      <button type="button" onClick={onAgain}>
        Read the rest
      </button>
    </div>
  );
}

/** One failure often concerns many baskets: each different one, with its count. */
function alike(errors: ErrorRecord[]): [error: ErrorRecord, count: number][] {
  const found = new Map<string, [ErrorRecord, number]>();
  for (const error of errors) {
    const key = `${error.code} ${error.message}`;
    found.set(key, [found.get(key)?.[0] ?? error, (found.get(key)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}

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
