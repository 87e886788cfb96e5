import type { Progress } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import { troubleText } from '../../io/trouble-text';
import type { Activity } from '../state/activities';
import { keyNode } from '../state/contents-model';
import type { ViewerStore } from '../state/viewer-state';

/**
 * Progress of reading, with Cancel. It appears only if reading takes longer than a moment. With `tells` it also
 * reports problems of the server.
 */
export function ProgressBar({ store, tells }: { store: ViewerStore; tells?: boolean }): JSX.Element | null {
  const activity = store.activities.reading.value.at(-1);
  if (activity === undefined) return null;
  return <Bar key={activity.slot} store={store} activity={activity} tells={tells === true} />;
}

/** Placeholder for a result: says what is being read for it, or that there is a problem with its server. */
export function Placeholder({ store }: { store: ViewerStore }): JSX.Element {
  const activity = store.activities.reading.value.at(-1);
  return (
    <div class="placeholder">
      {activity?.progress?.requests?.trouble ? (
        <Trouble store={store} />
      ) : (
        activity !== undefined && `${activity.label}${leftText(activity)}…`
      )}
    </div>
  );
}

/** Says that a server does not answer, for how long, and which attempt this is. */
export function Trouble({ store }: { store: ViewerStore }): JSX.Element | null {
  const trouble = store.activities.reading.value.at(-1)?.progress?.requests?.trouble;
  if (trouble === undefined) return null;
  const first = trouble.tried === 1 && trouble.nextMs === 0;
  return (
    <p class="hint" role="status">
      {troubleText(trouble)}
      {first &&
        ' It may be slow, or read the file from tape first. You can wait, or cancel and try again later.'}
    </p>
  );
}

/** Below this many bytes per request, with this many requests left, baskets are said to be small. */
const SMALL_BYTES = 32 * 1024;
const MANY_REQUESTS = 100;
/** Time in ms after which the remaining time is shown. */
const MEASURED_MS = 2000;

interface BarProps {
  store: ViewerStore;
  activity: Activity;
  tells: boolean;
}

function Bar({ store, activity, tells }: BarProps): JSX.Element {
  const { progress } = activity;
  const known = progress !== undefined && progress.bytesTotal > 0;
  const share = known ? Math.min(1, progress.bytesDone / progress.bytesTotal) : undefined;
  const trouble = progress?.requests?.trouble;
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
      <span class="progress-label">{trouble && tells ? troubleText(trouble) : activity.label}</span>
      <span class="progress-bytes">
        {known && `${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`}
        {!known && progress !== undefined && progress.bytesDone > 0 && formatBytes(progress.bytesDone)}
        {trouble === undefined && leftText(activity)}
      </span>
      {smallBaskets(progress) && <WhySlow store={store} />}
      <button type="button" onClick={() => store.activities.cancel()}>
        Cancel
      </button>
    </div>
  );
}

/** Formats what is left: ", 812 requests, about 40 s left"; empty if unknown. */
export function leftText({ progress, begun }: Activity): string {
  const left = progress?.requests?.left ?? 0;
  if (progress === undefined || left < 2) return '';
  const parts = [`${formatCount(left)} requests`];
  const took = performance.now() - (begun?.at ?? 0);
  const came = progress.bytesDone - (begun?.bytes ?? 0);
  if (begun !== undefined && took > MEASURED_MS && came > 0) {
    const ms = (took * (progress.bytesTotal - progress.bytesDone)) / came;
    if (ms > 1000) parts.push(`about ${formatCount(Math.round(ms / 1000))} s`);
  }
  return `, ${parts.join(', ')} left`;
}

/** Whether many requests are left, each with few bytes. */
export function smallBaskets(progress: Progress | undefined): boolean {
  const left = progress?.requests?.left ?? 0;
  if (progress === undefined || left < MANY_REQUESTS) return false;
  return (progress.bytesTotal - progress.bytesDone) / left < SMALL_BYTES;
}

/** A link to the doctor for the tree that is read. */
function WhySlow({ store }: { store: ViewerStore }): JSX.Element | null {
  const selection = store.selection.chosen.value;
  if (selection === null || selection.kind === 'file') return null;
  return (
    <button
      type="button"
      onClick={() => {
        store.selection.select(keyNode(selection.keyIndex));
        store.selection.setView('doctor');
      }}
    >
      Small baskets: Doctor
    </button>
  );
}
