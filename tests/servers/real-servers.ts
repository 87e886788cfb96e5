import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The servers that portals run, where they are installed (Debian: nginx, apache2-bin), or where
// XYLEM_NGINX and XYLEM_APACHE name their programs.

function installed(named: string | undefined, ...usual: string[]): string | undefined {
  return [named, ...usual].find((path) => path && existsSync(path) && spawnSync(path, ['-v']).status === 0);
}

export interface RealServer {
  program: string | undefined;
  /** Text of its settings; `lines` go where settings of the files belong. */
  settings(folder: string, port: number, lines: readonly string[]): string;
  /** The arguments that make it use them. */
  args(folder: string, path: string): string[];
}

const nginx = installed(process.env.XYLEM_NGINX, '/usr/sbin/nginx');
const apache = installed(process.env.XYLEM_APACHE, '/usr/sbin/apache2');
const modules = join(dirname(dirname(apache ?? '/usr/sbin/apache2')), 'lib/apache2/modules');

export const realServers: Record<'nginx' | 'Apache', RealServer> = {
  nginx: {
    program: nginx,
    settings: (folder, port, lines) => `
      daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
        uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
        server {
          listen 127.0.0.1:${port}; root ${folder};
          location / {
            ${lines.join('\n')}
          }
        }
      }`,
    args: (folder, path) => ['-c', path, '-e', `${folder}/log`],
  },
  Apache: {
    program: apache,
    settings: (folder, port, lines) => `
      ServerName localhost
      Listen 127.0.0.1:${port}
      PidFile ${folder}/pid
      ErrorLog ${folder}/log
      LoadModule mpm_event_module ${modules}/mod_mpm_event.so
      LoadModule authz_core_module ${modules}/mod_authz_core.so
      LoadModule headers_module ${modules}/mod_headers.so
      LoadModule env_module ${modules}/mod_env.so
      LoadModule filter_module ${modules}/mod_filter.so
      LoadModule deflate_module ${modules}/mod_deflate.so
      DefaultRuntimeDir ${folder}
      Mutex posixsem
      DocumentRoot ${folder}
      User #65534
      Group #65534
      <Directory ${folder}>
        ${lines.join('\n')}
      </Directory>
      `,
    args: (folder, path) => ['-X', '-d', folder, '-f', path],
  },
};

export interface RunningServer {
  url: string;
  /** Where the file lies that it serves. */
  path: string;
  stop(): Promise<void>;
}

/** Starts a server of one file on 127.0.0.1 and waits until it answers. */
export async function startRealServer(
  server: RealServer,
  file: Uint8Array,
  lines: readonly string[] = [],
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-server-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'file.root');
  writeFileSync(path, file);
  const port = await freePort();
  const settings = join(folder, 'settings');
  writeFileSync(settings, server.settings(folder, port, lines));
  const child: ChildProcess = spawn(server.program ?? '', server.args(folder, settings), {
    stdio: 'inherit',
  });
  const exited = new Promise((done) => child.once('exit', done));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/file.root`;
  const until = performance.now() + 10_000;
  for (;;) {
    const answer = await fetch(url, { headers: { Range: 'bytes=0-0' } }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return { url, path, stop };
    if (performance.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error(`no answer from ${server.program}`);
    }
    await new Promise((go) => setTimeout(go, 20));
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
