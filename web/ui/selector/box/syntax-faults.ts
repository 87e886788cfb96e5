import { ensureSyntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';

/** ms that a text may take here; the rest is parsed in the background. */
const WAIT = 10;

/**
 * Places that are no JavaScript, at most this many. A long text is parsed bit by bit while it is shown: until all of it is,
 * the end of what was parsed looks like an error, so that nothing is told before.
 */
export function syntaxFaults(state: EditorState, most: number): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, WAIT);
  if (tree === null || tree.length < state.doc.length) return [];
  const found: Diagnostic[] = [];
  tree.iterate({
    enter: ({ type, from, to }) => {
      if (!type.isError || found.length >= most) return;
      found.push({ from, to: Math.max(to, from), severity: 'error', message: 'This is not JavaScript.' });
    },
  });
  return found;
}
