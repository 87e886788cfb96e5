import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pageCacheBytes } from '../../../web/cli/read-file';
import { warmthText } from '../../../web/features/reads/work/warmth';
import { lacks } from '../../needs';

const folder = mkdtempSync(join(tmpdir(), 'xylem-warmth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = { bytes: 2_000_000, storedBytes: 0, busyTime: 100 };
const local = { isLocal: true, size: 1_000_000 };

test('a local file is cold or warm by what the system holds of it, and never by a guess', () => {
  expect(warmthText({ ...local, held: 1_000_000 }, read)).toMatch(/^warm: 100 % .* at 20.0 MB\/s$/);
  expect(warmthText({ ...local, held: 400_000 }, read)).toMatch(/^partly warm: 40 % /);
  expect(warmthText({ ...local, held: 0 }, read)).toMatch(/^cold: 0 % /);
  expect(warmthText({ ...local, held: undefined }, read)).toMatch(/^not known: .* 20.0 MB\/s$/);
});

test('over a network only what was kept here is known', () => {
  const far = { isLocal: false, size: 1_000_000, held: undefined };
  expect(warmthText(far, read)).toMatch(/^cold here: 2.00 MB from the network.*is not known$/);
  expect(warmthText(far, { ...read, bytes: 0, storedBytes: 9000, busyTime: 0 })).toMatch(
    /^warm: 0 B from the network, 9/,
  );
  expect(warmthText(far, { ...read, storedBytes: 2_000_000 })).toMatch(/^partly warm: /);
});

const hasFincore = (() => {
  try {
    execFileSync('fincore', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(lacks('fincore', hasFincore))('a file that was just written is in the page cache', async () => {
  const path = join(folder, 'written');
  writeFileSync(path, new Uint8Array(1_000_000));
  expect(await pageCacheBytes(path)).toBeGreaterThanOrEqual(1_000_000);
  expect(await pageCacheBytes(join(folder, 'missing'))).toBeUndefined();
  expect(await pageCacheBytes('https://example.org/a.root')).toBeUndefined();
});
