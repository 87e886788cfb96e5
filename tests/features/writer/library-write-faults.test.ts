import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileSink, memorySink, mergeRoot, openRoot, type Sink } from '../../../web/node';
import { type RangeServer, startRangeServer } from '../../servers/range-server';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
/** A file that is larger than what is read to open it, and another one. */
let plain: Uint8Array;
let changed: Uint8Array;
const base = mkdtempSync(join(tmpdir(), 'xylem-write-faults-'));
const input = join(base, 'in.root');
/** Only what is written lies here. */
const folder = join(base, 'out');
mkdirSync(folder);
let server: RangeServer;
beforeAll(async () => {
  const sink = memorySink();
  await mergeRoot([sample, sample, sample, sample, sample, sample], sink);
  plain = sink.bytes();
  changed = plain.map((byte, at) => (at > 1000 ? byte ^ 0x5a : byte));
  writeFileSync(input, plain);
  server = await startRangeServer(plain, { etag: '"1"' });
});
afterAll(async () => {
  await server.close();
  rmSync(base, { recursive: true });
});

type Write = (file: Awaited<ReturnType<typeof openRoot>>, sink: Sink) => Promise<unknown>;
const ways: [name: string, write: Write][] = [
  ['heal', (file, sink) => file.heal(sink)],
  ['rebasket', (file, sink) => file.heal(sink, { level: 'rebasket' })],
  ['skim', (file, sink) => file.skim(sink)],
  ['skim under a cut', (file, sink) => file.skim(sink, { cut: 'nMuon>1' })],
  ['merge', (file, sink) => mergeRoot([file, file], sink)],
  ['salvage', (file, sink) => file.salvage(sink)],
  [
    'export',
    (file, sink) => file.reader.writer.exportTree(file.info, { tree: 'Events', branches: ['Muon_pt'] }, sink),
  ],
];

describe.each(ways)('%s', (_name, write) => {
  test('a sink that fails first, in the middle or last leaves nothing', async () => {
    await using file = await openRoot(input, { workers: 0 });
    const target = join(folder, 'out.root');
    // The header is written last.
    const moments: ((at: number, writes: number) => boolean)[] = [
      (_, writes) => writes === 1,
      (_, writes) => writes === 2,
      (at) => at === 0,
    ];
    for (const isNow of moments) {
      const sink = fileSink(target);
      let writes = 0;
      const failing: Sink = {
        ...sink,
        write: (at, bytes) =>
          isNow(at, ++writes)
            ? Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
            : sink.write(at, bytes),
      };
      await expect(write(file, failing)).rejects.toMatchObject({ code: 'IO' });
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('an input that another file takes the place of is FILE_CHANGED, and nothing is left', async () => {
    server.faults = { etag: '"1"' };
    server.bytes = plain;
    await using file = await openRoot(server.url, { workers: 0, cache: false });
    server.faults = { etag: '"2"' };
    server.bytes = changed;
    await expect(write(file, fileSink(join(folder, 'out.root')))).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
    expect(readdirSync(folder)).toEqual([]);

    const path = join(base, 'cut.root');
    copyFileSync(input, path);
    await using local = await openRoot(path, { workers: 0 });
    // The same file, cut off.
    truncateSync(path, 400_000);
    const ended = write(local, fileSink(join(folder, 'out.root')));
    await expect(ended).rejects.toMatchObject({ code: expect.stringMatching(/FILE_CHANGED|TRUNCATED/) });
    rmSync(path);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('metadata that were read to open a file are not fetched again for a copy', async () => {
  server.faults = { etag: '"1"' };
  server.bytes = plain;
  await using file = await openRoot(server.url, { workers: 0, cache: false });
  await file.tree('Events');
  server.requests.length = 0;
  await file.skim(fileSink(join(folder, 'one.root')), {
    selection: { trees: ['Events'], branches: ['MET_pt'], objects: [] },
  });
  rmSync(join(folder, 'one.root'));
  // The baskets of the branch: 36 kB, in one request or, after slow answers, in a few. The metadata are 270 kB.
  const bytes = server.requests.flatMap(({ range }) =>
    [...(range ?? '').matchAll(/(\d+)-(\d+)/g)].map(([, from, to]) => Number(to) - Number(from) + 1),
  );
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(50_000);
});
