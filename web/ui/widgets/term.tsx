import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { termOf } from '../../report/terms';

/** Explained words: `term` is such a word, `sentence` the place below it for the explanation. */
export interface Terms {
  /** Returns the word as a button, or as plain text if it has no explanation. `text` replaces the word. */
  term(word: string, text?: string): ComponentChildren;
  /**
   * Returns sentence and picture of the word that was clicked; null if none was, and for words that are not `among`.
   */
  sentence(among?: (word: string) => boolean): JSX.Element | null;
}

/** Returns explanations of words by sentences, and by a picture if `picture` returns one. */
export function useTerms(picture?: (word: string) => JSX.Element | null): Terms {
  const explained = useSignal<string | undefined>(undefined);
  const id = useId();
  const shown = explained.value;
  return {
    term(word, text = word) {
      const sentence = termOf(word);
      if (sentence === undefined) return text;
      return (
        <button
          type="button"
          class="term"
          title={sentence}
          aria-expanded={shown === word}
          aria-controls={shown === word ? id : undefined}
          onClick={() => {
            explained.value = shown === word ? undefined : word;
          }}
        >
          {text}
        </button>
      );
    },
    sentence(among = () => true) {
      if (shown === undefined || !among(shown)) return null;
      return (
        <div class="explained" id={id} role="status">
          <p class="hint term-sentence">
            <strong>{shown}</strong> {termOf(shown)}
          </p>
          {picture?.(shown)}
        </div>
      );
    },
  };
}
