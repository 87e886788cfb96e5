import { useEffect } from 'preact/hooks';
import { probeServer } from '../../insight/probe/probe';
import type { ProbeState } from '../../insight/probe/probe-report';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { NumbersTable } from '../widgets/table-parts';
import { useRead } from '../widgets/use-read';

const STATE_NAMES: Record<ProbeState, string> = { good: 'Good', poor: 'Poor', bad: 'Bad', unknown: '–' };

/** Capabilities of the file's server, as seen from this page, and the lines that repair missing ones. */
export function ServerView({ store, open }: ViewProps): JSX.Element {
  const { source } = open;
  const url = source.kind === 'url' ? source.url : undefined;
  const [read, again] = useRead(
    store,
    open,
    'server',
    'Asking the server',
    async (_api, _file, { signal }) =>
      url === undefined || source.kind !== 'url'
        ? undefined
        : await probeServer(url, { headers: source.headers, signal }),
  );
  const facts = read.state === 'ready' ? read.value?.facts : undefined;
  useEffect(() => {
    if (facts !== undefined) store.traffic.link.measured(open, facts);
  }, [store, open, facts]);
  if (url === undefined) return <p class="hint">This file was not read from a server.</p>;
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading' || read.value === undefined) return <Placeholder store={store} />;
  const { checks, remedies } = read.value;
  return (
    <>
      <div class="table-box">
        <NumbersTable
          titles={['What', 'State', 'Found']}
          rows={checks.map(({ title, state, found, meaning }) => [
            title,
            <span class={`grade ${state}`} key="state">
              {STATE_NAMES[state]}
            </span>,
            <>
              {found}
              {meaning !== undefined && <div class="hint">{meaning}</div>}
            </>,
          ])}
        />
      </div>
      {remedies.map(({ server, place, lines, note }) => (
        <details key={server}>
          <summary>
            Lines for {server}, {place}
          </summary>
          {lines.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <pre class="lines" tabIndex={0}>
              {lines.join('\n')}
            </pre>
          )}
          {note !== undefined && <p class="hint">{note}</p>}
        </details>
      ))}
    </>
  );
}
