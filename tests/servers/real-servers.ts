import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The servers that portals and sites run, where they are installed (Debian: nginx, apache2-bin,
// xrootd-server), or where XYLEM_NGINX, XYLEM_APACHE and XYLEM_XROOTD name their programs.

/** Returns the version that a program prints; undefined if it cannot be run. */
function versionOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { status, stdout, stderr } = spawnSync(path, ['-v'], { encoding: 'utf8' });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] : undefined;
}

interface Installed {
  program: string | undefined;
  version: string | undefined;
}

function installed(named: string | undefined, usual: string): Installed {
  const version = versionOf(named ?? usual);
  return { program: version && (named ?? usual), version };
}

/** Lines that settings have besides those that make the server run. */
export interface ServerLines {
  /** Where settings of the files belong. */
  files: readonly string[];
  /** Where settings of the server belong. */
  server: readonly string[];
}

export interface RealServer extends Installed {
  settings(folder: string, port: number, lines: ServerLines): string;
  /** The arguments that make it use them. */
  args(folder: string, path: string): string[];
  /** Refuses to run as the superuser. */
  unprivileged?: boolean;
}

const apache = installed(process.env.XYLEM_APACHE, '/usr/sbin/apache2');
const modules = join(dirname(dirname(apache.program ?? '/usr/sbin/apache2')), 'lib/apache2/modules');
/** Nobody, of no group. */
export const NOBODY = 65_534;

export const realServers: Record<'nginx' | 'Apache' | 'XRootD', RealServer> = {
  nginx: {
    ...installed(process.env.XYLEM_NGINX, '/usr/sbin/nginx'),
    settings: (folder, port, { files, server }) => `
      daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
        uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
        server {
          listen 127.0.0.1:${port}; root ${folder};
          ${server.join('\n')}
          location / {
            ${files.join('\n')}
          }
        }
      }`,
    args: (folder, path) => ['-c', path, '-e', `${folder}/log`],
  },
  Apache: {
    ...apache,
    settings: (folder, port, { files, server }) => `
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
      User #${NOBODY}
      Group #${NOBODY}
      ${server.join('\n')}
      <Directory ${folder}>
        ${files.join('\n')}
      </Directory>
      `,
    args: (folder, path) => ['-X', '-d', folder, '-f', path],
  },
  XRootD: {
    ...installed(process.env.XYLEM_XROOTD, '/usr/bin/xrootd'),
    unprivileged: true,
    settings: (folder, port, { files, server }) => `
      all.export / r/o
      oss.localroot ${folder}
      all.adminpath ${folder}/admin
      all.pidpath ${folder}/admin
      xrd.port ${port}
      xrd.protocol http:${port} libXrdHttp.so
      ${[...server, ...files].join('\n')}
      `,
    args: (folder, path) => ['-c', path, '-l', `${folder}/admin/log`],
  },
};

/** The certificate of an XRootD server, in PEM. */
interface Certificate {
  cert: string;
  key: string;
}

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
  {
    files = [],
    server: own = [],
    certificate,
    environment,
  }: Partial<ServerLines> & {
    certificate?: Certificate;
    environment?: Record<string, string> | undefined;
  } = {},
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-server-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'file.root');
  writeFileSync(path, file);
  const port = await freePort();
  const settings = join(folder, 'settings');
  // Its settings are lines of their own, which may not be indented everywhere.
  const tls = certificate ? [`xrd.tls ${folder}/.cert.pem ${folder}/.key.pem`, 'xrd.tlsca noverify'] : [];
  const text = server.settings(folder, port, { files, server: [...tls, ...own] });
  writeFileSync(settings, text.replace(/^ +/gm, ''));
  mkdirSync(join(folder, 'admin'));
  chmodSync(join(folder, 'admin'), 0o777);
  const someone = server.unprivileged && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  for (const name of ['cert', 'key'] as const) {
    if (!certificate) continue;
    writeFileSync(join(folder, `.${name}.pem`), certificate[name], { mode: 0o600 });
    if (someone.uid !== undefined) chownSync(join(folder, `.${name}.pem`), someone.uid, someone.gid);
  }
  const child: ChildProcess = spawn(server.program ?? '', server.args(folder, settings), {
    stdio: 'inherit',
    ...(environment && { env: { ...process.env, ...environment } }),
    ...someone,
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
