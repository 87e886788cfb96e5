import { ensureSyntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';

/** Time in ms for parsing here. The rest is parsed in the background. */
const WAIT = 10;

/**
 * Returns at most this many syntax errors. A long text is parsed step by step while it is shown. Until that is
 * complete, the end of the parsed part would look like an error, so nothing is returned.
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
