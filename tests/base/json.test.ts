import { expect, test } from 'vitest';
import { dataJson, membersJson, numberJson, numberText, valueJson } from '../../web/base/json';

const numbers = [0.1, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test('numbers that JSON does not have are strings, and -0 keeps its sign', () => {
  expect(numbers.map(numberText)).toEqual(['0.1', '-0', 'nan', 'inf', '-inf']);
  expect(numbers.map(numberJson)).toEqual(['0.1', '-0', '"nan"', '"inf"', '"-inf"']);
  expect([numberJson(2n ** 63n), numberText(-1n)]).toEqual(['9223372036854775808', '-1']);
});

test('lists and members', () => {
  const list = '[0.1,-0,"nan","inf","-inf"]';
  expect([valueJson(numbers), valueJson(Float64Array.from(numbers))]).toEqual([list, list]);
  expect(valueJson(['a"b', 1])).toBe('["a\\"b",1]');
  expect(membersJson({ a: undefined, 'b"': Number.NaN, c: [], d: 'x', e: { f: 1 } })).toBe(
    '{"b\\"": "nan", "c": [], "d": "x", "e": {"f":1}}',
  );
  expect(dataJson({ a: [Number.NaN, { b: -1 / 0 }], c: 1 })).toBe('{"a":["nan",{"b":"-inf"}],"c":1}');
});
