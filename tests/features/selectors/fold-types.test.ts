import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { rangeOfTypes, typesText } from '../../../web/features/selectors/view/box/fold-types';
import { selectorText } from '../../../web/features/snippets/work/selector-text';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';

test('the types of a first selector are one range, which ends before the code', async () => {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('leaves', fixtureBytes('leaves')));
  const tree = await engine.tree(id, 't');
  const text = await selectorText(engine, id, tree, { language: 'js' });
  const range = rangeOfTypes(text);
  if (!range) throw new Error('There is no range.');
  expect(text.slice(range.from, range.to)).not.toContain('const selector');
  expect(text.slice(range.to)).toMatch(/^\*\/\n\n/);
  expect(typesText(EditorState.create({ doc: text }), range)).toBe('… 16 types …');
  // The lines above the code that are left in sight.
  const shown = text.slice(0, range.from) + text.slice(range.to);
  expect(shown.slice(0, shown.indexOf('const selector')).split('\n').length).toBeLessThan(12);
});

test('a text without types is not folded', () => {
  expect(rangeOfTypes('export default {};\n')).toBeUndefined();
  expect(rangeOfTypes(' * @typedef {object} Branches\n')).toBeUndefined();
});
