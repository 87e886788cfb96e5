import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { terms } from './widgets/terms';

type Line = readonly [keys: string, what: string];

const keys: readonly Line[] = [
  ['Ctrl K', 'find a branch, an object, a view or an action'],
  ['/', 'filter the contents'],
  ['↑ ↓', 'move in the contents; the plot follows'],
  ['→ ←', 'unfold and fold'],
  ['a … z', 'to the next name that begins so'],
  ['Tab', 'on to the next part of the page'],
  ['Esc', 'cancel what is being read, or close'],
  ['↑ ↓ ← → PgUp PgDn Home End', 'in the table: move the active cell; with Ctrl to its ends'],
  ['?', 'this list'],
];

const gestures: readonly Line[] = [
  ['Drag across a plot', 'zoom: a branch or an expression is filled anew in that range'],
  ['Double click', 'everything again'],
  ['Point at a bin', 'its ends and its content, above the plot'],
  ['Drag the line beside the contents', 'make them wider or narrower'],
  ['Drop files on the page', 'open them'],
];

/** Keys, what the pointer does, and the words of the page. */
export function Help({ onClose }: { onClose(): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="palette help" ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="help-text" aria-label="Help" tabIndex={0}>
        <h2 id="help-title">Keyboard and pointer</h2>
        <dl>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
          {gestures.map(([gesture, what]) => (
            <div key={gesture}>
              <dt>{gesture}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <details>
          <summary>Words</summary>
          <dl>
            {Object.entries(terms).map(([word, sentence]) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{sentence}</dd>
              </div>
            ))}
          </dl>
        </details>
      </section>
      <form method="dialog">
        <button type="submit" autofocus>
          Close
        </button>
      </form>
    </dialog>
  );
}
