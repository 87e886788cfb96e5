import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import type { ExportFormat, ExportRequest } from '../../../web/api/export';
import type { Column } from '../../../web/core/columns';
import { exportTree } from '../../../web/features/exports/work/export-tree';
import {
  bufferSpec,
  type Canonical,
  canonicalRows,
  difference,
  fixtureBytes,
  makeEngine,
  parseExact,
  readGolden,
} from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { canonicalValue, concat, inNumpy, inParquet, isFlat, readable } from './read-back';

type Read = Record<string, Record<string, Canonical[]>>;

/** Flat numbers and truth values, arrays, lists, lists of lists, texts, structures, objects; of trees and ntuples. */
const FIXTURES = [
  'leaves',
  'leaflists',
  'arrays',
  'vectors',
  'strings',
  'stl',
  'collections_split99',
  'objects_split99',
  'ntuple_fields',
  'empty',
];

describe.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'pyarrow and numpy read what is exported',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-read-back-'));
    let engine: EngineApi;
    let id: FileId;
    beforeAll(async () => {
      engine = await makeEngine();
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const write = async (name: string, request: ExportRequest): Promise<string> => {
      const path = join(folder, name);
      writeFileSync(path, await concat(exportTree(engine, id, request)));
      return path;
    };
    const read = (paths: string[]): Read => {
      const script = join(import.meta.dirname, 'read_back.py');
      const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const;
      return parseExact(execFileSync(oraclePython ?? '', [script, ...paths], options)) as unknown as Read;
    };

    test.each(FIXTURES)(
      '%s',
      async (name) => {
        ({ id } = await engine.open(bufferSpec(name, fixtureBytes(name))));
        let compared = 0;
        for (const [tree, { entries }] of Object.entries(readGolden(name).trees)) {
          const chosen = await readable(engine, id, tree, entries);
          if (chosen === undefined || chosen.names.length === 0) continue;
          const files = new Map<string, { format: ExportFormat; suits: (column: Column) => boolean }>();
          const targets: [ExportFormat, (column: Column) => boolean, ExportRequest['compression']?][] = [
            ['arrow', () => true],
            ['arrows', () => true],
            ['parquet', inParquet],
            ['parquet', inParquet, 'snappy'],
            ['parquet', inParquet, 'none'],
            ['npz', inNumpy],
            ['npy', isFlat],
          ];
          for (const [format, suits, compression] of targets) {
            const branches = chosen.indices.filter((_, i) => suits(chosen.columns[i] as Column));
            // NPY has no record with a name for a single column.
            if (branches.length < (format === 'npy' ? 2 : 1)) continue;
            const { entries: range, chunkBytes } = chosen;
            const request: ExportRequest = {
              tree,
              branches,
              entries: range,
              chunkBytes,
              format,
              compression,
            };
            files.set(await write(`${name}.${compression ?? ''}.${format}`, request), { format, suits });
          }
          const tables = read([...files.keys()]);
          for (const [path, { format, suits }] of files) {
            const names = chosen.names.filter((_, i) => suits(chosen.columns[i] as Column));
            // Names of files have no slashes.
            const written = (branch: string): string =>
              format === 'npz' ? branch.replaceAll('/', '.') : branch;
            expect(Object.keys(tables[path] ?? {}), format).toEqual(names.map(written));
            for (const [i, column] of chosen.columns.entries()) {
              if (!suits(column)) continue;
              const branch = chosen.names[i] ?? '';
              const got = tables[path]?.[written(branch)]?.map((value) => canonicalValue(value, column));
              expect(difference(canonicalRows(column), got), `${format} ${tree} ${branch}`).toBeUndefined();
              compared++;
            }
          }
        }
        await engine.close(id);
        expect(compared).toBeGreaterThan(0);
      },
      60_000,
    );

    test.each([
      ['some entries pass', 'n>2 && f.m<5'],
      ['none passes', 'x>1e9'],
    ])(
      'expressions with a cut: %s',
      async (_, cut) => {
        const path = join(import.meta.dirname, '../../query/files/friends.root');
        ({ id } = await engine.open({ kind: 'path', path }));
        const columns = 'x:f.z*2:run:event:a:f.vec[1]:Sum$(vec):x>0:f.word';
        const numbers = columns.slice(0, columns.lastIndexOf(':'));
        const { values, entries } = await engine.scan(id, { tree: 't', columns, cut, limit: 1000 });
        const want = values.map((column) => parseExact(JSON.stringify(column, asText)) as Canonical[]);
        expect(entries.length > 50).toBe(cut !== 'x>1e9');
        const paths: string[] = [];
        for (const format of ['arrow', 'arrows', 'parquet'] as const) {
          paths.push(await write(`expressions.${format}`, { tree: 't', columns, cut, format }));
        }
        paths.push(await write('expressions.npz', { tree: 't', columns: numbers, cut, format: 'npz' }));
        const tables = read(paths);
        for (const written of paths) {
          const names = (written.endsWith('npz') ? numbers : columns).split(':');
          expect(Object.keys(tables[written] ?? {})).toEqual(names);
          names.forEach((name, i) => {
            const got = tables[written]?.[name];
            expect(difference(want[i] ?? [], got), `${written} ${name}`).toBeUndefined();
          });
        }
        await engine.close(id);
      },
      60_000,
    );
  },
);

/** As read_back.py has what JSON has no form for. */
function asText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && !Number.isFinite(value)
    ? String(value).replace('Infinity', 'inf').toLowerCase()
    : value;
}
