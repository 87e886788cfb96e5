import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesLike } from '../../web/cli/files-like';
import { OwnFiles } from '../../web/cli/own-files';
import { sourceOf } from '../../web/cli/targets';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-like-'));
  for (const path of ['a', 'a/b', 'a/.c', 'd']) mkdirSync(join(folder, path));
  for (const path of ['x.root', 'a/y.root', 'a/b/z.root', 'a/.c/h.root', 'd/n.txt', 'd/[1].root', '.w.root'])
    writeFileSync(join(folder, path), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['*.root', ['x.root']],
  ['**/*.root', ['a/.c/h.root', 'a/b/z.root', 'a/y.root', 'd/[1].root', 'x.root']],
  ['a/**', []],
  ['*/?.root', ['a/y.root']],
  ['a/*/z.root', ['a/b/z.root']],
  ['.*.root', ['.w.root']],
  ['nosuch/*.root', []],
])('%s', async (pattern, found) => {
  const paths = await filesLike(join(folder, pattern));
  expect(paths.filter((path) => path.endsWith('.root')).map((path) => path.slice(folder.length + 1))).toEqual(
    found,
  );
});

test('a search ends after a number of names, after a time, and with its signal', async () => {
  const whole = '/**/*.no-such-ending';
  await expect(filesLike(whole, { names: 3 })).rejects.toMatchObject({
    code: 'BUDGET',
    fix: expect.any(String),
  });
  const began = performance.now();
  await expect(filesLike(whole, { ms: 50 })).rejects.toMatchObject({ code: 'BUDGET' });
  await expect(filesLike(whole, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  const source = sourceOf(whole, {}, new OwnFiles({ ms: 50 }));
  await expect(source).rejects.toMatchObject({ code: 'BUDGET' });
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a name with a null byte is refused in words', async () => {
  for (const name of ['a\0.root', '@a\0', '*\0', 'https://h/a\0'])
    await expect(sourceOf(name, {}, new OwnFiles())).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: 'The name of a file has a null byte.',
    });
});
