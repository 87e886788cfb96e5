import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { readSavedReading } from '../state/saved-reading';
import type { ViewerStore } from '../state/viewer-state';
import { ErrorPane } from '../widgets/error-pane';

/** Shows a saved reading together with the reads of this session: chosen here, or dropped on the page. */
export function SavedReading({ store }: { store: ViewerStore }): JSX.Element {
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const load = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file === undefined) return;
    failed.value = undefined;
    try {
      store.traffic.savedReading.value = await readSavedReading(store, file);
    } catch (thrown) {
      failed.value = toXylemError(thrown).toRecord();
    }
  };
  return (
    <>
      <div class="controls">
        <label class="button">
          Compare with a saved reading, perfstat.root or a trace
          <input
            class="hidden-input"
            type="file"
            accept=".json,.root,.har,.csv,.log,.txt,.strace,.cinfo"
            onChange={(event) => void load(event.currentTarget)}
          />
        </label>
        {store.traffic.savedReading.value !== undefined && (
          <button
            type="button"
            onClick={() => {
              store.traffic.savedReading.value = undefined;
            }}
          >
            Show this session alone
          </button>
        )}
      </div>
      {failed.value !== undefined && <ErrorPane error={failed.value} />}
    </>
  );
}
