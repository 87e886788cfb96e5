import { troubleText } from '../../io/trouble-text';
import type { Activity } from '../state/activities';
import type { ViewerStore } from '../state/viewer-state';
import { leftText } from '../widgets/progress';

/** Reading that takes less than this many ms is over before its line is read. */
const SHORT_MS = 1000;

/** Says how much of the values a plot has while they are read, what is left, and the trouble with their server. */
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

/** The same as text; empty while nothing is known. */
export function provisionalText(activity: Activity): string {
  if (activity.progress === undefined) return '';
  const { entriesDone, entriesTotal, requests } = activity.progress;
  const share =
    entriesTotal > 0 ? `${Math.floor((100 * entriesDone) / entriesTotal)} % of the entries` : 'a part';
  return `Provisional: ${share}${requests?.trouble ? `. ${troubleText(requests.trouble)}` : `${leftText(activity)}.`}`;
}
