import type { PartialNote } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import { formatCount } from '../../base/format';

interface PartialProps {
  note: PartialNote | undefined;
  /** Plural name of the missing parts; default "baskets". */
  parts?: string | undefined;
  /** The file concerned, when there are two. */
  of?: string | undefined;
  /** Says what became of the parts; default "could not be read". */
  became?: string | undefined;
  /** Tries again; without it, nothing else would come out. */
  onAgain?: (() => void) | undefined;
}

/**
 * Reports missing parts of a result with the reason, and offers another try, because a server may have failed
 * for a moment only.
 */
export function Partial({
  note,
  parts = 'baskets',
  of,
  became = 'could not be read',
  onAgain,
}: PartialProps): JSX.Element | null {
  if (note === undefined) return null;
  return (
    <div class="partial">
      <details>
        <summary>
          Partial: {formatCount(note.failed)} of {formatCount(note.total)} {parts}{' '}
          {of !== undefined && `of ${of} `}
          {became}
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
      {onAgain && (
        <button type="button" onClick={onAgain}>
          Read the rest
        </button>
      )}
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
