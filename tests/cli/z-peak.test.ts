// Needs features: exports, walls, writer.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineReader } from '../../web/api/reader';
import { openReader } from '../engine-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';
import { run } from './support';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/z-peak.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'xylem-z-peak-'));
let server: RangeServer;
let reader: EngineReader;

beforeAll(async () => {
  server = await startRangeServer(readFileSync(join(root, 'public/sample.root')));
  reader = await openReader({ workers: 0 });
});
afterAll(async () => {
  reader.terminate();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The indented blocks of the page. */
const blocks = page
  .split(/\n(?=[^ \n])/)
  .map((part) => part.slice(part.search(/^ {4}/m)).replace(/^ {4}/gm, ''))
  .filter((part) => /^(\/\/ |xylem )/.test(part));

/** The words of a command line, and the files that it names where they lie here. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return words
    .slice(1)
    .map((word) => word.replace('https://example.org/events.root', server.url))
    .map((word) => (/^[\w-]+\.(mjs|root|svg)$/.test(word) ? join(folder, word) : word));
}

test('the walk from a remote file to a peak, its background and a skim', async () => {
  const code = blocks.find((block) => block.startsWith('// z.mjs'));
  expect(code).toBeDefined();
  writeFileSync(join(folder, 'z.mjs'), code ?? '');
  const lines = blocks.filter((block) => block.startsWith('xylem ')).flatMap((block) => block.split('\n'));
  let commands = 0;
  let printed = '';
  for (const line of lines) {
    if (line.startsWith('xylem ')) {
      const { out, err, status } = await run(reader, ...wordsOf(line));
      expect(status, `${line}\n${err}`).toBe(0);
      printed = (out + err).replaceAll(`${folder}/`, '');
      commands += 1;
    } else if (line !== '') expect(printed).toContain(line);
  }
  expect(commands).toBe(8);
  expect(readFileSync(join(folder, 'mass.svg'), 'utf8')).toMatch(/^<svg/);
  expect(page).toContain('473 ± 23');
}, 60_000);
