import { useEffect } from 'preact/hooks';
import { ReportView } from '../../../ui/report/report';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { useRead } from '../../../ui/widgets/use-read';
import { probeServer } from '../work/probe';
import { serverFound, serverReport } from '../work/server-report';

/** Features of the file's server as seen from this page, and configuration lines for missing ones. */
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
  return <ReportView report={serverReport(serverFound(read.value))} />;
}
