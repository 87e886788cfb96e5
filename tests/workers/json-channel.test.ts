// Needs features: doctor, map, selectors, writer.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SourceSpec } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { engineOf } from '../../web/api/engine-api';
import { openBrowserSource } from '../../web/engine/browser-source';
import { memorySink, openReader, serveReader, type XylemReader } from '../../web/node';
import { channelReader } from '../../workers/channel-reader';
import { channelEndpoint, type ReaderChannel } from '../../workers/json-channel';
import { twoEnds } from './two-ends';

const FILES = join(import.meta.dirname, '../fixtures/files');
const SAMPLE = join(import.meta.dirname, '../../public/sample.root');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const openSource = async (spec: Parameters<typeof openBrowserSource>[0]) => openBrowserSource(spec);

async function served(open?: (address: string) => { kind: 'path'; path: string }) {
  const { page, program, bytes, cut } = twoEnds();
  const own: XylemReader = await openReader({ workers: 0 });
  const close = serveReader(program, own, open);
  const reader = channelReader(page, { openSource });
  ends.push(() => {
    close();
    reader.terminate();
    own.terminate();
  });
  return { reader, bytes, close, own, page, cut };
}

test('values that JSON has not arrive as they were sent, and ports join both sides', async () => {
  const { page, program } = twoEnds();
  const [a, b] = [channelEndpoint(page, 'a'), channelEndpoint(program, 'b')];
  ends.push(
    () => a.close(),
    () => b.close(),
  );
  const { port1, port2 } = new MessageChannel();
  const value = {
    numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0, 1.5, 2n ** 63n],
    nothing: undefined,
    $: 'a member of this name',
    map: new Map<unknown, unknown>([[1n, new Set([undefined, null])]]),
    floats: Float64Array.of(1, Number.NaN, 3).subarray(1),
    large: BigUint64Array.of(2n ** 64n - 1n),
    bytes: Uint8Array.of(7, 8).buffer,
    list: [undefined, 'text', true],
  };
  const got = await new Promise<typeof value & { port: MessagePort }>((done) => {
    b.onMessage((message) => done(message as never));
    a.post({ ...value, port: port2 }, [port2]);
  });
  const { port, ...rest } = got;
  expect(rest).toStrictEqual(value);
  const answer = new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
  });
  port.postMessage({ big: 5n, cells: Int16Array.of(-1) });
  expect(await answer).toStrictEqual({ big: 5n, cells: Int16Array.of(-1) });
  port1.close();
  for (const bad of [() => {}, new Blob(['x']), Symbol('s'), new DataView(new ArrayBuffer(1))])
    expect(() => a.post({ bad }, [])).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
});

test('ports that were closed at either end make room for others', async () => {
  const { page, program } = twoEnds();
  const [a, b] = [channelEndpoint(page, 'a'), channelEndpoint(program, 'b')];
  ends.push(
    () => a.close(),
    () => b.close(),
  );
  let came: (port: MessagePort) => void = () => {};
  b.onMessage((port) => came(port as MessagePort));
  for (let i = 0; i < 1500; i++) {
    const { port1, port2 } = new MessageChannel();
    const port = await new Promise<MessagePort>((done) => {
      came = done;
      a.post(port2, [port2]);
    });
    const closed = new Promise((done) => (i % 2 === 0 ? port : port1).addEventListener('close', done));
    (i % 2 === 0 ? port1 : port).close();
    await closed;
  }
}, 20_000);

test('a reader over a channel gives what the reader itself gives, and few bytes cross', async () => {
  const { reader, bytes, own } = await served(() => ({ kind: 'path', path: SAMPLE }));
  const there = await reader.open({ kind: 'url', url: 'the sample' });
  const here = await own.open({ kind: 'path', path: SAMPLE });
  const ids = [there.id, here.id] as const;
  const calls = [
    (id: typeof here.id, one: XylemReader) => one.keys(id),
    (id: typeof here.id, one: XylemReader) => one.tree(id, 'Events'),
    (id: typeof here.id, one: XylemReader) => one.object(id, 'plots/dimuonMass'),
    (id: typeof here.id, one: XylemReader) => one.draw(id, { tree: 'Events', expr: 'Muon_pt' }),
    (id: typeof here.id, one: XylemReader) =>
      engineOf(one).scan(id, { tree: 'Events', columns: 'nMuon', limit: 5 }),
  ];
  for (const call of calls) expect(await call(ids[0], reader)).toEqual(await call(ids[1], own));
  // The time of the report differs, and the lines of it that say how long something took.
  const doctors = await Promise.all([reader.insight.doctor(there), own.insight.doctor(here)]);
  expect(doctors[0].findings.map(({ rule }) => rule)).toEqual(doctors[1].findings.map(({ rule }) => rule));
  // The file has 150 kB, of which these calls read most.
  expect(bytes()).toBeLessThan(100_000);
  await expect(reader.keys('unknown' as never)).rejects.toMatchObject({ name: 'XylemError' });
});

test('a signal ends a call on the other side', async () => {
  const { reader } = await served(() => ({ kind: 'path', path: SAMPLE }));
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  const stop = new AbortController();
  const call = reader.draw(id, { tree: 'Events', expr: 'Muon_pt' }, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await reader.keys(id)).not.toHaveLength(0);
});

test('files of the page are read through the channel, alone and within a list', async () => {
  const { reader } = await served();
  const content = await readFile(SAMPLE);
  const blob = { kind: 'blob', blob: new Blob([content]), name: 'mine.root' } as const;
  const buffer = { kind: 'buffer', buffer: content.buffer.slice(0, 0), name: 'none' } as const;
  const one = await reader.open(blob);
  expect((await reader.tree(one.id, 'Events')).entries).toBe(2400);
  const two = await reader.open({ kind: 'chain', files: [{ source: blob }, { source: blob }] });
  expect((await reader.tree(two.id, 'Events')).entries).toBe(4800);
  await expect(reader.open(buffer)).rejects.toMatchObject({ name: 'XylemError' });
});

test('paths and addresses of other kinds are refused, unless the program gives them a source', async () => {
  const { reader } = await served();
  const sources: SourceSpec[] = [
    { kind: 'path', path: SAMPLE },
    { kind: 'url', url: `file://${SAMPLE}` },
    { kind: 'chain', files: [{ source: { kind: 'path', path: SAMPLE } }] },
  ];
  for (const source of sources) await expect(reader.open(source)).rejects.toMatchObject({ code: 'ARGUMENT' });
});

test('a file is written where the page says, by the program that reads', async () => {
  const { reader, own } = await served(() => ({ kind: 'path', path: join(FILES, 'page/long.root') }));
  const file = await reader.open({ kind: 'url', url: 'x' });
  const plan = await reader.writer.planSkim(file, { selection: { branches: ['x'] } });
  expect(plan).toBeDefined();
  const sink = memorySink();
  await reader.writer.skim(file, sink, { selection: { branches: ['x'] } });
  const copy = await own.open({ kind: 'buffer', buffer: sink.bytes().buffer, name: 'copy.root' });
  const tree = await own.tree(copy.id, 't');
  expect([tree.entries, tree.branches.map(({ name }) => name)]).toEqual([100_000, ['x']]);
});

test('the files of a viewer are closed with its channel', async () => {
  const { reader, close, own } = await served(() => ({ kind: 'path', path: SAMPLE }));
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  expect(await own.keys(id)).not.toHaveLength(0);
  close();
  await expect
    .poll(() =>
      own.keys(id).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
});

test('a viewer has the files that it opened, and runs no code', async () => {
  const { reader, own } = await served(() => ({ kind: 'path', path: SAMPLE }));
  const other = await own.open({ kind: 'path', path: join(FILES, 'leaves.root') });
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  const engine = reader as unknown as EngineApi;
  const friends = [{ file: other.id, tree: 'T' }];
  const draw = { tree: 'Events', expr: 'nMuon' };
  const module = 'data:text/javascript,globalThis.ran = true; export default {}';
  const calls: [string, () => Promise<unknown>, string][] = [
    ['keys', () => reader.keys(other.id), 'ARGUMENT'],
    ['bytes', () => engine.bytes(other.id, [{ offset: 0, length: 4 }]), 'ARGUMENT'],
    ['draw', () => reader.draw(id, { ...draw, friends }), 'ARGUMENT'],
    [
      'drawAll',
      () => reader.drawAll(id, { tree: 'Events', draws: [{ expr: 'nMuon' }], friends }),
      'ARGUMENT',
    ],
    ['map', () => reader.insight.map(other.id), 'ARGUMENT'],
    ['planSkim', () => reader.writer.planSkim(other, { selection: {} }), 'ARGUMENT'],
    ['close', () => reader.close(other.id), ''],
    ['process', () => reader.process(id, { tree: 'Events', module }), 'UNSUPPORTED'],
    ['clearCache', () => reader.clearCache(), 'UNSUPPORTED'],
    ['limitCache', () => reader.limitCache(1), 'UNSUPPORTED'],
  ];
  for (const [name, call, expected] of calls) {
    const code = await call().then(
      () => '',
      (error: { code: string }) => error.code,
    );
    expect(code, name).toBe(expected);
  }
  expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  // It is still open, and no other file gets its number.
  expect(await own.keys(other.id)).not.toHaveLength(0);
  const again = await reader.open({ kind: 'url', url: 'x' }, { as: other.id } as object);
  expect(again.id).not.toBe(other.id);
  expect((await own.tree(other.id, (await own.keys(other.id))[0]?.path ?? '')).entries).not.toBe(2400);
});

test('messages that cannot be read are passed over', async () => {
  const { page, program } = twoEnds();
  const own: XylemReader = await openReader({ workers: 0 });
  const close = serveReader(program, own, () => ({ kind: 'path', path: SAMPLE }));
  const reader = channelReader(page, { openSource });
  ends.push(
    close,
    () => reader.terminate(),
    () => own.terminate(),
  );
  const bad = [
    { $: 'Float64Array', v: 0 },
    { $: 'constructor', v: 0 },
    { $: 'bigint', v: 'x' },
    // To read it would take seconds.
    { $: 'bigint', v: '9'.repeat(10_000_000) },
    Array.from({ length: 2000 }, (_, i) => ({ $: 'port', v: `x${i}` })),
    { $: 'Map', v: 5 },
    { $: 'Set', v: null },
    { $: 'toString', v: 7 },
  ];
  const began = performance.now();
  const failures: unknown[] = [];
  const hear = (error: unknown): unknown => failures.push(error);
  process.on('uncaughtException', hear);
  for (const value of bad) page.post({ xylemPort: '', value }, [new ArrayBuffer(3)]);
  for (const value of bad) page.post({ xylemPort: 'none', value }, []);
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  expect(await reader.keys(id)).not.toHaveLength(0);
  expect(performance.now() - began).toBeLessThan(2000);
  process.off('uncaughtException', hear);
  expect(failures).toEqual([]);
});

const ENDED = {
  code: 'IO',
  message: 'The channel to the program that reads the files has ended: the kernel was stopped.',
  where: { breadcrumbs: ['reader channel'] },
  fix: expect.stringContaining('Start that program again'),
};

test('a channel that ends fails what waits, and all that is asked later', async () => {
  const { reader, cut, own, page } = await served(() => ({ kind: 'path', path: SAMPLE }));
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  const waits = [
    reader.keys(id),
    reader.draw(id, { tree: 'Events', expr: 'Muon_pt' }),
    reader.insight.map(id),
  ];
  cut('the kernel was stopped.');
  for (const call of waits) await expect(call).rejects.toMatchObject(ENDED);
  await expect(reader.open({ kind: 'url', url: 'y' })).rejects.toMatchObject(ENDED);
  // One that is made over the same channel later is told so, too.
  const later = channelReader(page, { openSource });
  ends.push(() => later.terminate());
  await expect(later.keys(id)).rejects.toMatchObject(ENDED);
  // The program closes the files of that side.
  await expect.poll(() => own.keys(id).catch(({ code }) => code)).toBe('ARGUMENT');
});

test('a channel that cannot send has ended', async () => {
  const { page, program } = twoEnds();
  const own: XylemReader = await openReader({ workers: 0 });
  let broken = false;
  const post: ReaderChannel['post'] = (...message) => {
    if (broken) throw new Error('EPIPE');
    page.post(...message);
  };
  const { onEnd: _, ...silent } = page;
  const close = serveReader(program, own, () => ({ kind: 'path', path: SAMPLE }));
  const reader = channelReader({ ...silent, post }, { openSource });
  ends.push(
    close,
    () => reader.terminate(),
    () => own.terminate(),
  );
  const { id } = await reader.open({ kind: 'url', url: 'x' });
  const waits = reader.draw(id, { tree: 'Events', expr: 'Muon_pt' });
  broken = true;
  await expect(reader.keys(id)).rejects.toMatchObject({
    code: 'IO',
    message: expect.stringContaining('EPIPE'),
  });
  await expect(waits).rejects.toMatchObject({ code: 'IO' });
});

test('a file of the page whose channel ends while it is read fails there, and is closed', async () => {
  const { reader, cut, own } = await served();
  const content = await readFile(SAMPLE);
  let reads = 0;
  const source = {
    ...{ name: 'mine.root', concurrency: 1 },
    info: () => ({ size: content.length }),
    read: (offset: number, length: number) => {
      // The last answer never comes.
      if (++reads > 1) return new Promise<never>(() => {});
      return Promise.resolve(new Uint8Array(content.subarray(offset, offset + length)));
    },
  };
  const opened = reader.open({ kind: 'source', source });
  await expect.poll(() => reads).toBeGreaterThan(1);
  cut('the window was closed');
  await expect(opened).rejects.toMatchObject({
    code: 'IO',
    message: expect.stringContaining('the window was closed'),
  });
  // The reader of the program goes on, and is not held up by that file.
  const { id } = await own.open({ kind: 'path', path: SAMPLE });
  expect(await own.keys(id)).not.toHaveLength(0);
});
