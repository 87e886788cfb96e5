import { expect, test } from 'vitest';
import type { Column } from '../../../web/core/columns';
import type { Table } from '../../../web/export/table';
import { jsonLines, separatedValues } from '../../../web/features/exports/work/text-tables';
import { encode } from './read-back';

/** A table of one column of texts. */
function texts(name: string, values: readonly string[]): Table {
  const encoded = values.map((value) => new TextEncoder().encode(value));
  const offsets = new Int32Array(values.length + 1);
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + bytes.length;
  });
  const bytes = new Uint8Array(encoded.flatMap((part) => [...part]));
  const columns = [{ kind: 'string', length: values.length, offsets, bytes } as unknown as Column];
  return {
    names: [name],
    parts: async function* () {
      yield { rows: values.length, columns };
    },
  } as unknown as Table;
}

async function written(table: Table, separator: ',' | '\t'): Promise<string> {
  let text = '';
  for await (const piece of separatedValues(table, separator, encode))
    text += new TextDecoder().decode(piece);
  return text;
}

test.each([
  [',', 'a,b', '"a,b"'],
  [',', 'a\tb', 'a\tb'],
  ['\t', 'a\tb', '"a\tb"'],
  ['\t', 'a,b', 'a,b'],
  [',', 'a"b', '"a""b"'],
  [',', 'a\rb', '"a\rb"'],
  [',', 'a\nb', '"a\nb"'],
  [',', '', '""'],
  [',', "it's", "it's"],
] as const)('with %j, the text %j is written as %j', async (separator, text, cell) => {
  expect(await written(texts('x', [text]), separator)).toBe(`x\n${cell}\n`);
});

test('a name is quoted as a text is', async () => {
  expect(await written(texts('f(x,y)', ['1', '2']), ',')).toBe('"f(x,y)"\n1\n2\n');
});

const primitive = (dtype: string, data: unknown, length: number): Column =>
  ({ kind: 'primitive', length, dtype, data }) as unknown as Column;
const table = (names: string[], ...parts: { rows: number; columns: Column[] }[]): Table =>
  ({
    names,
    parts: async function* () {
      yield* parts;
    },
  }) as unknown as Table;
const textOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += new TextDecoder().decode(piece);
  return text;
};

const numbers = primitive(
  'f64',
  Float64Array.of(1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, -1 / 0, 1e300),
  6,
);
const wide = primitive('i64', BigInt64Array.of(0n, -(2n ** 63n), 2n ** 53n + 1n, 7n, 8n, 9n), 6);
const truth = primitive('bool', Uint8Array.of(0, 1, 2, 0, 0, 1), 6);
const missing = {
  kind: 'optional',
  length: 6,
  validity: Uint8Array.of(1, 0, 1, 1, 0, 1),
  child: wide,
} as Column;
const lists = {
  kind: 'list',
  length: 6,
  offsets: Int32Array.of(0, 2, 2, 3, 4, 5, 6),
  child: numbers,
} as Column;

test('cells of numbers, truth values, missing values and lists', async () => {
  const all = table(['a', 'b', 'c', 'd', 'e'], { rows: 6, columns: [numbers, wide, truth, missing, lists] });
  const lines = [
    'a,b,c,d,e',
    '1.5,0,false,0,"[1.5,-0]"',
    '-0,-9223372036854775808,true,,[]',
    'nan,9007199254740993,true,9007199254740993,"[""nan""]"',
    'inf,7,false,7,"[""inf""]"',
    '-inf,8,false,,"[""-inf""]"',
    '1e+300,9,true,9,[1e+300]',
  ];
  expect(await textOf(separatedValues(all, ',', encode))).toBe(`${lines.join('\n')}\n`);
  const tabs = await textOf(separatedValues(all, '\t', encode));
  expect(tabs.split('\n')[1]).toBe('1.5\t0\tfalse\t0\t[1.5,-0]');
});

test('lines of JSON have all columns of all parts', async () => {
  const part = (...values: number[]) => ({
    rows: values.length,
    columns: [primitive('i32', Int32Array.from(values), values.length), missing],
  });
  expect(await textOf(jsonLines(table(['x"y', 'd'], part(4, 5), part(), part(-6)), encode))).toBe(
    '{"x\\"y":4,"d":0}\n{"x\\"y":5,"d":null}\n{"x\\"y":-6,"d":0}\n',
  );
  expect(await textOf(jsonLines(table([], { rows: 2, columns: [] }), encode))).toBe('{}\n{}\n');
});

test('text comes in pieces of about a megabyte of columns', async () => {
  const rows = 1_000_000;
  const ones = table(['x'], { rows, columns: [primitive('i32', new Int32Array(rows).fill(1234567), rows)] });
  for (const [pieces, lineLength] of [
    [separatedValues(ones, ',', encode), 8],
    [jsonLines(ones, encode), 14],
  ] as const) {
    const sizes: number[] = [];
    for await (const piece of pieces) sizes.push(piece.length);
    const header = lineLength === 8 ? [2] : [];
    const each = 2 ** 18 * lineLength;
    expect(sizes).toEqual([...header, each, each, each, rows * lineLength - 3 * each]);
  }
});
