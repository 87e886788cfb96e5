import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FileInfo, SourceSpec } from '../../web/api/api';
import type { EngineApi, ReopenOptions } from '../../web/api/engine-api';
import { delay } from '../../web/base/abort';
import { WorkerLost } from '../../web/base/errors';
import { webEndpoint } from '../../workers/endpoint';
import { isRole } from '../../workers/role';
import { expose } from '../../workers/rpc';
import { keepSession, type SessionKeeper } from '../../workers/session-keeper';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

// A session whose worker is lost, hangs, or cannot be started. The workers run in this thread, and are real but for that.

const url: SourceSpec = { kind: 'url', url: 'http://x/a.root' };

/** How the next workers behave, and what they were asked for. */
let faults: ('absent' | 'crash' | 'hang' | undefined)[];
let asked: string[];
let workers: { crash(): void }[];
let repairs: number;
let keeper: SessionKeeper;
/** The engine of the next worker, in place of one that only lists what was asked. */
let engine: EngineApi | undefined;

function spawn(): Worker {
  const { port1, port2 } = new MessageChannel();
  const fault = faults.shift();
  const events = new EventTarget();
  const crash = () => {
    port2.close();
    events.dispatchEvent(new Event('error', { cancelable: true }));
  };
  workers.push({ crash });
  const near = port1 as unknown as Worker;
  if (fault === 'absent') setTimeout(crash);
  else {
    const answer = async (name: string, value: unknown) => {
      asked.push(name);
      if (name.startsWith('keys') && fault === 'crash') crash();
      return value;
    };
    const api = {
      open: async (source: SourceSpec, options: ReopenOptions = {}) =>
        answer(`open ${source.kind} ${options.as?.id ?? 'new'}`, { id: options.as?.id ?? 7 } as FileInfo),
      recover: async (id: number) => answer(`recover ${id}`, { id } as FileInfo),
      keys: async (id: number) => answer(`keys ${id}`, []),
      close: async (id: number) => answer(`close ${id}`, undefined),
      tree: (_id: number, _path: string, { signal }: { signal?: AbortSignal } = {}) => delay(60_000, signal),
    } as unknown as EngineApi;
    const far = webEndpoint(port2 as never);
    far.onMessage((message) => {
      if (isRole(message)) port2.postMessage('heard');
    });
    // A worker that hangs takes no message.
    if (fault !== 'hang') expose(far, engine ?? api);
  }
  return {
    postMessage: (message: unknown, transfer: Transferable[]) => near.postMessage(message, transfer),
    addEventListener: (type: string, listener: EventListener) =>
      (type === 'error' ? events : near).addEventListener(type, listener),
    removeEventListener: (type: string, listener: EventListener) =>
      (type === 'error' ? events : near).removeEventListener(type, listener),
    start: () => (port1 as unknown as { start(): void }).start(),
    terminate: () => port1.close(),
  } as unknown as Worker;
}

beforeEach(() => {
  faults = [];
  asked = [];
  workers = [];
  repairs = 0;
  engine = undefined;
  keeper = keepSession({
    spawn,
    sendable: async (source) => source,
    role: async () => {
      const modules = new MessageChannel().port1 as unknown as MessagePort;
      const module = {} as WebAssembly.Module;
      return { role: { xylemRole: 'session', module, modules, type: 'module' }, transfer: [modules] };
    },
    repair: async () => void repairs++,
    onLoss: () => {},
  });
});
afterEach(() => {
  keeper.end();
  vi.useRealTimers();
});

test('after a loss another worker opens the same files under the same ids', async () => {
  const { reader } = keeper;
  const { id } = await reader.open(url);
  await reader.recover(id);
  workers[0]?.crash();
  expect(await reader.keys(id)).toEqual([]);
  expect(asked).toEqual(['open url new', 'recover 7', 'open url 7', 'recover 7', 'keys 7']);
  // A file that was closed stays closed.
  await reader.close(id);
  workers[1]?.crash();
  await reader.keys(8);
  expect(asked.slice(-2)).toEqual(['close 7', 'keys 8']);
});

test('the engine of another worker gives the files the ids that they had', async () => {
  engine = await makeEngine();
  const { reader } = keeper;
  const source = bufferSpec('clusters', fixtureBytes('clusters'));
  const files = [await reader.open(source), await reader.open(source)];
  engine = await makeEngine();
  workers[0]?.crash();
  for (const { id } of files) expect((await reader.keys(id)).map(({ path }) => path)).toContain('t');
  const { id } = await reader.open(source);
  expect(files.map((file) => file.id)).not.toContain(id);
});

test('a file that was replaced before another worker opened it again is not read as the one that it was', async () => {
  engine = await makeEngine();
  const { reader } = keeper;
  const source = bufferSpec('clusters', fixtureBytes('clusters'));
  const { id } = await reader.open(source);
  engine = await makeEngine();
  Object.assign(source, bufferSpec('clusters', fixtureBytes('leaves')));
  workers[0]?.crash();
  for (let i = 0; i < 2; i++) await expect(reader.keys(id)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('a call during which the worker is lost is repeated once, and then fails', async () => {
  faults = ['crash', undefined];
  const { reader } = keeper;
  const { id } = await reader.open(url);
  expect(await reader.keys(id)).toEqual([]);
  faults = ['crash', 'crash'];
  workers[1]?.crash();
  await expect(reader.keys(id)).rejects.toBeInstanceOf(WorkerLost);
  expect(await reader.keys(id)).toEqual([]);
  expect(repairs).toBe(0);
});

test('a worker that cannot be started is repaired and started once more', async () => {
  faults = ['absent'];
  expect(await keeper.reader.open(url)).toMatchObject({ id: 7 });
  expect([workers.length, repairs]).toEqual([2, 1]);
  faults = ['absent', 'absent'];
  workers[1]?.crash();
  await expect(keeper.reader.keys(7)).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await keeper.reader.keys(7)).toEqual([]);
});

test('Cancel of a call ends a worker that does not answer, and what is next is done by another', async () => {
  faults = [undefined, undefined];
  const { id } = await keeper.reader.open(url);
  // A worker that answers is left alone.
  const first = new AbortController();
  const waiting = keeper.reader.tree(id, 't', { signal: first.signal });
  await delay(5);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  first.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  await vi.advanceTimersByTimeAsync(2100);
  vi.useRealTimers();
  expect(await keeper.reader.keys(id)).toEqual([]);
  expect(workers).toHaveLength(1);

  faults = ['hang', undefined];
  workers[0]?.crash();
  const second = new AbortController();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const stuck = keeper.reader.open(url, { signal: second.signal });
  const outcome = stuck.catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(100);
  second.abort();
  expect(await outcome).toMatchObject({ code: 'ABORTED' });
  await vi.advanceTimersByTimeAsync(4100);
  vi.useRealTimers();
  expect(await keeper.reader.open(url)).toMatchObject({ id: 7 });
  expect(workers).toHaveLength(3);
});

test('a worker that leaves six pings unanswered is replaced, and the call is repeated', async () => {
  faults = ['hang', undefined];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const opening = keeper.reader.open(url);
  await vi.advanceTimersByTimeAsync(36_000);
  vi.useRealTimers();
  expect(await opening).toMatchObject({ id: 7 });
  expect(workers).toHaveLength(2);
});
