import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realServers } from './real-servers';

// A redirector and data servers that register with it (Debian: xrootd-server has cmsd).

const NOBODY = 65_534;
const program = realServers.XRootD.program;
const manager = program && join(dirname(program), 'cmsd');
/** Whether a cluster can be started here. */
export const canCluster = manager !== undefined && existsSync(manager);

export interface Cluster {
  /** Address of the redirector; ends with "//". */
  url: string;
  ports: number[];
  /** Ends a data server at once. */
  kill(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a redirector on this machine, and one data server for each list of files. */
export async function startCluster(contents: readonly Record<string, Uint8Array>[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-cluster-'));
  chmodSync(folder, 0o755);
  const someone = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const children: ChildProcess[][] = [];
  const [meeting = 0, entry = 0, ...ports] = await Promise.all([0, 0, ...contents].map(() => freePort()));

  function start(name: string, lines: string[]): ChildProcess[] {
    const admin = join(folder, name, 'admin');
    mkdirSync(admin, { recursive: true });
    for (const path of [join(folder, name), admin]) {
      if (someone.uid !== undefined) chownSync(path, someone.uid, someone.gid);
    }
    const settings = join(folder, name, 'settings');
    const common = [
      `all.adminpath ${admin}`,
      `all.pidpath ${admin}`,
      `all.manager localhost:${meeting}`,
      'all.export / r/o',
      'cms.delay startup 1 lookup 1 servers 1 service 1',
      'cms.allow host *',
    ];
    writeFileSync(settings, [...common, ...lines, ''].join('\n'));
    const run = (path: string, log: string) =>
      spawn(path, ['-c', settings, '-n', name, '-l', join(admin, log)], { stdio: 'ignore', ...someone });
    return [run(manager ?? '', 'cms.log'), run(program ?? '', 'data.log')];
  }

  const port = (number: number) => ['if exec xrootd', `xrd.port ${number}`, 'fi'];
  children.push(start('redirector', ['all.role manager', ...port(entry)]));
  const written = Date.now() / 1000;
  for (const [i, files] of contents.entries()) {
    const data = join(folder, `data${i}`);
    mkdirSync(data, { mode: 0o755 });
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(data, path)), { recursive: true, mode: 0o755 });
      writeFileSync(join(data, path), bytes);
      // Each copy has the time at which it was copied.
      utimesSync(join(data, path), written, written - 60 * i);
    }
    const own = [
      'all.role server',
      `oss.localroot ${data}`,
      ...port(ports[i] ?? 0),
      'if exec cmsd',
      'xrd.port any',
      'fi',
    ];
    children.push(start(`server${i}`, own));
  }
  const end = async (some: readonly ChildProcess[]): Promise<void> => {
    await Promise.all(
      some.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = new Promise((done) => child.once('exit', done));
        child.kill('SIGKILL');
        await gone;
      }),
    );
  };
  return {
    url: `root://localhost:${entry}//`,
    ports,
    kill: async (index) => end(children[index + 1] ?? []),
    stop: async () => {
      await end(children.flat());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
