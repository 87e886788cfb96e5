import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CallOptions, FileId } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { Written } from '../state/jobs';
import type { ViewerStore } from '../state/viewer-state';
import { JobProgress, JobResult } from '../widgets/job-state';

/** A file that is being written piece by piece. */
interface Writing {
  write(api: EngineApi, file: FileId, options: CallOptions): Promise<Written>;
  /** Removes the written part. */
  abandon(): Promise<void>;
}

interface SaveFileProps {
  store: ViewerStore;
  /** Place of this button in the open file. Each place writes one file at a time. */
  place: string;
  /** Text of the button. */
  label: string;
  /** Name of the file; the user may choose another. */
  name: string;
  disabled?: boolean;
  /** Called when the button is pressed. */
  begin(): Writing;
}

/**
 * A button that writes a file. It shows progress, the result, and the reason of a failure; also for a job that is
 * already running.
 */
export function SaveFile({ store, label, name, disabled = false, ...props }: SaveFileProps): JSX.Element {
  const place = `${store.session.file.value?.info.id} ${props.place}`;
  const job = store.jobs.list.value.find((one) => one.place === place);
  const end = job?.end;
  const part = useRef<HTMLDivElement>(null);
  const pressed = useSignal(false);
  useLayoutEffect(() => {
    // In a closed menu nothing is visible.
    if (job?.end && !job.seen && part.current?.checkVisibility?.() !== false) store.jobs.see(job);
  }, [job]);
  const save = () => {
    const { write, abandon } = props.begin();
    pressed.value = true;
    void store.session.write({ place, name }, write, abandon);
  };
  return (
    <div class="save-root" ref={part}>
      {job !== undefined && end === undefined ? (
        <JobProgress {...{ store, job }} focus={pressed.value} />
      ) : (
        <button type="button" class="primary" disabled={disabled} onClick={save}>
          {label}
        </button>
      )}
      {job !== undefined && end !== undefined && <JobResult job={{ ...job, end }} />}
    </div>
  );
}
