import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntrySelection } from '../../../web/api/api';
import type { PlannedRequest } from '../../../web/api/engine-api';
import { estimateLink } from '../../../web/io/link';
import { memorySink, writeRoot } from '../../../web/node';
import { type SourceKind, xylemCost } from '../../../web/reads/planned';
import { openReader } from '../../engine-reader';
import { type Faults, type RangeServer, startRangeServer } from '../../servers/range-server';

// bench/promise.mjs makes the table of large files, links, root:// and disks.

const ENTRIES = 200_000;
const NAMES = Array.from({ length: 10 }, (_, i) => `x${i}`);
const folder = mkdtempSync(join(tmpdir(), 'xylem-promise-'));
/**
 * Two files of 16 MB that do not compress: in each cluster of 1 MB the branches one after another. The plans of the readings below
 * are the same for any latency from 5 to 70 ms, because a busy machine measures a longer one.
 */
const files: Record<string, Uint8Array<ArrayBuffer>> = {};

beforeAll(async () => {
  let seed = 1;
  const noise = () =>
    Float64Array.from({ length: ENTRIES }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed * 1.000_000_123 + Math.sin(seed);
    });
  const small = Int8Array.from(noise(), (value) => (value / 2 ** 20) & 0x7f);
  const columns = { ...Object.fromEntries(NAMES.map((name) => [name, noise()])), small };
  for (const kind of ['tree', 'ntuple'] as const) {
    const sink = memorySink();
    await writeRoot(sink, async (file) =>
      (await file[kind]('t', { clusterBytes: 1_000_000 })).append(columns),
    );
    files[kind] = sink.bytes();
    writeFileSync(join(folder, `${kind}.root`), sink.bytes());
  }
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Bytes of the answers to requests that the server got, and their number. */
function logged(server: RangeServer) {
  const ranges = server.requests.map(({ range = '', status }) =>
    status === 206 ? [...range.matchAll(/(\d+)-(\d+)/g)] : [],
  );
  const bytes = ranges.flat().reduce((sum, [, first, last]) => sum + Number(last) + 1 - Number(first), 0);
  return { requests: ranges.length, bytes };
}

const list = Float64Array.of(5, 60_000, 60_001, 150_000);
const READINGS: [name: string, names: string[], entries?: EntrySelection][] = [
  ['dense', NAMES],
  ['sparse', ['small']],
  ['sampled', ['x2', 'x7'], { fraction: 0.000_02 }],
  ['of a list of entries', ['x0', 'x5', 'x9'], list],
];
const SERVERS: [kind: SourceKind, faults: Partial<Faults>][] = [
  ['parts', {}],
  ['ranges', { multi: 'refuse' }],
];

describe.each(['tree', 'ntuple'])('the promise for a %s', (name) => {
  describe.each(SERVERS)('on a server of %s', (kind, faults) => {
    test.each(READINGS)('is what the server counts of a reading that is %s', async (_, names, entries) => {
      const server = await startRangeServer(files[name] as Uint8Array, {
        etag: '"a"',
        latencyMs: 5,
        ...faults,
      });
      const reader = await openReader({ workers: 0 });
      try {
        const info = await reader.open({ kind: 'url', url: server.url, cache: 'none' });
        const { path, branches } = await reader.tree(info.id, 't');
        const chosen = branches.filter((branch) => names.includes(branch.path)).map(({ index }) => index);
        const request = { tree: path, branches: chosen, entries, details: true };
        const link = estimateLink(await reader.trace(info.id));
        expect(link).toBeDefined();
        server.requests.length = 0;
        const promise = await xylemCost(
          { reader, info, request: { summarize: request }, kind },
          link as never,
        );
        expect(server.requests).toEqual([]);
        await reader.summarize(info.id, request);
        const { requests, bytes } = logged(server);
        expect(promise.calls).toBe(requests);
        expect(Math.abs(promise.bytes / bytes - 1)).toBeLessThan(0.02);
      } finally {
        reader.terminate();
        await server.close();
      }
    });
  });

  test('is what workers read of a local file, also by a drawing with a cut', async () => {
    const reader = await openReader({ workers: 1 });
    try {
      const info = await reader.open({ kind: 'path', path: join(folder, `${name}.root`) });
      const readings: PlannedRequest[] = [
        { summarize: { tree: 't', branches: ['x1', 'x6'], details: true } },
        { draw: { tree: 't', expr: 'x3', cut: 'x8>0', axes: [{ bins: 10, range: [0, 1] }] } },
      ];
      for (const request of readings) {
        const promise = await xylemCost(
          { reader, info, request, kind: 'local' },
          { latencyMs: 1, bytesPerMs: 1 },
        );
        const before = (await reader.trace(info.id)).length;
        if ('draw' in request) await reader.draw(info.id, request.draw);
        else await reader.summarize(info.id, request.summarize);
        const read = (await reader.trace(info.id)).slice(before).filter(({ origin }) => origin === 'disk');
        expect(promise.calls).toBe(read.length);
        expect(promise.bytes).toBe(read.reduce((sum, { got }) => sum + got, 0));
      }
    } finally {
      reader.terminate();
    }
  });
});
