import { foldEffect } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The line that begins the types of the branches in a first selector, and the sign that ends them. */
const BEGIN = /^ \* @typedef \{object\} Branches$/m;
const END = '*/';

/** Returns the range of the types of branches in the text of a selector; undefined if it has none. */
export function rangeOfTypes(text: string): { from: number; to: number } | undefined {
  const found = BEGIN.exec(text);
  if (!found) return undefined;
  const from = found.index + found[0].length;
  const to = text.indexOf(END, from);
  return to > from ? { from, to } : undefined;
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
