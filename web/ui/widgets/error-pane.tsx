import type { ComponentChildren } from 'preact';
import { CODES } from '../../base/codes';
import { type ErrorRecord, isPartMissing } from '../../base/errors';
import { formatCount } from '../../base/format';
import { wholePage } from './lazy';
import { PlainFacts } from './plain-facts';

interface ErrorPaneProps {
  error: ErrorRecord;
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** Shows an error: what happened, what to do, and folded details. */
export function ErrorPane({ error, onRetry, children }: ErrorPaneProps): JSX.Element {
  const { where } = error;
  return (
    <section class="error-pane" role="alert">
      <p class="error-code">
        <code>{error.code}</code>
      </p>
      <h2>{CODES[error.code].heading}</h2>
      <p class="error-message">{error.message}</p>
      {error.fix !== undefined && <p class="error-fix">{error.fix}</p>}
      <div class="buttons">
        {onRetry !== undefined && (
          <button type="button" class="primary" onClick={onRetry}>
            {error.code === 'FILE_CHANGED' ? 'Open the file again' : 'Try again'}
          </button>
        )}
        {isPartMissing(error) && wholePage.reload && (
          <button type="button" onClick={wholePage.reload}>
            Load the page again
          </button>
        )}
        {children}
      </div>
      {(where !== undefined || error.cause !== undefined) && (
        <details>
          <summary>Details</summary>
          <PlainFacts
            facts={[
              ['Address', where?.url],
              ['Path', where?.path],
              ['Offset', where?.offset === undefined ? undefined : `byte ${formatCount(where.offset)}`],
              ['Length', where?.length === undefined ? undefined : `${formatCount(where.length)} bytes`],
              ['Within', where?.breadcrumbs?.join(' › ')],
              ['Cause', error.cause],
            ]}
          />
        </details>
      )}
    </section>
  );
}
