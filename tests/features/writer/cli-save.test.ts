import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { saveFile } from '../../../web/sinks/node-save-file';
import { program, programWith } from '../../cli/program';
import { lacks } from '../../needs';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const caches = mkdtempSync(join(tmpdir(), 'xylem-caches-'));
const { start, run, built } = programWith(caches);
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-save-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => rmSync(caches, { recursive: true }));

const at = (name: string): string => join(folder, name);
const ask = ['export', sample, 'Events', '--branches', 'run', '--entries', '0:2', '--format', 'csv'];

/** Every command that writes a file, to one target. */
const writers: [string, string[]][] = [
  ['export -o', [...ask, '-o']],
  ['hist --svg', ['hist', sample, 'Events', 'run', '--svg']],
  ['hist --png', ['hist', sample, 'Events', 'run', '--png']],
  ['draw --csv', ['draw', sample, 'Events', 'run', '--csv']],
  ['draw --uhi', ['draw', sample, 'Events', 'run', '--uhi']],
  ['draw --root-json', ['draw', sample, 'Events', 'run', '--root-json']],
  ['draw --root', ['draw', sample, 'Events', 'run', '--root']],
  ['map --svg', ['map', sample, '--svg']],
  ['whatif --svg', ['whatif', sample, 'Events', '--svg']],
  ['perf --waterfall', ['perf', sample, 'Events', '--branches', 'run', '--waterfall']],
  ['ls --trace', ['ls', sample, '--trace']],
];

built.each(writers)('%s writes through a pipe and a link, and keeps them', async (_, args) => {
  execFileSync('mkfifo', [at('pipe')]);
  // A process of its own: opening a pipe would occupy one of the few threads that all tests share.
  const reading = promisify(execFile)('cat', [at('pipe')], {
    encoding: 'buffer',
    maxBuffer: 2 ** 27,
    timeout: 60_000,
  });
  expect(await run([...args, at('pipe')])).toMatchObject({ status: 0 });
  const { stdout: through } = await reading;
  expect(through.length).toBeGreaterThan(5);
  expect(lstatSync(at('pipe')).isFIFO()).toBe(true);

  writeFileSync(at('real'), '');
  symlinkSync('real', at('link'));
  expect(await run([...args, at('link')])).toMatchObject({ status: 0 });
  expect(readlinkSync(at('link'))).toBe('real');
  expect(readFileSync(at('real')).length).toBeGreaterThan(5);
  expect(readdirSync(folder).sort()).toEqual(['link', 'pipe', 'real']);
});

built('a device is written to, and its failure says why', async () => {
  // Device nodes of our own: the system's must not be at risk where tests run as root.
  try {
    execFileSync('mknod', [at('null'), 'c', '1', '3'], { stdio: 'ignore' });
    execFileSync('mknod', [at('full'), 'c', '1', '7'], { stdio: 'ignore' });
    writeFileSync(at('null'), '');
  } catch {
    // Without the right to make them the system's cannot be replaced either.
    for (const name of ['null', 'full']) {
      rmSync(at(name), { force: true });
      symlinkSync(`/dev/${name}`, at(name));
    }
  }
  expect(await run([...ask, '-o', at('null')])).toMatchObject({ status: 0 });
  expect(statSync(at('null')).isCharacterDevice()).toBe(true);
  const full = await run([...ask, '-o', at('full')]);
  expect(full).toMatchObject({ status: 1, out: '' });
  expect(full.err).toContain('cannot be written: no space is left on the device (ENOSPC). [IO]');
  expect(statSync(at('full')).isCharacterDevice()).toBe(true);
});

test('a file keeps its mode, and what it was until the new one is whole', async () => {
  writeFileSync(at('x'), 'old');
  chmodSync(at('x'), 0o640);
  await saveFile(at('x'), async (put) => {
    await put('new ');
    expect(readFileSync(at('x'), 'utf8')).toBe('old');
    await put(Buffer.from('text'));
  });
  expect(readFileSync(at('x'), 'utf8')).toBe('new text');
  expect(statSync(at('x')).mode & 0o777).toBe(0o640);
  const failing = saveFile(at('x'), async (put) => {
    await put('third');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(readFileSync(at('x'), 'utf8')).toBe('new text');
  expect(readdirSync(folder)).toEqual(['x']);
});

test('a link that leads nowhere gets its target, and a planted file is left alone', async () => {
  symlinkSync('not/yet', at('link'));
  await expect(saveFile(at('link'), (put) => put('x'))).rejects.toMatchObject({ code: 'IO' });
  mkdirSync(at('not'));
  // A file of somebody else at the place where an unfinished file would be.
  writeFileSync(at('precious'), 'precious');
  symlinkSync(at('precious'), at('not/yet.unfinished'));
  await saveFile(at('link'), (put) => put('x'));
  expect(readFileSync(at('not/yet'), 'utf8')).toBe('x');
  expect(readlinkSync(at('link'))).toBe('not/yet');
  expect(readFileSync(at('precious'), 'utf8')).toBe('precious');
  symlinkSync('round', at('round'));
  await expect(saveFile(at('round'), (put) => put('x'))).rejects.toThrow('links lead to each other (ELOOP)');
});

test.each([
  ['no/x', 'there is no such file or folder (ENOENT)'],
  ['.', 'it is a folder (EISDIR)'],
  ['x/y', 'a part of the path is no folder (ENOTDIR)'],
  ['n'.repeat(300), 'the name is too long (ENAMETOOLONG)'],
])('%s cannot be written, and the cause is told', async (name, why) => {
  writeFileSync(at('x'), '');
  await expect(saveFile(at(name), (put) => put('x'))).rejects.toThrow(`cannot be written: ${why}.`);
});

built('what an interrupted export leaves is removed', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const child = start(['export', sample, 'Events', '-o', at('out.parquet')]);
    while (!readdirSync(folder).some((name) => name.endsWith('.unfinished'))) {
      if (child.exitCode !== null || existsSync(at('out.parquet'))) throw new Error('it was too fast');
      await new Promise((resume) => setTimeout(resume, 1));
    }
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual([]);
  }
});

built(
  'a file that is healed in place is whole after a kill, and the next run removes what is left',
  async () => {
    const file = at('in.root');
    const heal = ['heal', file, '--in-place', '--reproducible'];
    copyFileSync(sample, file);
    expect(await run(heal)).toMatchObject({ status: 0 });
    const healed = readFileSync(file);
    const whole = [readFileSync(sample), healed];
    const left = () => readdirSync(folder).filter((name) => name.endsWith('.unfinished'));
    for (let tries = 0; left().length === 0; tries++) {
      if (tries === 10) throw new Error('it was too fast');
      copyFileSync(sample, file);
      const child = start(heal);
      const ended = once(child, 'exit');
      while (left().length === 0 && child.exitCode === null)
        await new Promise((resume) => setTimeout(resume, 1));
      child.kill('SIGKILL');
      await ended;
      const now = readFileSync(file);
      expect(whole.some((bytes) => bytes.equals(now))).toBe(true);
    }
    // Files of running processes, other machines and other names are not touched.
    const [name = ''] = left();
    const others = [
      name.replace(/-\d+\./, `-${process.pid}.`),
      name.replace(/[0-9a-f]+-(?=\d+\.)/, '123-'),
      name.replace('in.root', 'other.root'),
    ];
    for (const other of others) writeFileSync(at(other), '');
    expect(await run(heal)).toMatchObject({ status: 0 });
    expect(readdirSync(folder).sort()).toEqual([...others, 'in.root'].sort());
    expect(readFileSync(file).equals(healed)).toBe(true);
  },
);

/** Runs a program where it sees no process of this test, as in a container of its own. */
const apart = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
const canBeApart = spawnSync('unshare', [...apart, 'true']).status === 0;

test.skipIf(lacks('the built program', existsSync(program)) || lacks('unshare of processes', canBeApart))(
  'a file that another container is writing is not taken for one that was left',
  async () => {
    await saveFile(at('x'), async (put) => {
      await put('first ');
      const own = readdirSync(folder);
      expect(own).toEqual([expect.stringMatching(/\.unfinished$/)]);
      const line = [process.execPath, program, ...ask, '-o', at('x')];
      const env = { ...process.env, XDG_CACHE_HOME: caches };
      expect(spawnSync('unshare', [...apart, ...line], { env })).toMatchObject({ status: 0 });
      expect(readdirSync(folder).sort()).toEqual([...own, 'x'].sort());
      expect(readFileSync(at('x'), 'utf8')).toMatch(/^run\n/);
      await put('second');
    });
    expect(readFileSync(at('x'), 'utf8')).toBe('first second');
  },
);

built('stdout that is full is one line, typed', async () => {
  if (!existsSync('/dev/full')) return;
  for (const args of [['ls', sample], ['keys', sample, '--json'], ask]) {
    const child = spawn('sh', ['-c', 'exec "$0" "$@" >/dev/full', process.execPath, program, ...args]);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(err).toBe('xylem: The output cannot be written: no space is left on the device (ENOSPC). [IO]\n');
  }
});

built('what stdout leads to is written on, not begun anew', async () => {
  if (!existsSync('/dev/stdout')) return;
  writeFileSync(at('log'), 'before\n');
  const line = `exec "$0" "$@" >>'${at('log')}' 2>/dev/null`;
  const child = spawn('sh', ['-c', line, process.execPath, program, ...ask, '-o', '/dev/stdout']);
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readFileSync(at('log'), 'utf8')).toMatch(/^before\nrun\n\d+\n\d+\n$/);
});
