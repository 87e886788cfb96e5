import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { Activity } from '../state/activities';
import type { ViewerStore } from '../state/viewer-state';
import { Icon } from './icons';

/** The line at the bottom: the bytes read so far, and the promise that nothing is sent. */
export function StatusLine({ store }: { store: ViewerStore }): JSX.Element {
  const trace = store.trace.value;
  const time = store.lastTime.value;
  const reading = store.activities.list.value.length > 0;
  return (
    <footer class="status" part="status">
      {reading ? (
        <ProgressBar store={store} />
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
      <span class="private">
        <Icon name="shield" /> Nothing leaves your machine: this page reads files itself
      </span>
    </footer>
  );
}

/** Progress of the running activity, with Cancel. Appears only when it takes a moment. */
export function ProgressBar({ store }: { store: ViewerStore }): JSX.Element | null {
  const activity = store.activities.list.value.at(-1);
  if (activity === undefined) return null;
  return <Bar key={activity.slot} activity={activity} onCancel={() => store.activities.cancel()} />;
}

/** The place of a result, with a description of what is being read for it. */
export function Placeholder({ store }: { store: ViewerStore }): JSX.Element {
  const label = store.activities.list.value.at(-1)?.label;
  return <div class="placeholder">{label !== undefined && `${label}…`}</div>;
}

/** ms without a byte after which the line says that it waits for the server. */
const SILENCE_MS = 8000;

/** Says how long a server has not answered, so that users know that the page works. */
export function Silence({ store }: { store: ViewerStore }): JSX.Element | null {
  const activity = store.activities.list.value.at(-1);
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = performance.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  if (activity === undefined || (activity.progress?.bytesDone ?? 0) > 0) return null;
  const waited = now.value - activity.started;
  if (waited < SILENCE_MS) return null;
  return (
    <p class="hint" role="status">
      The server has not answered for {formatCount(Math.round(waited / 1000))} s. It may be slow, or read the
      file from tape first. You can wait, or cancel and try again later.
    </p>
  );
}

function Bar({ activity, onCancel }: { activity: Activity; onCancel(): void }): JSX.Element {
  const { progress } = activity;
  const known = progress !== undefined && progress.bytesTotal > 0;
  const share = known ? Math.min(1, progress.bytesDone / progress.bytesTotal) : undefined;
  return (
    <div class="progress">
      <div
        class={`meter${share === undefined ? ' unknown' : ''}`}
        role="progressbar"
        aria-label={activity.label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === undefined ? undefined : Math.round(share * 100)}
      >
        <span style={share === undefined ? {} : { width: `${100 * share}%` }} />
      </div>
      <span class="progress-label">{activity.label}</span>
      <span class="progress-bytes">
        {known && `${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`}
        {!known && progress !== undefined && progress.bytesDone > 0 && formatBytes(progress.bytesDone)}
      </span>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
