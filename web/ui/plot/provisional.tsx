import { troubleText } from '../../io/trouble-text';
import type { Activity } from '../state/activities';
import type { ViewerStore } from '../state/viewer-state';
import { leftText } from '../widgets/progress';

/** Reading shorter than this many ms ends before its message could be read. */
const SHORT_MS = 1000;

/** Shows how much has been read of a plot, how much is left, and problems with the server. */
export function Provisional({ store }: { store: ViewerStore }): JSX.Element | null {
  const activity = store.activities.list.value.find(({ slot }) => slot === 'detail');
  if (activity === undefined || performance.now() - activity.started < SHORT_MS) return null;
  const text = provisionalText(activity);
  return text === '' ? null : (
    <p class="hint provisional" role="status">
      {text}
    </p>
  );
}

/** Returns the same as text; empty if nothing is known. */
export function provisionalText(activity: Activity): string {
  if (activity.progress === undefined) return '';
  const { entriesDone, entriesTotal, requests } = activity.progress;
  const share =
    entriesTotal > 0 ? `${Math.floor((100 * entriesDone) / entriesTotal)} % of the entries` : 'a part';
  return `Provisional: ${share}${requests?.trouble ? `. ${troubleText(requests.trouble)}` : `${leftText(activity)}.`}`;
}
