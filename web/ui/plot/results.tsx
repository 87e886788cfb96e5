import type { PartialNote } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import { formatCount } from '../../base/format';

interface PartialProps {
  note: PartialNote | undefined;
  /** Plural name of the missing parts. Default: "baskets". */
  parts?: string | undefined;
  /** The file, if there are two. */
  of?: string | undefined;
  /** Describes what happened to the parts. Default: "could not be read". */
  became?: string | undefined;
  /** Tries again. Missing if that would give the same result. */
  onAgain?: (() => void) | undefined;
}

/**
 * Reports missing parts of a result with the reason, and offers to try again, because a server may have failed only
 * for a moment.
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

/** Returns each different error with its count, because one failure often affects many baskets. */
function alike(errors: ErrorRecord[]): [error: ErrorRecord, count: number][] {
  const found = new Map<string, [ErrorRecord, number]>();
  for (const error of errors) {
    const key = `${error.code} ${error.message}`;
    found.set(key, [found.get(key)?.[0] ?? error, (found.get(key)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}
