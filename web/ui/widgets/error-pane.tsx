import type { ComponentChildren } from 'preact';
import { type ErrorCode, type ErrorRecord, isPartMissing } from '../../base/errors';
import { formatCount } from '../../base/format';
import { wholePage } from './lazy';
import { PlainFacts } from './plain-facts';

const headings: Record<ErrorCode, string> = {
  ABORTED: 'Cancelled',
  ARGUMENT: 'That cannot be opened',
  BUDGET: 'Too large to read safely',
  CHECKSUM: 'The data is damaged',
  COMPRESSION: 'The data does not decompress',
  CORE_LOST: 'The core was started anew',
  CORRUPT: 'The file is damaged here',
  FILE_CHANGED: 'The file changed while it was read',
  HTTP_LENGTH: 'The server sent the wrong amount of data',
  HTTP_NO_RANGES: 'The server cannot send parts of files',
  HTTP_STATUS: 'The server did not give the file',
  INTERNAL: 'Something is wrong in xylem',
  IO: 'The file could not be read',
  NETWORK: 'The file could not be fetched',
  NOT_FOUND: 'Not found',
  NOT_ROOT: 'Not a ROOT file',
  NO_STREAMER: 'The file does not describe this class',
  TIMEOUT: 'The server took too long',
  TRUNCATED: 'The file ends too early',
  UNSUPPORTED: 'Not readable yet',
};

interface ErrorPaneProps {
  error: ErrorRecord;
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** An error for users: what happened, what to do, and the details folded away. */
export function ErrorPane({ error, onRetry, children }: ErrorPaneProps): JSX.Element {
  const { where } = error;
  return (
    <section class="error-pane" role="alert">
      <p class="error-code">
        <code>{error.code}</code>
      </p>
      <h2>{headings[error.code]}</h2>
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
