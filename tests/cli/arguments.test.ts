import { expect, test } from 'vitest';
import {
  commonOptions,
  parseAxisRange,
  parseCommand,
  parseEntries,
  parseHeaders,
  parseWhole,
  UsageError,
} from '../../web/cli/arguments';

test.each([
  ['0:10', [0, 10]],
  [':', [0, 100]],
  ['5:', [5, 100]],
  [':5', [0, 5]],
  ['-20:', [80, 100]],
  ['-20:-10', [80, 90]],
  ['90:500', [90, 100]],
  ['-500:3', [0, 3]],
  ['50:40', [50, 50]],
])('entries %s of 100 are %j', (text, wanted) => {
  expect(parseEntries(text, 100)).toEqual(wanted);
});

test.each(['', '5', 'a:b', '1:2:3', '1.5:2', '-:', ':-'])('entries "%s" are refused', (text) => {
  expect(() => parseEntries(text, 100)).toThrow(UsageError);
});

test.each([
  ['0:120', [0, 120]],
  ['-5:5.5', [-5, 5.5]],
  ['1e-3:1e3', [0.001, 1000]],
])('axis %s is %j', (text, wanted) => {
  expect(parseAxisRange(text)).toEqual(wanted);
});

test.each(['', ':', '1:', ':1', '5:5', '6:5', '0:nan', '0:Infinity', '1:2:3'])(
  'axis "%s" is refused',
  (text) => {
    expect(() => parseAxisRange(text)).toThrow(UsageError);
  },
);

test('a value may start with a minus', () => {
  const options = { ...commonOptions, range: { type: 'string' } } as const;
  expect(parseCommand(['f', '--range', '-5:5'], options, [1, 1]).values.range).toBe('-5:5');
  expect(() => parseCommand(['f', '--range', '--json'], options, [1, 1])).toThrow(UsageError);
});

test('too few and too many arguments and unknown options are refused', () => {
  expect(() => parseCommand([], commonOptions, [1, 2])).toThrow('Name a FILE');
  expect(() => parseCommand(['a', 'b', 'c'], commonOptions, [1, 2])).toThrow('"c" is one argument too many');
  expect(() => parseCommand(['a', '--frobnicate'], commonOptions, [1, 2])).toThrow(UsageError);
});

test('whole numbers keep their bounds', () => {
  expect(parseWhole('100', '--bins', 1, 1000)).toBe(100);
  for (const bad of ['0', '1001', '-3', '1.5', 'x', '', '1e2']) {
    expect(() => parseWhole(bad, '--bins', 1, 1000)).toThrow('--bins takes a whole number from 1 to 1000');
  }
});

test('headers are split at the first colon; a name with spaces is none', () => {
  expect(parseHeaders(['Authorization: Bearer a:b', 'X-A:1'])).toEqual({
    Authorization: 'Bearer a:b',
    'X-A': '1',
  });
  expect(() => parseHeaders(['no header'])).toThrow(UsageError);
  expect(() => parseHeaders(['a b: c'])).toThrow(UsageError);
});
