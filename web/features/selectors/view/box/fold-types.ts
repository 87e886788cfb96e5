import { foldEffect } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The line of the comment with the types of the branches in a first selector, and the signs around that comment. */
const TYPES = /^ \* @typedef \{object\} Branches$/m;
const [BEGIN, END] = ['/**', '*/'];

/** Returns the range of the types of branches in the text of a selector; undefined if it has none. */
export function rangeOfTypes(text: string): { from: number; to: number } | undefined {
  const at = text.search(TYPES);
  const from = text.lastIndexOf(BEGIN, at) + BEGIN.length;
  const to = text.indexOf(END, at);
  return at >= 0 && from >= BEGIN.length && to > from ? { from, to } : undefined;
}

/** Folds the types of the branches, so that the code is in sight. */
export function foldTypes(view: EditorView): void {
  const range = rangeOfTypes(view.state.doc.toString());
  if (range) view.dispatch({ effects: foldEffect.of(range) });
}

/** Returns the text for a folded range: the number of types, or of lines. */
export function typesText(state: EditorState, { from, to }: { from: number; to: number }): string {
  const count = state.doc.lineAt(to).number - state.doc.lineAt(from).number;
  const types = state.doc.sliceString(from, to).split('@property').length - 1;
  return types > 0 ? `… ${types} types …` : `… ${count} lines …`;
}
