import { expect, test } from 'vitest';
import { check } from '../../scripts/words.mjs';

test('a comment that starts with "Of" or "What" is reported with its line', () => {
  expect(check('web/a.ts', 'const a = 1;\n/** What came of it. */\n// Of one in the record.\n')).toEqual([
    expect.stringContaining('web/a.ts:2: a comment starts with "What"'),
    expect.stringContaining('web/a.ts:3: a comment starts with "Of"'),
  ]);
});

test('a comment whose text starts on its second line is read from there', () => {
  const text = '/**\n * What came of it,\n * line by line.\n */\n/* The number\n * Of entries. */\n';
  expect(check('web/a.ts', text)).toEqual([
    expect.stringContaining('web/a.ts:1: a comment starts with "What"'),
  ]);
});

test('the second line of a comment and a string may start with "Of"', () => {
  const text = `// The number\n// of entries.\nconst a = 'What if';\n`;
  expect(check('web/a.ts', text.replace('of entries', 'Of entries'))).toEqual([]);
});

test('old words are found in comments, strings and documents, not in code', () => {
  expect(check('web/a.ts', 'const reckon = 1;\n')).toEqual([]);
  expect(check('web/a.ts', `const a = 'Reckoning…';\n`)).toHaveLength(1);
  expect(check('wasm/a.c', '/* So many borders are kept. */\n')).toHaveLength(1);
  expect(check('docs/a.md', 'It is mended `mend`.\nIt is repaired `mend`.\n')).toHaveLength(1);
});

test('words of a dialect are found', () => {
  expect(check('web/a.ts', '// A name that is none of these.\n')).toHaveLength(1);
  expect(check('docs/a.md', 'Reads are put to branches, and put together.\n')).toHaveLength(1);
  expect(check('docs/a.md', "A file of a user's own; none of these is left.\n")).toHaveLength(1);
  expect(check('docs/a.md', 'Pieces are put together. None of them is left.\n')).toEqual([]);
});

test('a regular expression with quotes does not hide the comment after it', () => {
  expect(check('web/a.ts', `const a = /['"]/.test(b); // hence\n`)).toHaveLength(1);
});
