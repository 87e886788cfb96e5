// The servers of bench/fleet.mjs: an origin of a folder, and for each site a link to it and perhaps a cache.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, reachable, started } from './wan-links.mjs';

/**
 * @typedef {{ name: string, slots: number, latencyMs: number, mbitPerS: number }} FleetSite
 * @typedef {object} FleetServers
 * @property {string[]} urls for each site the address of the folder
 * @property {() => Promise<number>} bytes that came over all links since the last call
 * @property {() => Promise<void>} stop
 */

const here = resolve(import.meta.dirname);
const nginx = process.env.XYLEM_NGINX ?? '/usr/sbin/nginx';
const xrootd = process.env.XYLEM_XROOTD ?? '/usr/bin/xrootd';

/** The program of a server that is not on this machine; undefined if it is. @param {'nginx' | 'xrootd' | 'shaped'} kind */
export const missingServer = (kind) =>
  (kind === 'nginx' ? [nginx] : kind === 'xrootd' ? [xrootd] : []).find((path) => !existsSync(path));
/** Blocks of the caches, in bytes. */
export const BLOCK_BYTES = 128 * 1024;

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<void>} */
const ended = (child) =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    else {
      child.once('exit', () => done());
      child.kill();
    }
  });

/** @param {string} folder @param {string} name @param {string[]} lines */
async function startXrootd(folder, name, lines) {
  const port = await freePort();
  const own = join(folder, name);
  for (const part of ['', 'admin', 'kept']) {
    mkdirSync(join(own, part), { recursive: true });
    chmodSync(join(own, part), 0o777);
  }
  const settings = [
    `xrd.port ${port}`,
    'all.export / r/o',
    `all.adminpath ${own}/admin`,
    `all.pidpath ${own}/admin`,
    ...lines.map((line) => line.replaceAll('OWN', own)),
  ];
  writeFileSync(join(own, 'settings'), `${settings.join('\n')}\n`);
  // The server does not run as the superuser.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(xrootd, ['-c', join(own, 'settings'), '-l', join(own, 'admin/log')], {
    stdio: 'inherit',
    ...nobody,
  });
  await reachable(port);
  return { child, port };
}

/** @param {string} folder @param {string} data */
async function startNginx(folder, data) {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const settings = join(folder, 'nginx');
  writeFileSync(
    settings,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
    events { worker_connections 2048; }
    http { types { text/html html; text/javascript mjs; } ${temporary.join(' ')} access_log off; keepalive_requests 100000;
      server { listen 127.0.0.1:${port}; root ${data}; max_ranges 1024; } }`,
  );
  const child = spawn(nginx, ['-c', settings, '-e', join(folder, 'log')], { stdio: 'inherit' });
  await reachable(port);
  return { child, port };
}

/** A link to a server on this machine. @param {number} port @param {FleetSite} site */
async function startLink(port, { latencyMs, mbitPerS }) {
  const args = [join(here, 'link-proxy.mjs'), '127.0.0.1', String(port), String(latencyMs), String(mbitPerS)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const near = Number((await lines.next()).value);
  return {
    child,
    port: near,
    async bytes() {
      child.stdin.write('\n');
      return JSON.parse((await lines.next()).value).back;
    },
  };
}

/**
 * nginx or xrootd behind a link to each site; with `cached`, an XCache at each site.
 * @param {'nginx' | 'xrootd'} kind @param {boolean} cached
 * @param {string} folder @param {string} data @param {readonly FleetSite[]} sites @returns {Promise<FleetServers>}
 */
export async function realServers(kind, cached, folder, data, sites) {
  const origin =
    kind === 'nginx'
      ? await startNginx(folder, data)
      : await startXrootd(folder, 'origin', [`oss.localroot ${data}`]);
  const links = await Promise.all(sites.map((site) => startLink(origin.port, site)));
  /** @type {{ child: import('node:child_process').ChildProcess, port: number }[]} */
  const caches = [];
  for (const [i, link] of cached ? links.entries() : []) {
    // Without prefetching, which would bring whole files.
    const lines = [
      'ofs.osslib libXrdPss.so',
      'pss.cachelib libXrdPfc.so',
      `pss.origin 127.0.0.1:${link.port}`,
      'oss.localroot OWN/kept',
      `pfc.blocksize ${BLOCK_BYTES / 1024}k`,
      'pfc.ram 1g',
      'pfc.prefetch 0',
      'pfc.diskusage 0.99 0.995',
    ];
    caches.push(await startXrootd(folder, `cache${i}`, lines));
  }
  const near = cached ? caches : links;
  return {
    urls: near.map(({ port }) =>
      kind === 'nginx' ? `http://127.0.0.1:${port}/` : `root://127.0.0.1:${port}//`,
    ),
    async bytes() {
      let sum = 0;
      for (const link of links) sum += await link.bytes();
      return sum;
    },
    async stop() {
      for (const { child } of [...caches, ...links, origin]) await ended(child);
    },
  };
}

/**
 * A range server that delays by itself, one for each site.
 * @param {string} data @param {readonly FleetSite[]} sites @returns {Promise<FleetServers>}
 */
export async function shapedServers(data, sites) {
  /** @type {Awaited<ReturnType<typeof started>>[]} */
  const servers = [];
  for (const { latencyMs, mbitPerS } of sites) {
    const server = await started([join(here, 'range-server.mjs'), data]);
    await fetch(`${server.line}__set?rtt-ms=${latencyMs}&mbps=${mbitPerS}`);
    servers.push(server);
  }
  return {
    urls: servers.map(({ line }) => line),
    async bytes() {
      let sum = 0;
      for (const { line } of servers) {
        sum += (await (await fetch(`${line}__stats?reset`)).json()).bytes;
      }
      return sum;
    },
    async stop() {
      for (const { child } of servers) await ended(child);
    },
  };
}
