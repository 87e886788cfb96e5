// The links of bench/wan.mjs: a server of a folder on this machine, behind a link of a round trip and a bandwidth.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Links
 * @property {string} name what makes them
 * @property {(rtt: number, mbps: number) => Promise<string>} use the address of the folder over a link: ms, Mb/s
 * @property {() => void} stop
 */

const here = resolve(import.meta.dirname);

/** Starts a program that prints a line when it is ready. @param {string[]} args */
export async function started(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((done, failed) => {
    child.stdout.once('data', (text) => done(String(text).trim()));
    child.once('exit', () => failed(new Error(`${args[0]} ended`)));
  });
  return { child, line };
}

/** Over HTTP: the server itself delays. @param {string} data @returns {Promise<Links>} */
export async function httpLinks(data) {
  const { child, line } = await started([join(here, 'range-server.mjs'), data]);
  return {
    name: 'bench/range-server.mjs',
    async use(rtt, mbps) {
      await fetch(`${line}__set?rtt-ms=${rtt}&mbps=${mbps}`);
      return line;
    },
    stop: () => child.kill(),
  };
}

/**
 * Over root://: an XRootD server (Debian: xrootd-server) behind bench/link-proxy.mjs. `window` is the most bytes that
 * are on their way in one connection. If it is `traced`, it has a log.
 * @param {string} data @param {string} window @param {boolean} [traced]
 * @returns {Promise<Links & { log: () => [first: number, last: number][][] }>}
 */
export async function rootLinks(data, window, traced = false) {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
  const port = await freePort();
  const settings = join(folder, 'settings');
  const lines = [
    `xrd.port ${port}`,
    'all.export / r/o',
    `oss.localroot ${resolve(data)}`,
    `all.adminpath ${folder}/admin`,
    `all.pidpath ${folder}/admin`,
    ...(traced ? ['xrootd.trace all'] : []),
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  mkdirSync(join(folder, 'admin'), { mode: 0o777 });
  // The server does not run as the superuser.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (nobody.uid) for (const path of [folder, join(folder, 'admin')]) chmodSync(path, 0o777);
  let seen = 0;
  const program = process.env.XYLEM_XROOTD ?? 'xrootd';
  const server = spawn(program, ['-c', settings, '-l', join(folder, 'admin/log')], {
    stdio: 'inherit',
    ...nobody,
  });
  await reachable(port);
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let proxy;
  return {
    name: 'XRootD and bench/link-proxy.mjs',
    async use(rtt, mbps) {
      proxy?.kill();
      const args = ['127.0.0.1', String(port), String(rtt), String(mbps), window];
      const { child, line } = await started([join(here, 'link-proxy.mjs'), ...args]);
      proxy = child;
      return `root://127.0.0.1:${line}//`;
    },
    // The ranges that each read had since the last call.
    log() {
      const lines = readFileSync(join(folder, 'admin/log'), 'utf8').split('\n');
      /** @type {Map<string, [number, number][]>} */
      const reads = new Map();
      const own = lines.slice(seen);
      seen = lines.length - 1;
      for (const line of own) {
        // Each range of a vector is a line of its own, with the number of the request.
        const found = / (\S+) Xrootd_Protocol: (\w+) .*?\b(?:read|pgread|readV) (\d+)@(\d+)/.exec(line);
        if (!found) continue;
        const [, client, request, length, offset] = found;
        const isVector = line.includes('readV');
        const key = isVector ? `${client} ${request}` : String(reads.size);
        const ranges = reads.get(key) ?? [];
        ranges.push([Number(offset), Number(offset) + Number(length) - 1]);
        reads.set(key, ranges);
      }
      return [...reads.values()];
    },
    stop() {
      proxy?.kill();
      server.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      server.kill();
    },
  };
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** @param {number} port */
export async function reachable(port) {
  for (let tried = 0; tried < 200; tried++) {
    const open = await new Promise((done) => {
      const socket = connect({ host: '127.0.0.1', port }, () => done(true));
      socket.once('error', () => done(false)).once('connect', () => socket.destroy());
    });
    if (open) return;
    await sleep(50);
  }
  throw new Error('xrootd did not start');
}
