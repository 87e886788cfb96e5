import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ReadRecord } from '../../io/trace';
import type { OpenFile, ViewerStore } from '../state/viewer-state';

/** Interval in ms at which the trace is updated while reading. */
const LIVE_MS = 500;

/** Returns all reads of the open file so far, updated during reading; empty unless `wanted`. */
export function useTrace(store: ViewerStore, open: OpenFile, wanted = true): readonly ReadRecord[] {
  const records = useSignal<readonly ReadRecord[]>([]);
  const busy = store.activities.list.value.some(({ slot }) => !slot.startsWith('reads'));
  const done = store.traffic.trace.value;
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    const look = () =>
      store.session.reads().then(
        (list) => {
          // The length of a full trace does not change, because old reads are dropped for new ones.
          const shown = records.peek();
          if (here && (list.length !== shown.length || list.at(-1)?.done !== shown.at(-1)?.done))
            records.value = list;
        },
        // The file was closed: nothing is shown any more.
        () => undefined,
      );
    void look();
    const timer = busy ? setInterval(look, LIVE_MS) : undefined;
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [store, open, busy, done, wanted]);
  return wanted ? records.value : [];
}
