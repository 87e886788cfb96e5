import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpSource } from '../../web/io/http-source';
import { createReader } from '../../web/io/reader';
import type { Range } from '../../web/io/source';

// The servers that portals run, where they are installed (Debian: nginx, apache2-bin), or where
// XYLEM_NGINX and XYLEM_APACHE name their programs.

const file = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
const scattered: Range[] = Array.from({ length: 500 }, (_, i) => ({
  offset: 70_000 + i * 5000,
  length: 40 + (i % 50),
}));

let folder = '';
let child: ChildProcess | undefined;
afterEach(async () => {
  const ended = child && new Promise((done) => child?.once('exit', done));
  child?.kill('SIGTERM');
  await ended;
  child = undefined;
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function installed(named: string | undefined, ...usual: string[]): string | undefined {
  return [named, ...usual].find((path) => path && existsSync(path) && spawnSync(path, ['-v']).status === 0);
}

interface Server {
  program: string | undefined;
  /** Text of its settings, and the arguments that make it use them. */
  settings(port: number): string;
  args(path: string): string[];
}

const nginx = installed(process.env.XYLEM_NGINX, '/usr/sbin/nginx');
const apache = installed(process.env.XYLEM_APACHE, '/usr/sbin/apache2');
const modules = join(dirname(dirname(apache ?? '/usr/sbin/apache2')), 'lib/apache2/modules');

const servers: Record<string, Server> = {
  nginx: {
    program: nginx,
    settings: (port) => `
      daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
        uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
        server { listen 127.0.0.1:${port}; root ${folder}; }
      }`,
    args: (path) => ['-c', path, '-e', `${folder}/log`],
  },
  Apache: {
    program: apache,
    settings: (port) => `
      ServerName localhost
      Listen 127.0.0.1:${port}
      PidFile ${folder}/pid
      ErrorLog ${folder}/log
      LoadModule mpm_event_module ${modules}/mod_mpm_event.so
      LoadModule authz_core_module ${modules}/mod_authz_core.so
      DefaultRuntimeDir ${folder}
      Mutex posixsem
      DocumentRoot ${folder}
      User #65534
      Group #65534
      `,
    args: (path) => ['-X', '-d', folder, '-f', path],
  },
};

describe.each(Object.entries(servers))('%s', (_name, server) => {
  const there = test.skipIf(server.program === undefined);

  async function start(): Promise<string> {
    folder = mkdtempSync(join(tmpdir(), 'xylem-server-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'file.root'), file);
    const port = await freePort();
    const path = join(folder, 'settings');
    writeFileSync(path, server.settings(port));
    child = spawn(server.program ?? '', server.args(path), { stdio: 'inherit' });
    const url = `http://127.0.0.1:${port}/file.root`;
    const until = performance.now() + 10_000;
    for (;;) {
      const answer = await fetch(url, { headers: { Range: 'bytes=0-0' } }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 206) return url;
      if (performance.now() > until) throw new Error(`no answer from ${server.program}`);
      await new Promise((go) => setTimeout(go, 20));
    }
  }

  there('ranges, many ranges at once and the end of the file are the bytes of the file', async () => {
    const source = createHttpSource(await start());
    const reader = createReader(source);
    const [head] = await reader.read([{ offset: 0, length: 65_536 }]);
    expect(Buffer.compare(head ?? file, file.subarray(0, 65_536))).toBe(0);
    const parts = await reader.read(scattered);
    const wrong = scattered.filter(
      ({ offset, length }, i) =>
        Buffer.compare(parts[i] ?? file, file.subarray(offset, offset + length)) !== 0,
    );
    expect(wrong).toEqual([]);
    const several = reader.trace.records().filter(({ parts: count }) => (count ?? 0) > 1);
    expect(several.reduce((sum, { parts: count = 0 }) => sum + count, 0)).toBe(scattered.length);
    expect(source.maxParts).toBeGreaterThan(1);
    const [end] = await reader.read([{ offset: file.length - 100, length: 5000 }]);
    expect(end).toEqual(file.subarray(-100));
    expect(source.info()).toMatchObject({ size: file.length });
    await expect(reader.read([{ offset: file.length, length: 1 }])).rejects.toMatchObject({
      code: 'TRUNCATED',
    });
  });

  there('a file that is replaced gives FILE_CHANGED', async () => {
    const reader = createReader(createHttpSource(await start()));
    await reader.read([{ offset: 0, length: 65_536 }]);
    writeFileSync(join(folder, 'file.root'), file.slice(0, file.length - 1).reverse());
    await expect(reader.read(scattered)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    await expect(reader.read([{ offset: 2_900_000, length: 10 }])).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
  });
});
