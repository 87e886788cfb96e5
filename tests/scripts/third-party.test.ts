// Needs features: all.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { sbom } from '../../scripts/sbom.mjs';
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

test('the SBOM has every part of THIRD_PARTY.md, with its licence, and the version of its sources', async () => {
  const text = await readFile(join(root, 'THIRD_PARTY.md'), 'utf8');
  const { components } = await sbom();
  const listed = components.map(({ name, version, licenses }) => {
    const [{ license, expression }] = licenses as [{ license?: { id?: string }; expression?: string }];
    return { name, version, licence: license?.id ?? expression };
  });
  const headings = [...text.matchAll(/^### (.+) \((.+)\)$/gm)].map(([, title = '', licence]) => ({
    title,
    licence,
  }));
  expect(headings.length).toBeGreaterThan(30);
  for (const { title, licence } of headings) {
    const one = listed.find(({ name, version }) => title === name || title === `${name} ${version}`);
    expect(one?.licence, title).toBe(licence);
    expect(one?.version, title).toMatch(/^\d+\.\d+/);
  }
  // Those of the two paragraphs, which name others without a heading.
  const others = listed.filter(({ version }) => version === undefined).map(({ name }) => name);
  for (const name of others) expect(text).toContain(name);
  expect(components.length).toBe(headings.length + others.length);
  const paragraphs = text.replaceAll(/```text[\s\S]*?```/g, '').replaceAll(/^#.*$/gm, '');
  const makers = paragraphs.match(/Copyright|Apache License/g) ?? [];
  expect(others.length).toBe(makers.length);
  // The crate has another version than the library.
  const zstd = listed.find(({ name }) => name.startsWith('Zstandard'));
  expect(text).toContain(`+zstd.${zstd?.version}`);
});
