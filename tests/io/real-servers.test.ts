import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SourceSpec, WholeSource } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { createByteReader } from '../../web/io/fetch/reader';
import { createHttpSource } from '../../web/io/http/http-source';
import type { Range } from '../../web/io/source';
import { lacks } from '../needs';
import { type RunningServer, realServers, type ServerLines, startRealServer } from '../servers/real-servers';
import { SENDERS } from './senders';

const root = resolve(import.meta.dirname, '../..');
const compiled = WebAssembly.compile(readFileSync(resolve(root, 'build/xylem.wasm')));
const tree = new Uint8Array(readFileSync(resolve(root, 'tests/fixtures/files/page/scattered.root')));

const file = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
const scattered: Range[] = Array.from({ length: 500 }, (_, i) => ({
  offset: 70_000 + i * 5000,
  length: 40 + (i % 50),
}));

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** Connections that are closed after three requests. */
const FEW_REQUESTS: Record<string, Partial<ServerLines>> = {
  nginx: { server: ['keepalive_requests 3;'] },
  Apache: { server: ['KeepAlive On', 'MaxKeepAliveRequests 3'] },
};

const all = Object.entries(realServers).flatMap(([name, server]) => {
  const version = server.version ?? 'not installed';
  const there = test.skipIf(lacks(name, server.program !== undefined));
  return SENDERS.map(([by, send]) => ({ name, version, server, there, by, send }));
});

async function readTree(reader: EngineApi, source: SourceSpec) {
  const info = await reader.open(source);
  const branches = [0, 3, 7, 9];
  const columns = await reader.arrays(info.id, { tree: 'events', branches });
  const some = await reader.arrays(info.id, { tree: 'events', branches, entries: [[10, 900]] });
  const { requests } = await reader.traceSummary(info.id);
  await reader.close(info.id);
  return { values: { columns, some }, requests };
}

describe.each(all)('$name, version $version, by $by', ({ name, server, there, send }) => {
  const openSource = async (spec: WholeSource) =>
    spec.kind === 'url' ? createHttpSource(spec.url, { send }) : openBrowserSource(spec);

  async function start(bytes = file, lines: Partial<ServerLines> = {}): Promise<string> {
    running = await startRealServer(server, bytes, lines);
    const answer = await fetch(running.url, { method: 'HEAD' });
    expect(answer.headers.get('server')?.toLowerCase()).toContain(name.toLowerCase());
    return running.url;
  }

  there(
    'the values of a file are those of the file on disk, again after a restart from the cache',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'xylem-'));
      const module = await compiled;
      const engine = () => createEngine({ module, openSource, store: () => createFolderStore({ folder }) });
      const local = await readTree(await engine(), {
        kind: 'buffer',
        buffer: tree.slice().buffer,
        name: 'scattered',
      });
      try {
        const url = await start(tree);
        const first = await readTree(await engine(), { kind: 'url', url });
        expect(first.values).toEqual(local.values);
        expect(first.requests).toBeGreaterThan(2);
        const again = await readTree(await engine(), { kind: 'url', url });
        expect(again.values).toEqual(local.values);
        expect(again.requests).toBe(1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  there('ranges, many ranges at once and the end of the file are the bytes of the file', async () => {
    const source = createHttpSource(await start(), { send });
    const reader = createByteReader(source);
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

  there('connections that are closed after three requests lose nothing', async () => {
    const url = await start(file, FEW_REQUESTS[name]);
    if (FEW_REQUESTS[name]) {
      const closed = [];
      for (let i = 0; i < 7; i++) {
        const answer = await fetch(url, { headers: { Range: 'bytes=0-9' } });
        await answer.arrayBuffer();
        closed.push(answer.headers.get('connection') === 'close');
      }
      expect(closed).toContain(true);
    }
    const source = createHttpSource(url, { retries: 1, backoffMs: 1, send });
    for (const { offset, length } of scattered.slice(0, 30)) {
      expect(await source.read(offset, length)).toEqual(file.subarray(offset, offset + length));
    }
    const together = scattered.slice(30, 130).map(async ({ offset, length }) => {
      const bytes = await source.read(offset, length);
      return Buffer.compare(bytes, file.subarray(offset, offset + length));
    });
    expect((await Promise.all(together)).every((difference) => difference === 0)).toBe(true);
  });

  there('a file that is replaced gives FILE_CHANGED', async () => {
    const reader = createByteReader(createHttpSource(await start(), { send }));
    await reader.read([{ offset: 0, length: 65_536 }]);
    writeFileSync(running?.path ?? '', file.slice(0, file.length - 1).reverse());
    await expect(reader.read(scattered)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    await expect(reader.read([{ offset: 2_900_000, length: 10 }])).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
  });
});

const { nginx } = realServers;
test.skipIf(lacks('nginx', nginx.program !== undefined))(
  'nginx that takes one range in one place is asked for several in the others',
  async () => {
    running = await startRealServer(nginx, file, {
      server: ['location /one/ { max_ranges 1; rewrite ^/one/(.*) /$1 break; }'],
    });
    const readAt = async (path: string): Promise<number> => {
      const source = createHttpSource(new URL(path, running?.url).href);
      const reader = createByteReader(source);
      await reader.read([{ offset: 0, length: 65_536 }]);
      const parts = await reader.read(scattered);
      const same = (bytes: Uint8Array, { offset, length }: Range): boolean =>
        Buffer.compare(bytes, file.subarray(offset, offset + length)) === 0;
      expect(parts.every((bytes, i) => same(bytes, scattered[i] as Range))).toBe(true);
      return source.maxParts ?? 0;
    };
    expect(await readAt('/one/file.root')).toBe(0);
    expect(await readAt('/file.root')).toBeGreaterThan(1);
    expect(await readAt('/one/file.root')).toBe(0);
  },
);
