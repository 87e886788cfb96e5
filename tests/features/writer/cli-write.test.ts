import {
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const merged = join(fixtureFolder, 'merged.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-cli-write-'));
const reader = withReader();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A file that cannot be copied: the anchor of its RNTuple says version 1 of its class, which was that before format 1.0. */
function oldNtuple(): Buffer {
  const bytes = readFileSync(join(fixtureFolder, 'rntuple.root'));
  bytes[bytes.indexOf(Buffer.from([0x40, 0, 0, 0x42, 0, 2])) + 5] = 1;
  return bytes;
}

test('heal and skim write files that differ in nothing but their layout', async () => {
  for (const command of ['heal', 'skim']) {
    const out = join(folder, `${command}.root`);
    const { status, out: text } = await run(reader, command, merged, out, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(text)).toMatchObject({ out, keys: 1, trees: 1, baskets: 32 });
    expect((await run(reader, 'diff', merged, out)).status).toBe(0);
  }
});

test('the input is never written over, and a failure leaves nothing', async () => {
  expect(await run(reader, 'skim', merged, merged)).toMatchObject({ status: 2 });
  expect(await run(reader, 'heal', merged)).toMatchObject({ status: 2 });
  const ntuple = join(folder, 'heal.root');
  writeFileSync(ntuple, oldNtuple());
  const out = join(folder, 'refused.root');
  const { status, err } = await run(reader, 'heal', ntuple, out);
  expect(status).toBe(1);
  expect(err).toMatch(/pre-release.*UNSUPPORTED/);
  expect(readdirSync(folder).filter((name) => !/^(heal|skim|link)\.root$|^in-place-/.test(name))).toEqual([]);
});

test('a file is healed in place, and stays as it is after a failure', async () => {
  const own = mkdtempSync(join(folder, 'in-place-'));
  const file = join(own, 'file.root');
  copyFileSync(merged, file);
  const healed = join(mkdtempSync(join(folder, 'in-place-')), 'file.root');
  expect((await run(reader, 'heal', file, healed, '--reproducible')).status).toBe(0);
  for (const refused of [[healed], ['--no-verify']])
    expect(await run(reader, 'heal', file, ...refused, '--in-place')).toMatchObject({ status: 2 });
  expect(readFileSync(file).equals(readFileSync(merged))).toBe(true);
  const ntuple = join(own, 'ntuple.root');
  writeFileSync(ntuple, oldNtuple());
  expect((await run(reader, 'heal', ntuple, '--in-place')).err).toContain('UNSUPPORTED');
  expect(readFileSync(ntuple).equals(oldNtuple())).toBe(true);
  const link = join(folder, 'link.root');
  symlinkSync(file, link);
  expect((await run(reader, 'heal', link, '--in-place', '--reproducible')).status).toBe(0);
  expect(readdirSync(own)).toEqual(['file.root', 'ntuple.root']);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect((await run(reader, 'diff', file, merged)).status).toBe(0);
  expect(statSync(file).size).toBe(statSync(healed).size);
});

test.skipIf(process.platform !== 'linux')('a full disk is an error with its reason', async () => {
  const { status, err } = await run(reader, 'skim', merged, '/dev/full');
  expect(status).toBe(1);
  expect(err).toContain('no space is left');
});
