import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { ViewerStore } from '../state/viewer-state';
import { Icon } from './icons';
import { JobProgress, JobResult } from './job-state';
import { ProgressBar } from './progress';

export interface StatusLineProps {
  store: ViewerStore;
  /** Text that replaces the privacy statement; empty for none. */
  privacy?: string | null | undefined;
}

const PROMISE = 'Nothing leaves your machine: this page reads files itself';

/**
 * The line at the bottom: files that are being written, the bytes read so far, and the statement that nothing is
 * sent.
 */
export function StatusLine({ store, privacy }: StatusLineProps): JSX.Element {
  const trace = store.traffic.trace.value;
  const time = store.traffic.lastTime.value;
  const reading = store.activities.reading.value.length > 0;
  return (
    <footer class="status" part="status">
      <JobList store={store} />
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

/** The files that are being written, and finished ones until the user has seen the result. */
function JobList({ store }: { store: ViewerStore }): JSX.Element | null {
  const jobs = store.jobs.list.value.filter(({ seen }) => !seen);
  if (jobs.length === 0) return null;
  return (
    <ul class="jobs" aria-label="Files that are written">
      {jobs.map((job) => (
        <li key={job.slot}>
          {job.end === undefined ? (
            <JobProgress {...{ store, job }} />
          ) : (
            <>
              <JobResult job={{ ...job, end: job.end }} />
              <button type="button" aria-label={`Close: ${job.name}`} onClick={() => store.jobs.see(job)}>
                Close
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
