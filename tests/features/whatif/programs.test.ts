import { describe, expect, test } from 'vitest';
import {
  PROGRAM,
  programName,
  programOf,
  programWord,
  SIZE,
  sizeOf,
} from '../../../web/features/whatif/work/programs';

describe('the names of programs', () => {
  test.each([
    ['none', { kind: 'none' }, 'no cache'],
    ['readahead:256k', { kind: 'readahead', bytes: 256_000 }, 'read-ahead of 256 kB'],
    ['readahead:2M', { kind: 'readahead', bytes: 2_000_000 }, 'read-ahead of 2 MB'],
    ['cache:30M', { kind: 'cache', bytes: 30_000_000 }, 'TTreeCache of 30 MB'],
    ['cache:64k', { kind: 'cache', bytes: 64_000 }, 'TTreeCache of 64 kB'],
    [
      'cache-5.28:30M',
      { kind: 'cache', bytes: 30_000_000, release: '5.28' },
      'TTreeCache of 30 MB, ROOT 5.28',
    ],
    [
      'cache:10M:2M',
      { kind: 'cache', bytes: 10_000_000, ahead: 2_000_000 },
      'TTreeCache of 10 MB, read-ahead of 2 MB',
    ],
    ['cache:10M:0', { kind: 'cache', bytes: 10_000_000, ahead: 0 }, 'TTreeCache of 10 MB, read-ahead of 0 B'],
    ['pool', { kind: 'pool' }, 'cluster pool'],
    ['uproot', { kind: 'uproot' }, 'uproot'],
    ['jsroot', { kind: 'jsroot' }, 'JSROOT'],
    ['coffea', { kind: 'coffea' }, 'coffea'],
    ['xylem', { kind: 'xylem' }, 'xylem'],
  ] as const)('%s', (word, program, name) => {
    const found = programOf(word);
    expect(found).toEqual(program);
    if (found === undefined) return;
    expect(programWord(found)).toBe(word);
    expect(programName(found)).toBe(name);
  });

  test('a read-ahead without a size is that of TFile', () => {
    expect(programOf('readahead')).toEqual({ kind: 'readahead', bytes: 256_000 });
  });

  test.each([
    '',
    'cache',
    'cache:',
    'cache:0',
    'cache:x',
    'cache:1:2:3',
    'cache:1:x',
    'pool:1',
    'readahead:1:2',
    'none:1',
    'cache-5.34:30M',
    'ROOT',
  ])('the word "%s" is refused, by the pattern of tools, too', (word) => {
    expect(programOf(word)).toBeUndefined();
    expect(PROGRAM.parse?.(word)).toBeUndefined();
    const { pattern } = PROGRAM.schema as { pattern: string };
    if (word !== 'cache:0') expect(new RegExp(pattern).test(word)).toBe(false);
  });

  test('sizes are powers of ten', () => {
    expect(['1', '64k', '0.5M', '2G', '1.5k'].map(sizeOf)).toEqual([1, 64_000, 500_000, 2e9, 1500]);
    expect(['', '-1', '1e6', '0', 'k', '1T'].map(sizeOf)).toEqual(Array(6).fill(undefined));
    expect(SIZE.parse?.('64k')).toBe('64k');
  });
});
