interface CancelledProps {
  /** Whether a partial plot is shown. */
  hasPart?: boolean;
  onAgain(): void;
}

/** Shown after Cancel. This is not an error; it only has a button to try again. */
export function Cancelled({ hasPart = false, onAgain }: CancelledProps): JSX.Element {
  return (
    <div class="hint">
      <p role={hasPart ? 'status' : undefined}>
        {hasPart ? 'Reading was cancelled: these are a part of the entries.' : 'Reading was cancelled.'}
      </p>
      <button type="button" onClick={onAgain}>
        {hasPart ? 'Read the rest' : 'Read again'}
      </button>
    </div>
  );
}
