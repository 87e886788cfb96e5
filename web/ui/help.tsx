import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keysText } from '../plot/command';
import { terms } from '../report/terms';
import { keyedCommands, keysOfFeatures } from './all-commands';

/** Keys of the browser, and gestures of the pointer. */
const others: readonly (readonly [gesture: string, effect: string])[] = [
  ['Tab', 'On to the next part of the page'],
  ['Drag in a plot', 'Zoom along x, along y, or to a box: a branch or an expression is filled anew along x'],
  ['Wheel or two fingers', 'Zoom a plot at the pointer; on an axis along that axis alone'],
  ['Shift and drag', 'Move a plot; dragging an axis moves along it'],
  ['Double click', 'Everything again'],
  ['Point at a bin', 'Its ends and its content; one finger does the same'],
  ['Click a name above a plot', 'Hide its line, or show it again'],
  ['Drag the line beside the contents', 'Make them wider or narrower'],
  ['Drop files on the page', 'Open them'],
];

/** The help: keys, gestures of the pointer, and the words of the page. */
export function Help({ onClose }: { onClose(): void }): JSX.Element {
  const [places, setPlaces] = useState(keyedCommands);
  useEffect(() => void keysOfFeatures().then((more) => setPlaces([...keyedCommands, ...more])), []);
  const dialog = useRef<HTMLDialogElement>(null);
  // Synchronously, because a dialog element that is not open counts as closed.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="palette help" ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="help-text" aria-label="Help" tabIndex={0}>
        <h2 id="help-title">Keyboard and pointer</h2>
        {places.map(([place, commands]) => (
          <section key={place} aria-label={place}>
            <h3>{place}</h3>
            <dl>
              {commands.map(({ id, label, keys }) => (
                <div key={id}>
                  <dt>
                    <kbd>{keysText(keys)}</kbd>
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <h3>Pointer and more</h3>
        <dl>
          {others.map(([gesture, effect]) => (
            <div key={gesture}>
              <dt>{gesture}</dt>
              <dd>{effect}</dd>
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
