import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import type { ExportFormat, ExportRequest } from '../../../web/api/export';
import { exportTree } from '../../../web/features/exports/work/export-tree';
import { makeEngine } from '../../engine/fixtures';

/** The expressions of each export are read back and compared with what a scan of the same gives. */
const columns = 'x:f.z*2:run:event:ix.event:few.w:a:f.vec[1]:f.word:Sum$(vec)';
const cut = 'n>2 && f.m<5';

describe('export of expressions', () => {
  let engine: EngineApi;
  let id: FileId;
  beforeAll(async () => {
    engine = await makeEngine();
    const path = join(import.meta.dirname, '../../query/files/friends.root');
    ({ id } = await engine.open({ kind: 'path', path }));
  });
  afterAll(() => engine.close(id));

  const bytesOf = async (format: ExportFormat, more: Partial<ExportRequest> = {}): Promise<Uint8Array> => {
    const pieces: Uint8Array[] = [];
    const request = { tree: 't', columns, cut, format, ...more };
    for await (const piece of exportTree(engine, id, request)) pieces.push(piece);
    return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
  };
  const scanned = async () => {
    const { values, entries } = await engine.scan(id, { tree: 't', columns, cut, limit: 1000 });
    expect(entries.length).toBeGreaterThan(50);
    return values;
  };
  /** Converts a value from a reader of another format to the form that a scan returns. */
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, plain);
    return value;
  };
  const same = (rows: Record<string, unknown>[], values: unknown[][]): void => {
    expect(rows.length).toBe(values[0]?.length);
    const names = Object.keys(rows[0] ?? {});
    expect(names).toEqual(columns.split(':'));
    names.forEach((name, i) => {
      const ours = rows.map((row) => plain(row[name]));
      const whole = name === 'event' || name === 'ix.event';
      expect(ours.map((value) => (whole ? BigInt(value as number) : value))).toEqual(values[i]);
    });
  };

  test('Arrow', async () => {
    const table = tableFromIPC(await bytesOf('arrow'));
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
      'Float64',
      'Float64',
      'Int32',
      'Int64',
      'Int64',
      'Float64',
      'List<Float32>',
      'Float32',
      'Utf8',
      'Float64',
    ]);
    same(
      table.toArray().map((row) => row.toJSON() as Record<string, unknown>),
      await scanned(),
    );
  });

  test('Parquet', async () => {
    const bytes = await bytesOf('parquet', { compression: 'snappy' });
    same(await parquetReadObjects({ file: bytes.buffer as ArrayBuffer }), await scanned());
  });

  test('JSON Lines and CSV', async () => {
    const lines = new TextDecoder()
      .decode(await bytesOf('jsonl'))
      .trimEnd()
      .split('\n');
    const values = await scanned();
    expect(lines.length).toBe(values[0]?.length);
    expect(JSON.parse(lines[7] ?? '')).toMatchObject({
      x: values[0]?.[7],
      a: values[6]?.[7],
      'f.word': values[8]?.[7],
    });
    const csv = new TextDecoder()
      .decode(await bytesOf('csv', { columns: 'x:n', cut: 'n>2' }))
      .trimEnd()
      .split('\n');
    const scan = await engine.scan(id, { tree: 't', columns: 'x:n', cut: 'n>2', limit: 1000 });
    expect(csv).toEqual([
      'x,n',
      ...Array.from(scan.entries, (_, i) => `${scan.values[0]?.[i]},${scan.values[1]?.[i]}`),
    ]);
  });

  test('NPY states the number of entries that pass before their values', async () => {
    const npy = await bytesOf('npy', { columns: 'x', cut: 'n>2' });
    const scan = await engine.scan(id, { tree: 't', columns: 'x', cut: 'n>2', limit: 1000 });
    const header = new TextDecoder('latin1').decode(npy.subarray(0, 128));
    expect(header).toContain(`'shape': (${scan.entries.length},)`);
    expect([...new Float64Array(npy.slice(128).buffer)]).toEqual(scan.values[0]);
  });

  test('branches of the entries that pass; a list of entries; no entry passes', async () => {
    const table = tableFromIPC(await bytesOf('arrow', { columns: undefined, branches: ['x', 'a'] }));
    expect([...(table.getChild('x') ?? [])]).toEqual((await scanned())[0]);
    const list = Float64Array.of(3, 77, 200);
    const some = tableFromIPC(await bytesOf('arrow', { columns: 'Entry$:x', cut: undefined, entries: list }));
    expect([...(some.getChild('Entry$') ?? [])]).toEqual([3, 77, 200]);
    const none = tableFromIPC(await bytesOf('arrow', { columns: 'x:a', cut: 'x>1e9' }));
    expect([none.numRows, none.schema.fields.length]).toEqual([0, 2]);
  });

  test('a mistake has its place', async () => {
    await expect(bytesOf('csv', { columns: 'x:aa' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      where: { expression: 'x:aa', offset: 2 },
    });
  });
});
