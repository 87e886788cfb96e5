import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EngineApi } from '../../../web/api/engine-api';
import { OwnFiles } from '../../../web/cli/own-files';
import { readPartials } from '../../../web/features/chains/cli/read-partials';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function linesOf(content: string, maxLine?: number): Promise<string[]> {
  writeFileSync(at('lines.json'), content);
  const lines: string[] = [];
  for await (const { text } of readPartials([at('lines.json')], new OwnFiles(), maxLine)) lines.push(text);
  return lines;
}

test('a long line is searched for its end once, and not again for each piece that comes', async () => {
  const long = 'x'.repeat(8_000_000);
  let searched = 0;
  const { split, indexOf } = String.prototype;
  vi.spyOn(String.prototype, 'split').mockImplementation(function (this: string, ...args) {
    searched += this.length;
    return Reflect.apply(split, this, args) as string[];
  });
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, ...args) {
    searched += this.length;
    return Reflect.apply(indexOf, this, args) as number;
  });
  const lines = await linesOf(`${long}\n${long}`);
  vi.restoreAllMocks();
  expect(lines.map((line) => line.length)).toEqual([long.length, long.length]);
  // Each piece, and what follows a line in it.
  expect(searched).toBeLessThan(3 * long.length);
});

test('lines end with \\n or \\r\\n, also where a piece ends, and a character may lie in two pieces', async () => {
  const piece = 64 * 1024;
  for (const end of ['\n', '\r\n']) {
    for (const at of [piece - 2, piece - 1, piece, piece + 1]) {
      const first = `${'ü'.repeat((at - (at % 2)) / 2)}${'x'.repeat(at % 2)}`;
      const lines = await linesOf(`${end}${first}${end}${end}b${end}  ${end}€`);
      expect(lines.map((line) => line.trim())).toEqual([first, 'b', '€']);
    }
  }
  expect(await linesOf('')).toEqual([]);
  expect(await linesOf('\n\n\r\n')).toEqual([]);
});

test('a line that is too long is refused before all of it has come', async () => {
  const text = `${'a'.repeat(100_000)}\n${'b'.repeat(300_000)}`;
  expect((await linesOf(text, 300_000)).map((line) => line.length)).toEqual([100_000, 300_000]);
  await expect(linesOf(text, 200_000)).rejects.toMatchObject({
    code: 'BUDGET',
    message: expect.stringContaining('200,000 characters'),
  });
});

test('draw goes on from a result on a line with \\r\\n, and after an empty line, but not from the same one twice', async () => {
  const reader: EngineApi = await makeEngine();
  const file = resolve(import.meta.dirname, '../../fixtures/files/codec_zlib.root');
  const query = ['draw', file, 't', 'n', '--hist', '5,0,5'];
  const { out } = await run(reader, ...query, '--partial', '-');
  const resumed = async (content: string) => {
    writeFileSync(at('kept.json'), content);
    return await run(reader, ...query, '--resume', at('kept.json'), '--partial', '-');
  };
  for (const content of [out.replace('\n', '\r\n'), `\n${out}`])
    expect((await resumed(content)).out).toBe(out);
  // The lines of a file add up, so that none may have what another has.
  const twice = await resumed(`${out}${out}`);
  expect([twice.out, twice.status]).toEqual(['', 1]);
  expect(twice.err).toContain('occur twice');
});
