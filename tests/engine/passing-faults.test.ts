// Needs features: writer.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ArraysResult, DrawResult, FileId } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { tableCrc32 } from '../../web/base/crc32';
import { createFolderStore } from '../../web/cache/node-folder';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { memorySink, openRoot, writeRoot } from '../../web/node';
import { openReader } from '../engine-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';

// A server, or a proxy on the way, that gives wrong bytes for a moment, with right lengths and headers.

const build = (name: string) =>
  WebAssembly.compile(readFileSync(resolve(import.meta.dirname, `../../build/${name}.wasm`)));
const core = build('xylem');
let bytes: Uint8Array;
let folder: string;
let server: RangeServer;

/** A file whose baskets lie before what is read when it is opened, with checksums in all that is compressed. */
beforeAll(async () => {
  let seed = 1;
  const numbers = (count: number) =>
    Float32Array.from({ length: count }, () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    });
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      const tree = await file.tree('t', { clusterBytes: 200_000 });
      const ntuple = await file.ntuple('n', { clusterBytes: 200_000 });
      for (let i = 0; i < 4; i++) {
        const columns = { x: numbers(50_000), y: numbers(50_000) };
        await tree.append(columns);
        await ntuple.append(columns);
      }
    },
    { codec: 'zlib:1', name: 'faults.root', reproducible: true },
  );
  bytes = sink.bytes();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-faults-'));
  server = await startRangeServer(bytes, { etag: '"one"' });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function engine(): Promise<EngineApi> {
  const store = createFolderStore({ folder });
  return createEngine({ module: await core, openSource: openBrowserSource, store: () => store });
}

/** The result of a session of the file, and the ranges that it asked for. */
async function visit<T>(look: (reader: EngineApi, id: FileId) => Promise<T>, spoil?: () => void) {
  const reader = await engine();
  const before = server.requests.length;
  spoil?.();
  const { id } = await reader.open({ kind: 'url', url: server.url });
  try {
    const seen = await look(reader, id);
    return { seen, asked: server.requests.slice(before).map(({ range = '' }) => range) };
  } finally {
    await reader.close(id);
  }
}

/** Checksums of values, and what is missing. */
function sumsOf(results: ArraysResult[]) {
  return results.map(({ column, error }) => [
    column?.kind === 'primitive' ? tableCrc32(new Uint8Array(column.data.slice().buffer)) : 0,
    error,
  ]);
}

/** Bins, without sums, which depend on the order of addition. */
async function drawn(result: Promise<DrawResult>) {
  const drawing = await result;
  if (!('sums' in drawing)) throw new Error('a histogram is expected');
  const { sums, entries, partial } = drawing;
  return { sums, entries, partial };
}

const LOOKS: Record<string, (reader: EngineApi, id: FileId) => Promise<unknown>> = {
  'values of a tree': async (reader, id) =>
    sumsOf(await reader.arrays(id, { tree: 't', branches: ['x', 'y'] })),
  'a histogram of a branch': (reader, id) => drawn(reader.draw(id, { tree: 't', branch: 'x' })),
  'a histogram of an expression': (reader, id) => drawn(reader.draw(id, { tree: 't', expr: 'x+y' })),
  'rows that pass a cut': (reader, id) => reader.scan(id, { tree: 't', columns: 'x:y', cut: 'x>0.999' }),
  'a check of every basket': async (reader, id) => (await reader.check(id)).findings,
  'values of an RNTuple': async (reader, id) =>
    sumsOf(await reader.arrays(id, { tree: 'n', branches: ['x', 'y'] })),
  'a histogram of an RNTuple': (reader, id) => drawn(reader.draw(id, { tree: 'n', expr: 'x*y' })),
};

/** Bytes from another place, and a filler, in place of what was asked for. */
const WRONG: Record<string, (body: Uint8Array, offset: number) => Uint8Array> = {
  'bytes of another place': (body, offset) => {
    const from = Math.min(offset + 4096, bytes.length - body.length);
    return from === offset ? body.map((byte) => byte ^ 0x55) : bytes.subarray(from, from + body.length);
  },
  'a filler': (body) => body.map((_, i) => 60 + (i % 7)),
};

const truths = new Map<string, unknown>();
afterAll(() => truths.clear());

describe.each(Object.keys(LOOKS))('%s', (name) => {
  const look = LOOKS[name] as (reader: EngineApi, id: FileId) => Promise<unknown>;
  test.each(Object.keys(WRONG))('%s come once: they are read again, and never stay', async (kind) => {
    const { seen: truth } = await visit(look);
    rmSync(folder, { recursive: true, force: true });
    // Each byte after the head is wrong when it first comes: in keys, classes, records and baskets.
    const came = new Uint8Array(bytes.length).fill(1, 0, 65536);
    const alter = (body: Uint8Array, offset: number) => {
      const wrong = WRONG[kind]?.(body, offset) ?? body;
      const mixed = body.map((byte, i) => (came[offset + i] ? byte : (wrong[i] ?? byte)));
      came.fill(1, offset, offset + body.length);
      return mixed;
    };
    const faulty = await visit(look, () => {
      server.faults = { etag: '"one"', alter };
    });
    expect(faulty.seen).toEqual(truth);
    server.faults = { etag: '"one"' };
    const later = await visit(look);
    expect(later.seen).toEqual(truth);
    expect(later.asked).toEqual(['bytes=0-65535']);
  });
});

test('a copy of a file has no wrong records, because those that come once are read again', async () => {
  const reader = await openReader({ workers: 0 });
  const heal = async () => {
    await using file = await openRoot(server.url, { reader });
    const sink = memorySink();
    await file.heal(sink);
    return sink.bytes();
  };
  /** The findings in a copy, and checksums of its values. */
  const look = async (copy: Uint8Array) => {
    const { id } = await reader.open({ kind: 'buffer', buffer: copy.slice().buffer, name: 'copy.root' });
    const { findings } = await reader.check(id);
    return [findings, sumsOf(await reader.arrays(id, { tree: 't', branches: ['x', 'y'] }))];
  };
  const right = await look(await heal());
  let from = 0;
  server.faults = {
    etag: '"one"',
    alter: (body, offset) => {
      // The first read of baskets: its bytes are those of another place.
      if (offset === 0 || offset > 1_000_000 || from > 0) return body;
      from = offset;
      return bytes.subarray(offset + 4096, offset + 4096 + body.length);
    },
  };
  const copied = await look(await heal());
  expect(from).toBeGreaterThan(0);
  expect(copied).toEqual(right);
  reader.terminate();
});

test('a wrong head that comes once is read again', async () => {
  let first = true;
  const spoil = () => {
    server.faults = {
      etag: '"one"',
      alter: (body, offset) => {
        if (offset > 0 || !first) return body;
        first = false;
        return body.map((byte, i) => (i === 2 ? byte ^ 0x20 : byte));
      },
    };
  };
  const { seen } = await visit((reader, id) => reader.draw(id, { tree: 't', branch: 'x' }), spoil);
  expect(seen.partial).toBeUndefined();
  expect(first).toBe(false);
});

describe('bytes that stay wrong', () => {
  /** Spoils what lies in the middle of the file: baskets of the tree. */
  const middle = { from: 200_000, to: 300_000 };
  const spoilMiddle = (change: (byte: number) => number) => () => {
    server.faults = {
      etag: '"one"',
      alter: (body, offset) =>
        body.map((byte, i) => (offset + i >= middle.from && offset + i < middle.to ? change(byte) : byte)),
    };
  };
  const draw = (reader: EngineApi, id: FileId) =>
    reader.draw(id, { tree: 't', branch: 'x', bins: 10, range: [0, 1] });

  test('are read twice before the error, which says so, and are not kept', async () => {
    const { seen, asked } = await visit(
      draw,
      spoilMiddle(() => 0x5a),
    );
    const [error] = seen.partial?.errors ?? [];
    expect(error?.message).toContain('was read from the server twice, and was the same both times');
    const { offset = 0, length = 0 } = error?.where ?? {};
    const last = (range: string) => Number(range.split('-')[1]);
    const first = (range: string) => Number(/=(\d+)/.exec(range)?.[1]);
    const ofBasket = asked.filter((range) => first(range) < offset + length && last(range) >= offset);
    expect(ofBasket).toHaveLength(2);
    // Later the server is well: what was wrong is asked for again, and no more than that.
    server.faults = { etag: '"one"' };
    const later = await visit(draw);
    expect(later.seen.partial).toBeUndefined();
    expect(later.asked.length).toBeGreaterThan(1);
    expect((await visit(draw)).asked).toHaveLength(1);
  });

  test('are asked for anew by the next try, in the same session', async () => {
    const { seen } = await visit(
      async (reader, id) => {
        const before = await draw(reader, id);
        server.faults = { etag: '"one"' };
        return { before, after: await draw(reader, id) };
      },
      spoilMiddle(() => 0x5a),
    );
    expect(seen.before.partial?.failed).toBeGreaterThan(0);
    expect(seen.after.partial).toBeUndefined();
  });

  test('that are not the same both times are told apart from a damaged file', async () => {
    let turn = 0;
    const { seen } = await visit(
      draw,
      spoilMiddle(() => turn++ & 255),
    );
    expect(seen.partial?.errors[0]?.message).toContain(
      'was read from the server twice, and was not the same',
    );
    expect(seen.partial?.errors[0]?.fix).toContain('changes bytes');
  });
});

test('a server whose file is cut off at its end is TRUNCATED after one request, not a walk over all of it', async () => {
  const large = new Uint8Array(20_000_000);
  large.set(bytes);
  // fEND in the header and fSeekKeys in the root directory: both lie after what is there.
  const view = new DataView(large.buffer);
  const directory = view.getInt32(8) + view.getInt32(28);
  view.setInt32(12, large.length);
  view.setInt32(directory + 26, large.length - 500);
  server.bytes = large;
  server.faults = { etag: '"one"', sizeTold: large.length - 1000 };
  const reader = await engine();
  const opening = reader.open({ kind: 'url', url: server.url });
  await expect(opening).rejects.toMatchObject({
    code: 'TRUNCATED',
    message: expect.stringContaining('has 19999000 bytes, but its header says that it ends at byte 20000000'),
  });
  expect(server.requests.length).toBeLessThan(3);
});
