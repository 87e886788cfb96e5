import type { JSX } from 'preact';

/** Shown after Cancel: not an error, only a button to try again. */
export function Cancelled({ onAgain }: { onAgain(): void }): JSX.Element {
  return (
    <div class="hint">
      <p>Reading was cancelled.</p>
      <button type="button" onClick={onAgain}>
        Read again
      </button>
    </div>
  );
}
