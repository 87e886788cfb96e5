import { expect, test } from 'vitest';
import type { Column } from '../../web/core/columns';
import type { Table } from '../../web/export/table';
import { separatedValues } from '../../web/export/text-tables';

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
  for await (const piece of separatedValues(table, separator)) text += new TextDecoder().decode(piece);
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
