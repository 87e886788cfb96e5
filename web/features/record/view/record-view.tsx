import { useSignal } from '@preact/signals';
import type { Places } from '../../../ui/part';
import type { ViewProps } from '../../../ui/view-tabs';
import { RecordPanel } from './record-panel';

/** The view of the header, or of a record that is named by its position or by the path of its object. */
export function RecordView({ store, open }: ViewProps): JSX.Element {
  const place = new URLSearchParams(store.selection.viewParams.value).get('at') || '0';
  const typed = useSignal(place === '0' ? '' : place);
  const show = (next: string) => {
    typed.value = next;
    const at = next.trim();
    store.selection.setView('record', at === '' || at === '0' ? '' : new URLSearchParams({ at }).toString());
  };
  return (
    <>
      <form
        class="record-form"
        onSubmit={(event) => {
          event.preventDefault();
          show(typed.value);
        }}
      >
        <label class="field">
          Position, or path of an object
          <input
            type="text"
            spellcheck={false}
            placeholder="0, the header of the file"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Show</button>
      </form>
      <RecordPanel {...{ store, open, place }} onGo={(offset) => show(String(offset))} />
    </>
  );
}

/** The record of a place that is outlined on the map. */
export function OutlinedRecord({ store, open, offset, onPlace }: Places['bytes']): JSX.Element {
  return <RecordPanel {...{ store, open }} place={String(offset)} onGo={onPlace} />;
}
