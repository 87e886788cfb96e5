import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

/**
 * Files with classes of their own: split and not, with bases, collections, pointers and arrays; with several versions of a
 * class, by number and by checksum; with collections of enumerations, which are left out, and members after them.
 */
const FILES = [
  'objects_split0',
  'objects_split1',
  'objects_split99',
  'collections_split99',
  'things',
  'versions/layouts',
  'versions/numbered',
  'versions/enums',
  'classes/left-out',
];

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined)).each(FILES)(
  'what types --cpp writes of %s builds, and ROOT reads with it what xylem reads',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-classes-'));
    try {
      const script = resolve('tests/features/exports/judge/build_classes.py');
      const file = resolve(`tests/fixtures/files/${name}.root`);
      const line = ['-W', 'ignore', script, resolve('dist/cli/xylem.js'), folder, file];
      const { stdout } = spawnSync(oraclePython ?? '', line, { encoding: 'utf8' });
      const { failed, built, compared, differ } = JSON.parse(stdout);
      expect({ failed, built, differ }).toEqual({ built: true, differ: [] });
      expect(compared).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
