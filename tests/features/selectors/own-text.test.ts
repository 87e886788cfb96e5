import { expect, test } from 'vitest';
import { ownText } from '../../../web/features/selectors/view/own-text';

test('a value that a selector made is shown as JSON', () => {
  expect(ownText({ a: [1, 2n, 'x', null], b: undefined })).toBe(
    JSON.stringify({ a: [1, '2', 'x', null] }, undefined, 1),
  );
  expect(ownText(undefined)).toBe('undefined');
  expect(ownText(Array.from({ length: 100_000 }, () => 7))).toHaveLength(10_000);
});

test('a value that holds itself, or more than can be written, takes no time', () => {
  // JSON writes this list of 41 lists as 2^40 values.
  let list: unknown[] = [1];
  for (let i = 0; i < 40; i++) list = [list, list];
  expect(ownText(list)).toContain('1');
  const places: unknown[] = [];
  places.length = 2 ** 32 - 1;
  expect(ownText(places)).toBe('[]');
  const own: Record<string, unknown> = {};
  own.own = own;
  expect(ownText(own)).toContain('own');
});

test('a long list that is held many times is looked through once', () => {
  const long = new Array<number>(100_000).fill(0);
  const floats = new Float64Array(10_000_000);
  let deep: unknown = Array.from({ length: 5000 }, () => [long, floats]);
  for (let i = 0; i < 98; i++) deep = [deep];
  expect(ownText(deep)).toContain('[');
  expect(ownText(floats)).toContain('"1": 0');
});
