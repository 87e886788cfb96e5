import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { READER_METHODS } from '../../web/api/reader-methods';
import { openBrowserSource } from '../../web/engine/browser-source';
import { openReader, serveReader } from '../../web/node';
import { channelReader } from '../../workers/channel-reader';
import type { ReaderChannel } from '../../workers/json-channel';
import { twoEnds } from './two-ends';

// Another program, an older version, or a channel that damages what it carries: each call has an answer that says so.
const SAMPLE = join(import.meta.dirname, '../../public/sample.root');
const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
const openSource = async (spec: Parameters<typeof openBrowserSource>[0]) => openBrowserSource(spec);
type Answer = {
  id: number;
  xylem: string;
  value?: { id: string };
  error?: { code: string; message: string };
};

async function program(): Promise<ReaderChannel> {
  const { page, program: other } = twoEnds();
  const own = await openReader({ workers: 0 });
  const close = serveReader(other, own, () => ({ kind: 'path', path: SAMPLE }));
  ends.push(close, () => own.terminate());
  return page;
}

test('a program answers all malformed calls by typed errors that are not its own', async () => {
  const page = await program();
  const answers = new Map<number, Answer>();
  page.onMessage((message) => {
    const { value } = message as { value: Answer };
    answers.set(value.id, value);
  });
  let id = 0;
  const ask = (call: object): number => {
    page.post({ xylemPort: '', value: { xylem: 'call', id: ++id, ...call } }, []);
    return id;
  };
  const first = ask({ method: 'open', args: [{ kind: 'url', url: 'x' }] });
  await expect.poll(() => answers.has(first), { timeout: 10_000 }).toBe(true);
  const file = answers.get(first)?.value?.id;
  const asked = new Map<number, string>();
  const unreadable = { $: 'bigint', v: 'x' };
  const bad = [
    null,
    5,
    'x',
    [],
    { tree: 5 },
    { $: 'number', v: 'NaN' },
    unreadable,
    { $: 'Int8Array', v: 3 },
  ];
  const others = ['heal', 'merge', 'planHeal', 'map', 'doctor', 'nonsense', 'toString', 'constructor'];
  for (const method of [...Object.keys(READER_METHODS), ...others]) {
    for (const one of bad) {
      asked.set(ask({ method, args: [file, one] }), `${method}(file, ${JSON.stringify(one)})`);
      asked.set(ask({ method, args: [one] }), `${method}(${JSON.stringify(one)})`);
    }
    asked.set(ask({ method, args: 'no' }), `${method} with text`);
    asked.set(ask({ method }), `${method} without arguments`);
    asked.set(
      ask({ method, args: [file], options: { at: 9e9, signal: 1, progress: 1 } }),
      `${method}, options`,
    );
  }
  asked.set(ask({ method: unreadable, args: [] }), 'no name');
  await expect.poll(() => answers.size, { timeout: 20_000 }).toBe(id);
  const codes = [...asked].map(([one, what]) => [what, answers.get(one)?.error?.code ?? 'none']);
  expect(codes.filter(([, code]) => code === 'INTERNAL')).toEqual([]);
  const messages = [...answers.values()].map(({ error }) => error?.message ?? '');
  expect(messages).toContainEqual(expect.stringContaining('to a BigInt'));
  expect(messages).toContainEqual(expect.stringContaining('a buffer that it names did not come'));
  expect(messages).toContainEqual(expect.stringContaining('The arguments of open() from this viewer'));
}, 40_000);

test.each([
  ['a value that cannot be read', { xylem: 'result', value: { $: 'Int8Array', v: 0 } }],
  ['an error without a message', { xylem: 'error', error: null }],
])('an answer that is %s fails its call', async (_, answer) => {
  const { page, program: other } = twoEnds();
  other.onMessage((message) => {
    const { id } = (message as { value: { id: number } }).value;
    other.post({ xylemPort: '', value: { ...answer, id } }, []);
  });
  const reader = channelReader(page, { openSource });
  ends.push(() => reader.terminate());
  await expect(reader.open({ kind: 'url', url: 'x' })).rejects.toMatchObject({ code: 'CORRUPT' });
});

test.each([
  ['nothing', undefined, 'it was closed'],
  ['an error', new Error('EPIPE'), 'EPIPE'],
  ['an event', { type: 'close' }, 'it was closed'],
])('a channel that ends with %s in place of a text has ended', async (_, why, said) => {
  const { page, cut } = twoEnds();
  const reader = channelReader(page, { openSource });
  ends.push(() => reader.terminate());
  const waits = reader.open({ kind: 'url', url: 'x' });
  cut(why as unknown as string);
  await expect(waits).rejects.toMatchObject({ code: 'IO', message: expect.stringContaining(said) });
});
