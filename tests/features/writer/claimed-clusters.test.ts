import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRoot } from '../../../web/node';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { xxh3 } from './hostile/xxh3';

const folder = mkdtempSync(join(tmpdir(), 'xylem-clusters-'));
const whole = join(fixtureFolder, 'missing', 'whole.root');
const reader = withReader();

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A copy whose last cluster of three, and its group, claim more entries than the pages have; checksums are right. */
async function claiming(entries: number): Promise<string> {
  const path = join(folder, `claims-${entries}.root`);
  const bytes = new Uint8Array(readFileSync(whole));
  await using file = await openRoot(whole, { reader });
  const { parts } = await reader.layout(file.info.id, 'n');
  const change = (part: string, from: [bigint, bigint], to: [bigint, bigint]): void => {
    const { offset = 0, length = 0 } = parts.find(({ name }) => name === part) ?? {};
    const view = new DataView(bytes.buffer, offset, length);
    let found = 0;
    for (let at = 8; at < length - 24; at++)
      if (from.every((number, i) => view.getBigUint64(at + 8 * i, true) === number)) {
        for (const [i, number] of to.entries()) view.setBigUint64(at + 8 * i, number, true);
        found++;
      }
    if (found !== 1) throw new Error(`${found} places in ${part}`);
    view.setBigUint64(length - 8, xxh3(bytes.subarray(offset, offset + length - 8)), true);
  };
  change('page list 0', [40n, 20n], [40n, BigInt(entries)]);
  change('footer', [0n, 60n], [0n, BigInt(40 + entries)]);
  writeFileSync(path, bytes);
  return path;
}

test.each([30, 2 ** 40])(
  'a cluster that claims %d entries: what is there is read, the rest is named once',
  async (entries) => {
    const file = await claiming(entries);
    for (const [verb = '', ...more] of [
      ['perf'],
      ['summary'],
      ['check'],
      ['values', '--branches', 'y,v,s', '--json'],
      ['values', '--digest'],
      ['export', '--branches', 'y', '--format', 'csv'],
      ['draw', 'y'],
      ['draw', 'v'],
      ['draw', 's'],
      ['scan', 'x:y', 'y<0'],
    ]) {
      const ran = await run(reader, verb, file, ...(verb === 'check' ? [] : ['n']), ...more);
      expect.soft([verb, ran.err + ran.out]).toEqual([verb, expect.stringMatching(/has 20\b/)]);
      expect.soft([verb, ran.err]).not.toEqual([verb, expect.stringMatching(/INTERNAL|CORE_LOST|BUDGET/)]);
      expect.soft((ran.err + ran.out).length).toBeLessThan(10_000);
    }
    const drawn = await run(reader, 'draw', file, 'n', 'y', '--json');
    expect(drawn.status).toBe(1);
    expect(JSON.parse(drawn.out)).toMatchObject({ fills: 60, partial: { errors: [{ code: 'CORRUPT' }] } });
  },
  20_000,
);

test.each([30, 2 ** 40])(
  'a cluster that claims %d entries: no verb copies the claim, the doctor finds it, salvage leaves the cluster out',
  async (entries) => {
    const file = await claiming(entries);
    const out = join(folder, `out-${entries}.root`);
    rmSync(out, { force: true });
    for (const [verb = '', ...more] of [
      ['skim', file, out],
      ['skim', file, out, '--branches', 'y'],
      ['heal', file, out],
      ['heal', file, out, '--level', 'order'],
      ['heal', file, out, '--level', 'rebasket'],
      ['merge', out, file, whole],
      ['merge', out, whole, file],
    ]) {
      const ran = await run(reader, verb, ...more, '--force');
      expect.soft([verb, ran.status]).toEqual([verb, 1]);
      expect
        .soft(ran.err)
        .toMatch(/Field \w+ of n.* claims [\d,]+ entries, but its pages have 60\..*CORRUPT/s);
      expect.soft(existsSync(out)).toBe(false);
    }
    const told = await run(reader, 'doctor', file);
    expect(told.out).toContain('missing-entries');
    expect(told.out).toContain(`No page holds ${(entries - 20).toLocaleString('en')} of the entries that`);
    const saved = await run(reader, 'salvage', file, out);
    expect(saved.err + saved.out).toMatch(/entries are left out/);
    const check = await run(reader, 'check', out);
    expect([check.status, check.out]).toEqual([0, expect.not.stringContaining('entries-mismatch')]);
    const copied = await run(reader, 'values', out, 'n', '--branches', 'y,v,s', '--json');
    expect([copied.status, JSON.parse(copied.out).entries]).toEqual([0, 40]);
  },
  20_000,
);

test('a whole RNTuple is copied and has no such finding', async () => {
  const out = join(folder, 'copy.root');
  expect((await run(reader, 'skim', whole, out, '--force')).status).toBe(0);
  expect((await run(reader, 'doctor', out)).out).not.toContain('missing-entries');
});
