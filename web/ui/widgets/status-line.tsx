import type { JSX } from 'preact';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { ViewerStore } from '../state/viewer-state';
import { Icon } from './icons';
import { ProgressBar } from './progress';

export interface StatusLineProps {
  store: ViewerStore;
  /** In place of the promise; empty for none. */
  privacy?: string | null | undefined;
}

const PROMISE = 'Nothing leaves your machine: this page reads files itself';

/** The line at the bottom: the bytes read so far, and the promise that nothing is sent. */
export function StatusLine({ store, privacy }: StatusLineProps): JSX.Element {
  const trace = store.traffic.trace.value;
  const time = store.traffic.lastTime.value;
  const reading = store.activities.list.value.length > 0;
  return (
    <footer class="status" part="status">
      {reading ? (
        <ProgressBar store={store} tells />
      ) : trace === null ? (
        <span />
      ) : (
        <span class="reads">
          {formatBytes(trace.bytes)} read in {formatCount(trace.requests)}{' '}
          {trace.requests === 1 ? 'request' : 'requests'}
          {trace.cachedBytes > 0 && `, ${formatBytes(trace.cachedBytes)} again from memory`}
          {trace.storedBytes > 0 && `, ${formatBytes(trace.storedBytes)} kept from earlier`}
          {time !== null && ` · last action ${formatDuration(time)}`}
        </span>
      )}
      {privacy !== '' && (
        <span class="private">
          <Icon name="shield" /> {privacy ?? PROMISE}
        </span>
      )}
    </footer>
  );
}
