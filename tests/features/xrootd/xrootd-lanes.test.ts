import { afterEach, expect, test } from 'vitest';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import {
  CODE,
  frame,
  opened,
  READ,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';

const content = new Uint8Array(24_000_000).map((_, i) => (i * 7919) >> 7);
let server: ScriptedServer | undefined;
afterEach(async () => server?.close());

/** A server of which each connection answers a read 40 ms after the one before, as one with a small window does. */
async function slowly(
  later: 'same' | 'other file' | 'refused',
): Promise<{ url: string; used: Set<unknown> }> {
  const used = new Set<unknown>();
  const busy = new Map<unknown, number>();
  const seen = new Set<unknown>();
  server = await startScripted((asked) => {
    const { code, stream, socket, body } = asked;
    seen.add(socket);
    const first = seen.values().next().value === socket;
    if (!first && later === 'refused') {
      socket.destroy();
      return undefined;
    }
    if (!first && later === 'other file' && code === CODE.open) return [0, opened(content.length, 6)];
    // The read at the start goes with the opening.
    if (code !== READ || body.readInt32BE(12) < 1000) return usual(asked, content);
    used.add(socket);
    const at = Math.max(performance.now(), busy.get(socket) ?? 0) + 40;
    busy.set(socket, at);
    const answer = usual(asked, content);
    setTimeout(() => {
      if (answer && !socket.destroyed) socket.write(frame(stream, answer[0], answer[1]));
    }, at - performance.now());
    return undefined;
  });
  return { url: server.url, used };
}

test('a file is read over more connections while reads wait, which end with it', async () => {
  const { url, used } = await slowly('same');
  const source = createXrootdSource(url);
  expect(await source.read(0, 10)).toEqual(content.slice(0, 10));
  expect(server?.sockets.size).toBe(1);
  const [start, rest] = await Promise.all([source.read(0, 3_000_000), source.read(3_000_000, 30_000_000)]);
  expect(Buffer.compare(start, content.subarray(0, 3_000_000))).toBe(0);
  expect(Buffer.compare(rest, content.subarray(3_000_000))).toBe(0);
  expect(used.size).toBeGreaterThan(1);
  expect(used.size).toBeLessThanOrEqual(4);
  await source.close?.();
  await expect.poll(() => server?.sockets.size).toBe(0);
});

test.each(['other file', 'refused'] as const)(
  'a further connection that gives %s is not read from',
  async (later) => {
    const { url, used } = await slowly(later);
    const source = createXrootdSource(url, { silenceMs: 2000 });
    await source.read(0, 10);
    expect(Buffer.compare(await source.read(0, content.length), content)).toBe(0);
    expect(used.size).toBe(1);
    await source.close?.();
    await expect.poll(() => server?.sockets.size).toBe(0);
  },
);

test('reads that wait end with their signal, and with the file', async () => {
  const { url } = await slowly('refused');
  const source = createXrootdSource(url, { silenceMs: 2000 });
  await source.read(0, 10);
  const gone = source.read(0, 20_000_000, AbortSignal.timeout(30));
  await expect(gone).rejects.toMatchObject({ code: 'ABORTED' });
  const waiting = source.read(0, 20_000_000);
  setTimeout(() => source.close?.(), 60);
  await expect(waiting).rejects.toMatchObject({ code: 'IO' });
});
