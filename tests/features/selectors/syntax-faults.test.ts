import { javascriptLanguage } from '@codemirror/lang-javascript';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { syntaxFaults } from '../../../web/features/selectors/view/box/syntax-faults';

/** As the first text of a selector: types in a comment, then code. */
const text = `/**\n${Array.from({ length: 200 }, (_, i) => ` * @property {Float64Array} b${i} a branch\n`).join('')} */
export default { branches: {}, process() {} };
`;

function endsInError(state: EditorState): boolean {
  let found = false;
  syntaxTree(state).iterate({
    enter: ({ type }) => {
      if (type.isError) found = true;
    },
  });
  return found;
}

test('a text that is not parsed to its end has no mistakes yet, and a sound one has none at its end', () => {
  const state = EditorState.create({ doc: text, extensions: [javascriptLanguage] });
  // The parser stopped within the comment, and the tree ends in an error there.
  expect(syntaxTree(state).length).toBeLessThan(text.length);
  expect(endsInError(state)).toBe(true);
  expect(syntaxFaults(state, 20)).toEqual([]);
  // Much longer than what is parsed within the time that is waited for.
  const long = EditorState.create({ doc: text.repeat(300), extensions: [javascriptLanguage] });
  expect(syntaxFaults(long, 20)).toEqual([]);
});

test('mistakes are told where they are, and no more than asked for', () => {
  const state = EditorState.create({
    doc: 'export default {\n  a: {,\n};\n',
    extensions: [javascriptLanguage],
  });
  ensureSyntaxTree(state, state.doc.length, 5000);
  const [first] = syntaxFaults(state, 20);
  expect(state.doc.lineAt(first?.from ?? 0).number).toBe(2);
  expect(syntaxFaults(state, 0)).toEqual([]);
});
