import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { thirdParty } from '../../scripts/third-party.mjs';

test('THIRD_PARTY.md is up to date; else run node scripts/third-party.mjs', async () => {
  expect(await readFile(join(root, 'THIRD_PARTY.md'), 'utf8')).toBe(await thirdParty());
});

test('the notices name every decoder and the packages that are bundled', async () => {
  const text = await thirdParty();
  for (const name of ['libdeflate-sys 1.', 'zstd-sys 2.', 'lz4-sys 1.', 'liblzma-sys 0.', '### preact 1']) {
    expect(text).toContain(name);
  }
  expect(text).toContain('Yann Collet');
});
