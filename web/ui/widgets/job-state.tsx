import { useEffect, useRef } from 'preact/hooks';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { Activity } from '../state/activities';
import type { Job, JobEnd } from '../state/jobs';
import type { ViewerStore } from '../state/viewer-state';
import { Notes } from './definition-list';

/** Progress of a file that is being written, with rate, remaining time, and Cancel. */
export function JobProgress({
  store,
  job: { slot, name },
  focus = false,
}: {
  store: ViewerStore;
  job: Job;
  /** Whether Cancel takes over the focus of the button that started the job. */
  focus?: boolean;
}): JSX.Element | null {
  const activity = store.activities.list.value.find((one) => one.slot === slot);
  const cancel = useRef<HTMLButtonElement>(null);
  const step = useRef({ label: '', since: 0 });
  useEffect(() => {
    if (focus) cancel.current?.focus();
  }, []);
  if (activity === undefined) return null;
  const { label, progress, started } = activity;
  if (step.current.label !== label)
    step.current = { label, since: step.current.label === '' ? started : performance.now() };
  const { done, total, text } = countsOf(progress, performance.now() - step.current.since);
  return (
    <div class="save-running">
      <progress aria-label={`Writing ${name}`} max={total || 1} value={total > 0 ? done : undefined} />
      <button type="button" ref={cancel} onClick={() => store.activities.cancel(slot)}>
        Cancel
      </button>
      <span class="hint">
        {label === `Writing ${name}` ? label : `${name}: ${label}`}
        {text}
      </span>
    </div>
  );
}

/** Returns the progress of a step after `took` ms: in bytes, or in entries if the bytes are not known. */
function countsOf(
  progress: Activity['progress'],
  took: number,
): { done: number; total: number; text: string } {
  const { bytesDone = 0, bytesTotal = 0, entriesDone = 0, entriesTotal = 0 } = progress ?? {};
  const known = bytesTotal > 0;
  const [done, total] = known ? [bytesDone, bytesTotal] : [entriesDone, entriesTotal];
  const parts: string[] = [];
  if (known) parts.push(`: ${formatBytes(done)} of ${formatBytes(total)}`);
  else if (total > 0) parts.push(`: ${formatCount(done)} of ${formatCount(total)} entries`);
  if (bytesDone > 0) parts.push(`, ${formatBytes((1000 * bytesDone) / Math.max(1, took))}/s`);
  if (done > 0 && total > 0) parts.push(`, ${formatDuration((took * (total - done)) / done)} left`);
  return { done, total, text: parts.join('') };
}

/** The result of a job: the new file with notes, or the reason of the failure. */
export function JobResult({ job: { name, end } }: { job: { name: string; end: JobEnd } }): JSX.Element {
  if (end.kind === 'failed')
    return (
      <p class="hint bad" role="alert">
        {end.error.message} {end.error.fix}
      </p>
    );
  if (end.kind === 'cancelled')
    return (
      <p class="hint" role="status">
        Cancelled: nothing was written.
      </p>
    );
  const { text, bytes, notes } = end.written;
  return (
    <>
      <p class="hint" role="status">
        {end.written.name ?? name}: {text && `${text}, `}
        {formatBytes(bytes)}
      </p>
      <Notes notes={notes} />
    </>
  );
}
