import { expect, test } from 'vitest';
import type { ArraysResult } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { Column } from '../../web/core/columns';
import { awkwardSource, bufferSpec, fixtureBytes, goldenNames, makeEngine } from './fixtures';

/** The bytes of each row. */
function rowsOf(column: Column | undefined): Uint8Array[] {
  if (column?.kind !== 'list' || column.child.kind !== 'primitive') throw new Error('no lists of bytes');
  const { offsets, child } = column;
  if (!(child.data instanceof Uint8Array)) throw new Error('no bytes');
  const bytes = child.data;
  return Array.from({ length: column.length }, (_, i) => bytes.slice(offsets[i], offsets[i + 1]));
}

async function withFile<T>(name: string, use: (reader: EngineApi, id: number) => Promise<T>): Promise<T> {
  const reader = await makeEngine(awkwardSource);
  const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
  return use(reader, id);
}

async function readRaw(
  name: string,
  tree: string,
  branches: string[],
  entries?: [number, number],
): Promise<ArraysResult[]> {
  return withFile(name, (reader, id) => reader.arrays(id, { tree, branches, entries, raw: true }));
}

test('numbers lie big-endian in the bytes of their entries', async () => {
  const [short, double] = await readRaw('leaves', 't', ['leaf_S', 'leaf_D']);
  const [shorts, doubles] = await withFile('leaves', (reader, id) =>
    reader.arrays(id, { tree: 't', branches: ['leaf_S', 'leaf_D'] }),
  );
  const numbers = (result: ArraysResult | undefined) =>
    result?.column?.kind === 'primitive' ? Array.from(result.column.data as ArrayLike<number>) : [];
  const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  expect(rowsOf(short?.column).map((bytes) => view(bytes).getInt16(0))).toEqual(numbers(shorts));
  expect(rowsOf(double?.column).map((bytes) => view(bytes).getFloat64(0))).toEqual(numbers(doubles));
  expect(numbers(shorts).length).toBeGreaterThan(100);
});

test.each(goldenNames().filter((name) => name !== 'rntuple'))(
  '%s: every branch gives as many rows as entries, any part of them alike, or says why not',
  async (name) => {
    await withFile(name, async (reader, id) => {
      for (const key of await reader.keys(id)) {
        if (key.kind !== 'tree') continue;
        const path = `${key.path};${key.cycle}`;
        const info = await reader.tree(id, path);
        const branches = info.branches.filter((one) => one.kind !== 'group').map((one) => one.index);
        const whole = await reader.arrays(id, { tree: path, branches, raw: true });
        const entries: [number, number] = [Math.max(0, info.entries - 7), Math.max(0, info.entries - 2)];
        const part = await reader.arrays(id, { tree: path, branches, entries, raw: true });
        for (const [i, { branch, column, error }] of whole.entries()) {
          if (error !== undefined) {
            expect(error).toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('offsets') });
            continue;
          }
          const rows = column?.kind === 'struct' ? [] : rowsOf(column);
          expect(rows, branch.path).toHaveLength(branch.entries);
          if (rows.length > 0) expect(rowsOf(part[i]?.column)).toEqual(rows.slice(...entries));
        }
      }
    });
  },
);

test('entries of varying size without borders are refused, those of one size are not', async () => {
  const [fixed, varying] = await readRaw('no_offsets', 't', ['x', 'v']);
  expect(rowsOf(fixed?.column)[1]).toEqual(new Uint8Array([0x3f, 0, 0, 0]));
  expect(varying?.error).toMatchObject({ code: 'UNSUPPORTED' });
});

test('fields of an RNTuple have no bytes of their own', async () => {
  const [result] = await withFile('rntuple', async (reader, id) => {
    const key = (await reader.keys(id)).find((one) => one.kind === 'ntuple');
    return reader.arrays(id, { tree: key?.path ?? '', branches: [0], raw: true });
  });
  expect(result?.error).toMatchObject({ code: 'UNSUPPORTED', fix: expect.stringContaining('values') });
});
