import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { compareWithRoot, type RootFields } from './judge';

// Fields of the same records by ROOT's own getters, as root_fields.py wrote them.
const recorded = <T>(name: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as T;

const folder = mkdtempSync(join(tmpdir(), 'xylem-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixtures = recorded<Record<string, RootFields>>('fixtures.json');

test.each(Object.entries(fixtures))('%s has the fields that ROOT reads', async (name, root) => {
  if (root === null) throw new Error('ROOT did not open it');
  const { compared, differences, wrong } = await compareWithRoot(join(fixtureFolder, name), root);
  expect(differences).toEqual([]);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(60);
});

describe('a file above 2 GB, of which most is a gap', () => {
  const { pieces, fields } = recorded<{ pieces: [number, string][]; fields: NonNullable<RootFields> }>(
    'large.json',
  );
  const path = join(folder, 'large.root');
  const reader = withReader();

  test('has places of 8 bytes and of 4 in one file, as ROOT reads them', async () => {
    const file = await open(path, 'w');
    for (const [at, text] of pieces) {
      const bytes = Buffer.from(text, 'base64');
      await file.write(bytes, 0, bytes.length, at);
    }
    await file.close();
    const { compared, differences, wrong } = await compareWithRoot(path, fields);
    expect(differences).toEqual([]);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(100);
    expect(fields.header).toMatchObject({ fUnits: 8, fVersion: 1_064_000 });
  });

  test('is read for a few hundred bytes around the record', async () => {
    const trace = join(folder, 'trace.json');
    const { status, out } = await run(reader, 'record', path, 'far/behind', '--json', '--trace', trace);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ title: 'record of a TTree behind;1', wrong: 0 });
    const { reads } = JSON.parse(readFileSync(trace, 'utf8')) as {
      reads: { purpose: string; wanted: number }[];
    };
    const own = reads.filter(({ purpose }) => purpose === 'record');
    expect(own.length).toBeGreaterThan(0);
    expect(own.reduce((sum, { wanted }) => sum + wanted, 0)).toBeLessThan(4096);
  });
});

const corpus = process.env.XYLEM_CORPUS ?? '';
describe.skipIf(
  lacks('the files of XYLEM_CORPUS, and ROOT in ORACLE_PYTHON', existsSync(corpus) && !!oraclePython),
)('the files of the corpus', () => {
  test('have the fields that ROOT reads', { timeout: 1_800_000, retry: 0 }, async () => {
    const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.root'),
    );
    const found: Record<string, RootFields> = {};
    for (let i = 0; i < names.length; i += 100) {
      const script = join(import.meta.dirname, 'root_fields.py');
      const files = names.slice(i, i + 100);
      const out = execFileSync(oraclePython ?? '', ['-W', 'ignore', script, ...files], {
        cwd: resolve(corpus),
        maxBuffer: 1 << 30,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      Object.assign(found, JSON.parse(out.slice(out.indexOf('{'))));
    }
    const differences: string[] = [];
    let compared = 0;
    let files = 0;
    for (const [name, root] of Object.entries(found)) {
      // Its list of keys is longer than its record says, which is told as wrong.
      if (root === null || name === 'skhep/uproot-issue261.root') continue;
      const result = await compareWithRoot(join(resolve(corpus), name), root);
      differences.push(...result.differences);
      compared += result.compared;
      files++;
    }
    process.stdout.write(`${compared} fields of ${files} files were compared\n`);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(10_000);
  });
});
