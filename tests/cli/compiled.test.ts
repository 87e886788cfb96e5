import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { program } from './program';

const sample = resolve(import.meta.dirname, '../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Each starts several processes. */
const LONG_MS = 60_000;

/** Runs the built command line with a folder of caches of its own. */
function run(caches: string, args: readonly string[], more: { node?: string[]; env?: object } = {}) {
  const { VITEST: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...(more.node ?? []), program, ...args], {
    encoding: 'utf8',
    env: { ...inherited, NODE_DISABLE_COMPILE_CACHE: '', XDG_CACHE_HOME: caches, ...more.env },
  });
  return { status, stdout, stderr };
}

/** The files that are kept, by their names. */
function kept(caches: string): Map<string, Buffer> {
  const all = readdirSync(caches, { recursive: true, encoding: 'utf8' });
  return new Map(
    all
      .filter((name) => /compiled.*\.bin/.test(name))
      .map((name) => [name.replace(/^.*[\\/]/, ''), readFileSync(join(caches, name))]),
  );
}

const place = (caches: string, name: string): string =>
  join(caches, 'xylem/compiled', `${process.version}-${process.arch}`, name);

test(
  'compiled code is kept for each command, and used',
  () => {
    const caches = mkdtempSync(join(folder, 'a-'));
    const first = run(caches, ['ls', sample]);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect([...kept(caches).keys()]).toEqual(['ls.bin']);
    const code = kept(caches).get('ls.bin');
    expect(run(caches, ['ls', sample])).toEqual(first);
    // Nothing was lacking, so that it was not written again.
    expect(kept(caches).get('ls.bin')).toEqual(code);
    run(caches, ['ls', sample, 'Events', '--json']);
    expect(run(caches, ['--version']).status).toBe(0);
    expect([...kept(caches).keys()].sort()).toEqual(['--version.bin', 'ls.bin']);
  },
  LONG_MS,
);

test(
  'a damaged file is as none, and is written again',
  () => {
    const caches = mkdtempSync(join(folder, 'b-'));
    const first = run(caches, ['ls', sample]);
    const code = kept(caches).get('ls.bin') ?? Buffer.alloc(0);
    const other = Buffer.from(code);
    // The first letter of the build's checksum.
    other.write('!', code.indexOf('"build":"') + '"build":"'.length);
    for (const damaged of [
      Buffer.alloc(0),
      code.subarray(0, code.length - 8),
      Buffer.alloc(code.length),
      other,
    ]) {
      writeFileSync(place(caches, 'ls.bin'), damaged);
      expect(run(caches, ['ls', sample])).toEqual(first);
      expect(kept(caches).get('ls.bin')?.length).toBeGreaterThan(code.length / 2);
    }
  },
  LONG_MS,
);

test(
  'nothing is kept of a command that fails, of words that are no command, and where it is turned off',
  () => {
    const caches = mkdtempSync(join(folder, 'c-'));
    expect(run(caches, ['ls', join(folder, 'missing.root')]).status).toBe(1);
    expect(run(caches, [sample]).status).toBe(0);
    expect(run(caches, ['ls', sample], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } }).status).toBe(0);
    expect(kept(caches).size).toBe(0);
  },
  LONG_MS,
);

test(
  'without a folder of caches commands run',
  () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(run(file, ['ls', sample])).toMatchObject({ status: 0, stderr: '' });
  },
  LONG_MS,
);

test(
  'one answer about a local file loads no module of Node that it does not need',
  () => {
    const caches = mkdtempSync(join(folder, 'd-'));
    mkdirSync(caches, { recursive: true });
    const list = join(folder, 'list.cjs');
    writeFileSync(
      list,
      "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')));",
    );
    for (const args of [
      ['ls', sample],
      ['draw', sample, 'Events', 'nMuon'],
      ['scan', sample, 'Events', 'nMuon', '--limit', '5'],
    ]) {
      const { status, stderr } = run(caches, args, { node: ['--require', list] });
      expect(status).toBe(0);
      const loaded = stderr.split('\n').map((line) => line.replace('NativeModule ', ''));
      expect(loaded).toContain('fs');
      const costly = [
        'stream',
        'net',
        'http',
        'crypto',
        'zlib',
        'child_process',
        'worker_threads',
        'fs/promises',
      ];
      expect(loaded.filter((name) => costly.includes(name))).toEqual([]);
    }
  },
  LONG_MS,
);
