import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TreeInfo } from '../../web/api/api';
import { formatCount, groupThousands } from '../../web/base/format';
import { globMatcher } from '../../web/base/glob';
import { bareName, shortened, trimEndOf, trimSlashes, withoutDimensions } from '../../web/base/text';
import { readableLatex } from '../../web/plot/drawing/latex';
import { Catalog } from '../../web/query/compile/catalog';
import { parseDraw } from '../../web/query/compile/draw-spec';
import { complete } from '../../web/query/completion';
import { cpuMs } from '../cpu';
import { treeOf } from '../tree-info';

test.each([
  ['x[2][n]', 'x'],
  ['x[2]y', 'x[2]y'],
  ['x[2]y[3]', 'x[2]y'],
  ['a[b[c]', 'a'],
  ['[3]', ''],
  [']', ']'],
  ['x]', 'x]'],
  ['[]]', '[]]'],
  ['', ''],
])('%s without dimensions is %s', (name, bare) => {
  expect(withoutDimensions(name)).toBe(bare);
});

test('cuts at the end do as the plain regular expressions would', () => {
  const names = fc.string({ unit: fc.constantFrom('a', '.', '/', '[', ']', '2'), maxLength: 12 });
  fc.assert(
    fc.property(names, (name) => {
      expect(withoutDimensions(name)).toBe(name.replace(/(\[[^\]]*\])+$/, ''));
      expect(bareName(name)).toBe(name.replace(/(\[[^\]]*\])+$/, '').replace(/\.+$/, ''));
      expect(trimEndOf(name, '.')).toBe(name.replace(/\.+$/, ''));
      expect(trimSlashes(name)).toBe(name.replace(/^\/+|\/+$/g, ''));
    }),
    { numRuns: 2000 },
  );
});

test('patterns do as regular expressions would', () => {
  const texts = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 });
  fc.assert(
    fc.property(texts('ab*?'), texts('ab.'), (pattern, name) => {
      const like = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(globMatcher(pattern)(name)).toBe(like.test(name));
    }),
    { numRuns: 5000 },
  );
  expect(globMatcher('run[0-2][!a].root', true)('run1b.root')).toBe(true);
  expect(globMatcher('run[0-2][!a].root', true)('run1a.root')).toBe(false);
  expect(globMatcher('x[2]')('x[2]')).toBe(true);
  expect(globMatcher('x[2]*')('x[2]y')).toBe(true);
});

test('numbers are grouped by three', () => {
  expect([0, 12, 123, 1234, 123456, 1234567, -1234, -123].map(formatCount)).toEqual(
    ['0', '12', '123', '1,234', '123,456', '1,234,567', '-1,234', '-123'], // biome-ignore format: one line
  );
  expect(groupThousands('12345678901234567890')).toBe('12,345,678,901,234,567,890');
});

test('a text is cut between characters', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('abcd😀fg', 6)).toBe('abcd…');
});

/** A branch with a list of leaves. */
function titled(title: string): TreeInfo {
  const tree = treeOf(['x']);
  return { ...tree, branches: tree.branches.map((branch) => ({ ...branch, title })) };
}

const LONG = 100_000;
const long = (text: string): string => text.repeat(LONG / text.length);

// Each took seconds to minutes of one thread before.
test.each([
  ['a title', () => readableLatex(long('#font['))],
  ['a title of braces', () => readableLatex(long('{'))],
  ['a name', () => new Catalog(treeOf([long('[')]))],
  ['a name of pairs', () => new Catalog(treeOf([`${long('[]')}x`]))],
  ['a name of dots', () => new Catalog(treeOf([`${long('.')}x`]))],
  ['a leaf list', () => new Catalog(titled(`x:${long('[]')}y/F`))],
  ['a word', () => complete(treeOf([long('[')]), `${long('1a')}é`, LONG + 1)],
  ['a link', () => expect(() => parseDraw(`x>>${long(' ')}h(1`)).toThrow('not a histogram')],
  ['slashes', () => trimSlashes(`${long('/')}x`)],
  ['a pattern', () => globMatcher('*a*a*a*a*a*b')(long('a'))],
])('%s of 100 kB stops nothing', (_, work) => {
  const start = cpuMs();
  work();
  expect(cpuMs() - start).toBeLessThan(1000);
});
