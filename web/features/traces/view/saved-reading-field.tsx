import { useSignal } from '@preact/signals';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { readSavedReadings } from './saved-reading';

/** Shows saved readings, chosen here or dropped on the page, together with the reads of this session. */
export function SavedReading({ store }: { store: ViewerStore }): JSX.Element {
  const { savedReadings } = store.traffic;
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const load = async (input: HTMLInputElement): Promise<void> => {
    const files = [...(input.files ?? [])];
    input.value = '';
    failed.value = undefined;
    try {
      for (const file of files) {
        const readings = await readSavedReadings(store, file);
        savedReadings.value = [...savedReadings.peek(), ...readings];
      }
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
            multiple
            accept=".json,.root,.har,.csv,.log,.txt,.strace,.cinfo"
            onChange={(event) => void load(event.currentTarget)}
          />
        </label>
        {savedReadings.value.length > 0 && (
          <button
            type="button"
            onClick={() => {
              savedReadings.value = [];
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
