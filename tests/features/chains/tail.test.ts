import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowserSource } from '../../../web/engine/browser-source';
import { createEngine } from '../../../web/engine/engine';
import { queryOf } from '../../../web/features/chains/work/draw-kind';
import { emptyPartial } from '../../../web/features/chains/work/partial';
import { readInputs } from '../../../web/features/chains/work/read-inputs';
import { LastTrees, tailOf } from '../../../web/model/tail';
import { memorySink, writeRoot } from '../../../web/node';
import { startRangeServer } from '../../servers/range-server';

const end = 5_000_000_000;
const nearEnd = {
  seekKeys: end - 9000,
  nbytesKeys: 2000,
  seekInfo: end - 7000,
  nbytesInfo: 6900,
  nbytesFree: 100,
  end,
};
const BEFORE = 256 * 1024;

test('keys and streamer infos at the end are read with the record before them', () => {
  const offset = end - 9000 - BEFORE;
  expect(tailOf(nearEnd)).toEqual([{ offset, length: end - offset }]);
});

test('what lies in free space far from the end is read alone', () => {
  const offset = end - 9000 - BEFORE;
  expect(tailOf({ ...nearEnd, seekInfo: 300 })).toEqual([
    { offset: 300, length: 6900 },
    { offset, length: end - offset },
  ]);
  expect(tailOf({ ...nearEnd, seekInfo: 300, seekKeys: 9000 })).toEqual([
    { offset: 9000, length: 2000 },
    { offset: 300, length: 6900 },
  ]);
});

test('long lists of keys are no gap', () => {
  const header = { ...nearEnd, seekKeys: end - 50_000_000, nbytesKeys: 49_990_000 };
  const offset = header.seekKeys - BEFORE;
  expect(tailOf(header)).toEqual([{ offset, length: end - offset }]);
});

test('what a damaged header says is not read, nor what lies after the end', () => {
  expect(tailOf({ ...nearEnd, seekInfo: 300, nbytesInfo: -5 })).toHaveLength(1);
  expect(tailOf({ ...nearEnd, seekInfo: end + 1, seekKeys: 0 })).toEqual([]);
  expect(tailOf({ ...nearEnd, end: 20_000, seekKeys: 10_000, seekInfo: 12_000 })).toEqual([
    { offset: 0, length: 20_000 },
  ]);
});

const MB = 1_000_000;
const tail = nearEnd.seekKeys;
/** Bytes that are read before the tail of `next` after a file with these records of trees. */
const beforeAfter = (records: [before: number, length: number][], next: Partial<typeof nearEnd> = {}) => {
  const last = new LastTrees();
  last.note(
    nearEnd,
    records.map(([before, length]) => ({ offset: tail - before, length })),
  );
  return last.before({ ...nearEnd, ...next });
};

test('after a file with a long record before its tail, as much is read of the next one', () => {
  const long: [number, number][] = [[4 * MB, 4 * MB]];
  expect(beforeAfter(long)).toBe(4.2 * MB);
  expect(beforeAfter(long, { end: end / 2 })).toBe(2.1 * MB);
  expect(beforeAfter(long, { end: 10 * end })).toBe(8.4 * MB);
  expect(beforeAfter([...long, [5 * MB, 1 * MB]])).toBe(5.25 * MB);
});

test('a file that is another teaches nothing, nor does one whose record lies elsewhere', () => {
  expect(beforeAfter([[4 * MB, 4 * MB]], { nbytesInfo: 6901 })).toBe(BEFORE);
  expect(beforeAfter([[4 * MB, 4 * MB]], { end: 1000 })).toBe(BEFORE);
  expect(beforeAfter([[BEFORE, 1000]])).toBe(BEFORE);
  // Baskets lie between, or the record is longer than anything that is read in advance.
  expect(beforeAfter([[4 * MB, 1 * MB]])).toBe(BEFORE);
  expect(beforeAfter([[20 * MB, 20 * MB]])).toBe(BEFORE);
  expect(beforeAfter([])).toBe(BEFORE);
  const last = new LastTrees();
  last.note({ ...nearEnd, seekKeys: 0, seekInfo: 0 }, [{ offset: 300, length: 400 }]);
  expect(last.far).toBe(false);
});

/** Columns with names that cannot be compressed, which make the record of a tree long. */
function longNames(): Record<string, Float32Array> {
  const noise = (i: number) => createHash('shake256', { outputLength: 8000 }).update(`${i}`).digest('hex');
  return Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${noise(i)}`, Float32Array.of(1)]));
}

const coreModule = () =>
  WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../../build/xylem.wasm')));

test('of all files of a list but the first, a tree with a long record is read in two requests', async () => {
  const sink = memorySink();
  await writeRoot(sink, async (file) => (await file.tree('t')).append(longNames()));
  const server = await startRangeServer(sink.bytes(), { etag: '"a"' });
  const engine = await createEngine({ module: await coreModule(), openSource: openBrowserSource });
  const opened = async (latencyMs = 0) => {
    server.faults.latencyMs = latencyMs;
    server.requests.length = 0;
    const { id } = await engine.open({ kind: 'url', url: server.url });
    const { branches } = await engine.tree(id, 't');
    await engine.close(id);
    return { branches: branches.length, requests: server.requests.length };
  };
  try {
    const [first, second, slow] = [await opened(), await opened(), await opened(60)];
    expect(first).toEqual({ branches: 40, requests: 3 });
    expect(second).toEqual({ branches: 40, requests: 2 });
    expect(slow).toEqual(second);
  } finally {
    await engine.end();
    await server.close();
  }
});

test('files of a list that are drawn several at once need two requests each but the first', async () => {
  const sink = memorySink();
  await writeRoot(sink, async (file) =>
    (await file.tree('t')).append({ x: Float32Array.of(1), ...longNames() }),
  );
  const server = await startRangeServer(sink.bytes(), { etag: '"a"' });
  const engine = await createEngine({ module: await coreModule(), openSource: openBrowserSource });
  const inputs = Array.from({ length: 6 }, (_, i) => ({ file: `${server.url}?${i}`, tree: 't' }));
  const result = emptyPartial('draw', queryOf({ tree: 't', expr: 'x', axes: [{ bins: 1, range: [0, 2] }] }));
  try {
    await readInputs(result, inputs, {
      jobs: 3,
      signal: new AbortController().signal,
      async open({ file }) {
        const info = await engine.open({ kind: 'url', url: file });
        // All files of this server are one, and no file counts twice.
        return { reader: engine, info: { ...info, uuid: file }, close: () => engine.close(info.id) };
      },
    });
    expect(result.failed).toEqual([]);
    expect(result.inputs).toHaveLength(6);
    expect(server.requests).toHaveLength(3 + 5 * 2);
  } finally {
    await engine.end();
    await server.close();
  }
});
