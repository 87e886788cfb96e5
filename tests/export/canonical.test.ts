import { expect, test } from 'vitest';
import type { PlainValue } from '../../web/api/api';
import type { Column } from '../../web/core/columns';
import { rowWriter, writePlain } from '../../web/export/canonical';

function rows(column: Column): string[] {
  const write = rowWriter(column);
  return Array.from({ length: column.length }, (_, row) => {
    let text = '';
    write(row, (piece) => {
      text += piece;
    });
    return text;
  });
}

function plain(value: PlainValue, asValue = false): string {
  let text = '';
  writePlain(
    value,
    (piece) => {
      text += piece;
    },
    asValue,
  );
  return text;
}

const i32 = (...values: number[]): Column => ({
  kind: 'primitive',
  length: values.length,
  dtype: 'i32',
  data: Int32Array.from(values),
});

const words = (...values: (string | Uint8Array)[]): Column => {
  const parts = values.map((v) => (typeof v === 'string' ? new TextEncoder().encode(v) : v));
  const offsets = new Int32Array(values.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  });
  return {
    kind: 'string',
    length: values.length,
    offsets,
    bytes: Uint8Array.from(parts.flatMap((p) => [...p])),
  };
};

test('a float is widened to double and has the shortest text of that', () => {
  const data = Float32Array.of(0.1, 1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  expect(rows({ kind: 'primitive', length: 6, dtype: 'f32', data })).toEqual([
    '0.10000000149011612',
    '1.5',
    '-0',
    '"nan"',
    '"inf"',
    '"-inf"',
  ]);
});

test('64-bit integers are exact', () => {
  const data = BigUint64Array.of(2n ** 64n - 1n, 2n ** 53n + 1n);
  expect(rows({ kind: 'primitive', length: 2, dtype: 'u64', data })).toEqual([
    '18446744073709551615',
    '9007199254740993',
  ]);
});

test('bools are words, chars are numbers', () => {
  expect(rows({ kind: 'primitive', length: 2, dtype: 'bool', data: Uint8Array.of(0, 1) })).toEqual([
    'false',
    'true',
  ]);
  expect(rows({ kind: 'primitive', length: 1, dtype: 'i8', data: Int8Array.of(-65) })).toEqual(['-65']);
});

test('bytes that are no UTF-8 are latin-1, its control characters too', () => {
  const [utf8, latin, quoted, mark] = rows(
    words('größer ∞', Uint8Array.of(0xe9, 0x41, 0x80, 0x9f), '"\n', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)),
  );
  expect(utf8).toBe('"größer ∞"');
  expect(JSON.parse(latin ?? '')).toBe('\u00e9A\u0080\u009f');
  expect(quoted).toBe('"\\"\\n"');
  expect(JSON.parse(mark ?? '')).toBe('\ufeffa');
});

test('lists, fixed arrays and what they hold are nested lists', () => {
  const grid: Column = {
    kind: 'list',
    length: 3,
    offsets: Int32Array.of(0, 1, 1, 3),
    child: { kind: 'fixed', length: 3, size: 2, child: i32(1, 2, 3, 4, 5, 6) },
  };
  expect(rows(grid)).toEqual(['[[1,2]]', '[]', '[[3,4],[5,6]]']);
});

test('a struct is an object, a pair and an entry of a map are lists', () => {
  const pair = (typeName: string, names: string[]): Column => ({
    kind: 'struct',
    length: 1,
    typeName,
    names,
    children: [words('a'), i32(7)],
  });
  expect(rows(pair('Point', ['x y', 'n']))).toEqual(['{"x y":"a","n":7}']);
  expect(rows(pair('pair<string,int>', ['first', 'second']))).toEqual(['["a",7]']);
  expect(rows(pair('', ['key', 'value']))).toEqual(['["a",7]']);
});

test("TObject's own members are left out, a lone fBits is kept", () => {
  const object: Column = {
    kind: 'struct',
    length: 1,
    typeName: 'TVector2',
    names: ['fUniqueID', 'fBits', 'fX'],
    children: [i32(0), i32(9), i32(5)],
  };
  expect(rows(object)).toEqual(['{"fX":5}']);
  expect(rows({ ...object, names: ['a', 'fBits', 'fX'] })).toEqual(['{"a":0,"fBits":9,"fX":5}']);
});

test('an optional without value is null, a variant is its value', () => {
  const child = i32(4, 5);
  expect(rows({ kind: 'optional', length: 2, validity: Uint8Array.of(0, 1), child })).toEqual(['null', '5']);
  const variant: Column = {
    kind: 'variant',
    length: 3,
    tags: Uint8Array.of(1, 0, 9),
    offsets: Int32Array.of(0, 1, 0),
    children: [i32(10, 11), words('text')],
  };
  expect(rows(variant)).toEqual(['"text"', '11', 'null']);
});

test('plain data: typed arrays are lists, big integers exact, markers only in objects', () => {
  const value = {
    _typename: 'T',
    fUniqueID: 0,
    fBits: 1,
    a: Float32Array.of(0.5, Number.NaN),
    b: BigInt64Array.of(-(2n ** 60n)),
    c: [null, true, 'x', 2n ** 63n],
  };
  expect(plain(value)).toBe(
    '{"_typename":"T","fUniqueID":0,"fBits":1,"a":[0.5,"nan"],"b":[-1152921504606846976],"c":[null,true,"x",9223372036854775808]}',
  );
  expect(plain(value, true)).toMatch(/^\{"a":/);
});

test('as values, a collection is its members and a TObjString its text', () => {
  const items = [
    { _typename: 'TObjString', fUniqueID: 0, fBits: 0, fString: 'a' },
    { _typename: 'T', x: 1 },
  ];
  const list = { _typename: 'TClonesArray', name: 'Ts', arr: items };
  expect(plain(list, true)).toBe('["a",{"x":1}]');
  expect(plain(list)).toContain('"_typename":"TClonesArray"');
});
