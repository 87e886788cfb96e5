import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import type { ExportRequest } from '../../../web/api/export';
import { exportTree } from '../../../web/features/exports/work/export-tree';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { concat } from './read-back';

const formats = ['arrow', 'arrows', 'parquet'] as const;
const files = new Map<string, Uint8Array>();
let wanted: Record<string, string>;

beforeAll(async () => {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('leaves', fixtureBytes('leaves')));
  const { name, title } = await engine.tree(id, 't');
  wanted = { 'root.tree.name': name, 'root.tree.title': title, 'root.file': 'leaves.root' };
  const fileName = 'https://example.org/some/leaves.root?X-Amz-Signature=secret';
  const request = { tree: 't', columns: 'leaf_I', entries: [0, 3], fileName } satisfies Omit<
    ExportRequest,
    'format'
  >;
  for (const format of formats)
    files.set(format, await concat(exportTree(engine, id, { ...request, format })));
  await engine.close(id);
});

test.each(formats)('%s has the names and the title of what was exported', (format) => {
  const bytes = files.get(format) ?? new Uint8Array();
  const found =
    format === 'parquet'
      ? parquetMetadata(bytes.slice().buffer).key_value_metadata?.map(({ key, value }) => [key, value])
      : tableFromIPC(bytes).schema.metadata;
  expect(wanted['root.tree.title']).not.toBe('');
  expect(Object.fromEntries(found ?? [])).toEqual(wanted);
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'pyarrow reads them',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-metadata-'));
    for (const [format, bytes] of files) writeFileSync(join(folder, format), bytes);
    const script = `
import json, sys, pyarrow, pyarrow.parquet
schemas = [pyarrow.ipc.open_file("arrow").schema, pyarrow.ipc.open_stream("arrows").schema, pyarrow.parquet.read_schema("parquet")]
json.dump([{k.decode(): v.decode() for k, v in schema.metadata.items()} for schema in schemas], sys.stdout)`;
    try {
      const out = execFileSync(oraclePython ?? '', ['-c', script], { cwd: folder, encoding: 'utf8' });
      expect(JSON.parse(out)).toEqual(formats.map(() => wanted));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
