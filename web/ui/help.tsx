import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const keys: [keys: string, what: string][] = [
  ['Ctrl K', 'find a branch, an object or an action'],
  ['/', 'filter the contents'],
  ['↑ ↓', 'move in the contents; the plot follows'],
  ['→ ←', 'unfold and fold'],
  ['a … z', 'to the next name that begins so'],
  ['Tab', 'on to the next part of the page'],
  ['Esc', 'cancel what is being read, or close'],
  ['↑ ↓ ← → PgUp PgDn Home End', 'in the table: move the active cell; with Ctrl to its ends'],
  ['?', 'this list'],
];

/** The keyboard shortcuts. */
export function Help({ onClose }: { onClose(): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="palette help" ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
