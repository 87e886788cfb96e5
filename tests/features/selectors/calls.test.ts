import { expect, test } from 'vitest';
import { callsOf } from '../../../web/features/selectors/work/calls';

const own = import.meta.url.replace(/tests\/.*/, 'web/features/selectors/work/run.ts');

function thrownWith(...lines: string[]): Error {
  const error = new Error('x');
  error.stack = ['RangeError: x', ...lines.map((line) => `    at ${line}`)].join('\n');
  return error;
}

test('an error names the calls in the code of a selector, from the folder of its module', () => {
  const thrown = thrownWith(
    'mass (file:///a/lib%20x/cuts.mjs:2:24)',
    'Array.map (<anonymous>)',
    'file:///a/an/sel.mjs:2:23',
    'Object.entry [as entry] (file:///a/an/sel.mjs:7:16)',
    `runEntries (${own}:10:20)`,
    'async node:internal/x:1:2',
  );
  expect(callsOf('file:///a/an/sel.mjs', thrown)).toEqual([
    'mass (../lib x/cuts.mjs:2:24)',
    'sel.mjs:2:23',
    'entry (sel.mjs:7:16)',
  ]);
  // A function of xylem that the code called is not the code.
  const inner = thrownWith(`fill (${own}:1:2)`, 'entry (file:///a/an/sel.mjs:7:16)');
  expect(callsOf('file:///a/an/sel.mjs', inner)).toEqual(['entry (sel.mjs:7:16)']);
  // TypeScript has paths; a module that no call names has none.
  const paths = thrownWith('entry (/a/an/sel.ts:7:16)');
  expect(callsOf('file:///a/an/sel.ts', paths)).toEqual(['entry (sel.ts:7:16)']);
  expect(callsOf('file:///a/an/other.ts', paths)).toEqual([]);
  expect(callsOf('file:///a/an/sel.mjs', thrownWith('entry@file:///a/an/sel.mjs:7:16'))).toEqual([]);
  expect(callsOf('file:///a/an/sel.mjs', undefined)).toEqual([]);
  const deep = thrownWith(...Array.from({ length: 50 }, () => 'again (file:///a/an/sel.mjs:1:2)'));
  expect(callsOf('file:///a/an/sel.mjs', deep)).toHaveLength(8);
});
