import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CallOptions } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { WriteApi } from '../../write/api';
import type { Sink } from '../../write/file/sink';
import type { Activity } from '../state/activities';
import type { ViewerStore } from '../state/viewer-state';

/** A file that was saved. */
export interface Saved {
  bytes: number;
  /** More about it: "3 trees, 12 histograms". */
  text: string;
  /** Parts that were left out, and what came along. */
  notes: readonly string[];
}

interface SaveRootProps {
  store: ViewerStore;
  writer: WriteApi;
  /** The purpose, as of activities. */
  slot: string;
  /** Text of the button. */
  label: string;
  /** Name of the file; the user may choose another. */
  name: string;
  disabled?: boolean;
  write(writer: WriteApi, sink: Sink, options: CallOptions): Promise<Saved>;
}

/** A button that writes a ROOT file, with progress, an end, and the reason of a failure. */
export function SaveRoot(props: SaveRootProps): JSX.Element {
  const { store, writer, slot, label, name, disabled = false } = props;
  const saved = useSignal<{ name: string; saved: Saved } | undefined>(undefined);
  const cancelled = useSignal(false);
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const activity = store.activities.list.value.find((one) => one.slot === slot);

  const save = async () => {
    saved.value = undefined;
    failed.value = undefined;
    cancelled.value = false;
    let sink: Sink | undefined;
    try {
      sink = await store.sink(name);
      const own = sink;
      const result = await store.session.call(slot, `Writing ${name}`, (_api, _file, options) =>
        props.write(writer, own, options),
      );
      saved.value = { name: own.name ?? name, saved: result };
    } catch (thrown) {
      // Also when it failed before anything could be written.
      await sink?.abort?.().catch(() => undefined);
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') cancelled.value = true;
      else failed.value = error.toRecord();
    }
  };
  return (
    <div class="save-root">
      {activity === undefined ? (
        <button type="button" class="primary" disabled={disabled} onClick={() => void save()}>
          {label}
        </button>
      ) : (
        <Running activity={activity} onCancel={() => store.activities.cancel(slot)} />
      )}
      <p class="hint" role="status">
        {cancelled.value && 'Cancelled: nothing was written.'}
        {saved.value !== undefined &&
          `${saved.value.name}: ${saved.value.saved.text}, ${formatBytes(saved.value.saved.bytes)}`}
      </p>
      {saved.value !== undefined && saved.value.saved.notes.length > 0 && (
        <ul class="notes">
          {saved.value.saved.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {failed.value !== undefined && (
        <p class="hint bad" role="alert">
          {failed.value.message} {failed.value.fix}
        </p>
      )}
    </div>
  );
}

/** "1 tree", "3 trees". */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** A name for a file that is made of another: "events.root" as "events-healed.root". */
export function newName(name: string, what: string): string {
  const last = name.split(/[?#]/, 1)[0]?.split(/[\\/]/).pop() ?? '';
  return `${last.replace(/\.root$/i, '') || 'file'}-${what}.root`;
}

/** Progress of a step, with its rate and the time that is left. */
function Running({ activity, onCancel }: { activity: Activity; onCancel(): void }): JSX.Element {
  const { label, progress } = activity;
  const step = useRef({ label, since: activity.started });
  if (step.current.label !== label) step.current = { label, since: performance.now() };
  const { bytesDone = 0, bytesTotal = 0 } = progress ?? {};
  const rate = (1000 * bytesDone) / Math.max(1, performance.now() - step.current.since);
  const known = bytesTotal > 0;
  const cancel = useRef<HTMLButtonElement>(null);
  // The pressed button has gone.
  useEffect(() => cancel.current?.focus(), []);
  return (
    <div class="save-running">
      <progress aria-label={label} max={known ? bytesTotal : 1} value={known ? bytesDone : undefined} />
      <button type="button" ref={cancel} onClick={onCancel}>
        Cancel
      </button>
      <span class="hint">
        {label}
        {known && `: ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`}
        {bytesDone > 0 && `, ${formatBytes(rate)}/s`}
        {bytesDone > 0 && known && `, ${formatDuration((1000 * (bytesTotal - bytesDone)) / rate)} left`}
      </span>
    </div>
  );
}
