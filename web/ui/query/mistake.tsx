import type { ErrorRecord } from '../../base/errors';
import type { Query } from '../state/viewer-state';

interface MistakeProps {
  error: ErrorRecord;
  query: Query;
  /** Whether the plot of the previous text is still shown. */
  hasPlot: boolean;
  onCorrect(query: Query): void;
}

/** A mistake in an expression: its place, the reason, and suggestions to replace it. */
export function Mistake({ error, query, hasPlot, onCorrect }: MistakeProps): JSX.Element {
  const { expression: text = '', offset: at = 0, length = 0, instead = [] } = error.where ?? {};
  const end = at + length;
  const field = text === query.expr ? 'expr' : text === query.cut ? 'cut' : undefined;
  const correct = (name: string) => {
    if (field !== undefined) onCorrect({ ...query, [field]: text.slice(0, at) + name + text.slice(end) });
  };
  return (
    <section class="mistake" role="alert">
      <p class="mistake-text">
        <span class="hint">{field === 'cut' ? 'Where' : 'Draw'}</span>
        <code>
          {text.slice(0, at)}
          <mark>{text.slice(at, end) || ' '}</mark>
          {text.slice(end)}
        </code>
      </p>
      <p>
        {error.message}
        {instead.length === 0 && error.fix !== undefined && ` ${error.fix}`}
      </p>
      {hasPlot && <p class="hint">Below, fainter, is the plot from before this change.</p>}
      {field !== undefined && instead.length > 0 && (
        <p class="buttons">
          <span>Did you mean</span>
          {instead.map((name) => (
            <button type="button" key={name} onClick={() => correct(name)}>
              {name}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}
