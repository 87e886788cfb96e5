import { useSignal } from '@preact/signals';
import { offeredFormats, ROOT_FORMATS } from '../../export/formats';
import type { ExportChoice, Places } from '../part';
import { itemsAt } from '../widgets/slot';

/** Components that write files, by the kind of their formats. */
const writers = itemsAt('export');

/** The formats of each kind, with their names in the menu. */
const FORMATS: Readonly<Record<string, readonly { name: string; label: string }[]>> = {
  table: offeredFormats(),
  root: Object.entries(ROOT_FORMATS).map(([name, label]) => ({ name, label })),
};

type ExportMenuProps = Pick<Places['export'], 'store' | 'keyInfo'> & ExportChoice;

/** Writes branches, or expressions of them, to a file of another format, or branches to a ROOT file. */
export function ExportMenu(props: ExportMenuProps): JSX.Element | null {
  const format = useSignal('');
  const offered = writers
    .filter(({ when }) => when?.({ ...props, format: '' }) !== false)
    .flatMap(({ id, Shown }) => (FORMATS[id] ?? []).map((one) => ({ ...one, Shown })));
  const chosen = offered.find(({ name }) => name === format.value) ?? offered[0];
  if (chosen === undefined) return null;
  return (
    <details class="chooser export">
      <summary>Export</summary>
      <div class="chooser-list">
        <label class="number-field">
          <span>Format</span>
          <select
            value={chosen.name}
            onChange={(event) => {
              format.value = event.currentTarget.value;
            }}
          >
            {offered.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <chosen.Shown {...props} format={chosen.name} />
      </div>
    </details>
  );
}
