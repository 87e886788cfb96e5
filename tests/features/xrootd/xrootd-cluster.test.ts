import { afterEach, expect, test } from 'vitest';
import { listXrootdFolder } from '../../../web/features/xrootd/cli/folder';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { run } from '../../cli/support';
import { type RunningServer, realServers, startRealServer } from '../../servers/real-servers';
import { type Cluster, canCluster, startCluster } from '../../servers/xrootd-cluster';

const content = new Uint8Array(300_000).map((_, i) => (i * 7919) >> 5);
let cluster: Cluster | undefined;
let running: RunningServer | undefined;
afterEach(async () => {
  await cluster?.stop();
  await running?.stop();
  [cluster, running] = [undefined, undefined];
});

test.skipIf(!canCluster)(
  'a redirector with two data servers, one of which is killed while it is read from',
  async () => {
    const own = (name: string) => ({ '/both/f.root': content, [`/both/${name}.root`]: content.slice(0, 10) });
    cluster = await startCluster([own('a'), own('b')]);
    const { url, ports } = cluster;
    // Both have to have registered.
    await expect
      .poll(
        async () => {
          const found = await listXrootdFolder(`${url}both/`).catch(() => []);
          return found.map(({ name, size }) => `${name} ${size}`);
        },
        { timeout: 40_000, interval: 500 },
      )
      .toEqual(['a.root 10', 'b.root 10', 'f.root 300000']);
    const source = createXrootdSource(`${url}both/f.root`);
    expect(await source.read(0, 1000)).toEqual(content.slice(0, 1000));
    const used = (source as unknown as { connectedTo: string }).connectedTo;
    const index = ports.findIndex((port) => used.endsWith(`:${port}`));
    expect(index).toBeGreaterThanOrEqual(0);
    await cluster.kill(index);
    expect(await source.read(100_000, 50_000)).toEqual(content.slice(100_000, 150_000));
    await source.close?.();
  },
  90_000,
);

test.skipIf(realServers.XRootD.program === undefined)('ls prints a folder', async () => {
  running = await startRealServer(realServers.XRootD, content);
  const url = running.url.replace(/^http/, 'root').replace(/file\.root$/, '/');
  const reader = {} as Parameters<typeof run>[0];
  const { out, status } = await run(reader, 'ls', url, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(out).entries).toContainEqual({
    ...{ name: 'file.root', kind: 'file', size: content.length },
    ...{ modified: expect.stringMatching(/^\d{4}-/), url: `${url}file.root` },
  });
  expect(JSON.parse(out).entries).toContainEqual(expect.objectContaining({ name: 'admin', kind: 'folder' }));
  expect((await run(reader, 'ls', url)).out).toMatch(/^Name +Size +Modified\nadmin\/ /);
  const none = await run(reader, 'ls', `${url}not-there/`, '--json');
  expect(none.status).toBe(1);
  expect(JSON.parse(none.out)).toMatchObject({ code: 'NOT_FOUND' });
});

test.skipIf(realServers.XRootD.program === undefined)('probe tells what a server can do', async () => {
  running = await startRealServer(realServers.XRootD, content, {
    server: ['xrootd.chksum max 2 adler32'],
  });
  const url = running.url.replace(/^http/, 'root').replace(/(:\d+)\//, '$1//');
  const reader = {} as Parameters<typeof run>[0];
  const { out, status } = await run(reader, 'probe', url, '--json');
  expect(status).toBe(0);
  const { facts, checks, ok } = JSON.parse(out);
  expect(ok).toBe(true);
  expect(facts).toMatchObject({
    ...{ version: `v${realServers.XRootD.version}`, redirects: false, encrypted: false, logins: [] },
    ...{ size: content.length, vectorParts: 1024, vectorBytes: 2_097_136, checkedReads: true },
    checksum: `adler32 ${adler32(content)}`,
  });
  expect(facts.roundTrip).toBeGreaterThan(0);
  expect(facts.throughput).toBeGreaterThan(0);
  expect(checks.find(({ id }: { id: string }) => id === 'tls')).toMatchObject({ state: 'poor' });
  expect((await run(reader, 'probe', url)).out).toContain('Vectors of reads');
});

function adler32(bytes: Uint8Array): string {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b * 65_536 + a) >>> 0).toString(16).padStart(8, '0');
}
