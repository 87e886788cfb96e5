// Needs features: all.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EngineReader } from '../../web/api/reader';
import { commandNames } from '../../web/cli/commands/list';
import { openReader } from '../engine-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';
import { LINES } from './lines';
import { run, runInTerminal } from './support';

// The secret of an address is in no output, message or file of any command, whether it works or not. Only the tasks of
// "plan" have it, because they are read by it.

const CANARY = 'CANARY7531';
const clean = resolve(import.meta.dirname, '../fixtures/files/codec_none.root');

let folder = '';
let reader: EngineReader;
let server: RangeServer;
/** Addresses that have secrets in all places, by the way in which they fail. */
let addresses: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-secrets-'));
  server = await startRangeServer(readFileSync(clean), { etag: '"a"' });
  reader = await openReader({ workers: 0, cache: { folder: join(folder, 'cache') } });
  const { port } = new URL(server.url);
  const query = `?X-Amz-Signature=${CANARY}&X-Amz-Expires=9&authz=Bearer%20${CANARY}&${CANARY}`;
  const with_ = (place: string): string => `http://me:${CANARY}@${place}${query}`;
  addresses = {
    'which works': with_(`127.0.0.1:${port}/d/file.root`),
    'which is refused': with_(`127.0.0.1:${port}/refused/file.root`),
    'without a server': with_('127.0.0.1:9/file.root'),
    'with a bad port': with_('127.0.0.1:x9/file.root'),
    'that is none': with_('[bad/file.root'),
    'without a scheme': with_(`127.0.0.1:${port}/d/file.root`)
      .replace('http://', '')
      .replace(`&${CANARY}`, ''),
    'of another kind': with_('bucket/file.root').replace('http:', 's3:'),
    'with backslashes': with_(`127.0.0.1:${port}/d/file.root`).replaceAll('/', '\\'),
    'of XRootD with a bad port': with_('127.0.0.1:x9//file.root').replace('http:', 'root:'),
  };
  const [works = ''] = Object.values(addresses);
  writeFileSync(join(folder, 'list.txt'), `${works}\n${works.replace('/d/', '/refused/')}\n`);
  const { size } = statSync(clean);
  const line = `"GET /d/file.root${query} HTTP/1.1" 206 ${size} "-" "uproot" "bytes=0-${size - 1}" 0.001`;
  writeFileSync(join(folder, 'trace.log'), `127.0.0.1 - me [28/Nov/2026:22:00:00 +0000] ${line}\n`);
});
beforeEach(() => {
  server.faults = { etag: '"a"', status: 403, only: /^\/refused/ };
});
afterAll(async () => {
  reader.terminate();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The lines of each command that there is; one that is not in the list gets the file alone. */
const lines = commandNames.map((command) => [command, LINES[command] ?? [['U']]] as const);

const cases = lines.flatMap(([command, own]) => own.map((line) => [command, ...line]));

test.each(cases)('%s shows no secret of an address', { timeout: 60_000 }, async (...line) => {
  for (const [which, address] of Object.entries(addresses)) {
    const words: Record<string, string> = {
      U: address,
      C: clean,
      L: `@${join(folder, 'list.txt')}`,
      T: join(folder, 'trace.log'),
    };
    const args = line.map((word) =>
      word.startsWith('O.')
        ? join(folder, `out${word.slice(1)}`)
        : (words[word] ?? word.replace(/=U$/, `=${address}`)),
    );
    const printed = [await run(reader, ...args)];
    if (which === 'which works')
      printed.push(await run(reader, ...args, '--json'), await runInTerminal(reader, ...args));
    for (const { out, err } of printed) {
      expect(out + err).not.toBe('');
      expect(`${which}: ${out}${err}`).not.toContain(CANARY);
    }
    if (
      which === 'which works' &&
      !['serve', 'mcp', 'combine', 'fleet', 'completion'].includes(line[0] ?? '')
    )
      expect(server.requests.some(({ url }) => url.includes(CANARY))).toBe(true);
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/out\.|cache\//.test(name)) continue;
    expect(name).not.toContain(CANARY);
    let text = '';
    try {
      text = readFileSync(join(folder, name), 'latin1');
    } catch {
      // A folder.
    }
    expect(text.includes(CANARY), name).toBe(false);
  }
});

test('a plan names no secret of what could not be read', async () => {
  const { err } = await run(reader, 'plan', `@${join(folder, 'list.txt')}`, 't');
  expect(err).toContain('/refused/file.root');
  expect(err).not.toContain(CANARY);
});
