import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { tableCrc32c } from '../../../web/base/crc32';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { openRoot } from '../../../web/node';
import {
  type Asked,
  CODE,
  frame,
  int,
  opened,
  PGREAD,
  READ,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';
import { codes, content, NO_STATE, openQuietly, serve, servers } from './scripted-content';

// Servers may do good and bad things: no hang, no wrong byte, typed errors.
describe('opening', () => {
  test('goes with the first read in one packet', async () => {
    const server = await serve(() => undefined);
    const source = createXrootdSource(server.url);
    expect(await source.read(0, 4096)).toEqual(content.slice(0, 4096));
    expect(server.packets).toBe(1);
    expect(codes(server)).toEqual([CODE.protocol, CODE.login, CODE.open, CODE.query, READ]);
    expect(source.info()).toEqual({ size: content.length, validator: 'mtime 5' });
    // The bytes that came with the opening are given away once.
    expect(await source.read(0, 4096)).toEqual(content.slice(0, 4096));
    expect(server.packets).toBe(2);
    await source.close?.();
  });

  test('an answer begins with its first bytes, long before its last', async () => {
    const events: string[] = [];
    let sendRest = () => {};
    const server = await serve((asked) => {
      if (asked.code === CODE.stat) return NO_STATE;
      if (asked.code !== READ || asked.body.readInt32BE(12) !== 50_000) return undefined;
      const whole = frame(asked.stream, 0, content.subarray(0, 50_000));
      asked.socket.write(whole.subarray(0, 100));
      sendRest = () => {
        events.push('rest');
        asked.socket.write(whole.subarray(100));
        sendRest = () => {};
      };
      // A reader that waits for the whole answer would begin only after the rest.
      setTimeout(() => sendRest(), 1000);
      return 'none';
    });
    const source = await openQuietly(server.url);
    const bytes = await source.read(0, 50_000, undefined, () => {
      events.push('begun');
      sendRest();
    });
    expect(events).toEqual(['begun', 'rest']);
    expect(bytes).toEqual(content.slice(0, 50_000));
    await source.close?.();
  });

  test('two round trips lead from an address to a tree', async () => {
    const file = resolve(import.meta.dirname, '../../fixtures/files/page/scattered.root');
    const bytes = new Uint8Array(readFileSync(file));
    const server = await serve((asked) => usual(asked, bytes));
    const root = await openRoot(server.url, { workers: 0 });
    const [key] = (await root.keys()).filter(({ kind }) => kind === 'tree');
    const tree = await root.tree(key?.path ?? '');
    expect(tree.info.entries).toBeGreaterThan(0);
    expect(server.packets).toBe(2);
    await root.close();
  });

  test('a first read past the end has the bytes up to it', async () => {
    const server = await serve(() => undefined);
    const source = createXrootdSource(server.url);
    expect(await source.read(content.length - 5, 100)).toEqual(content.slice(-5));
    expect(server.packets).toBe(1);
    await source.close?.();
    await expect(createXrootdSource(server.url).read(content.length, 1)).rejects.toMatchObject({
      code: 'TRUNCATED',
    });
  });

  test('bytes for a handle that the server did not give are read again', async () => {
    const server = await serve(({ code, body }) => {
      if (code === CODE.open) return [0, opened(content.length, 5, 7)];
      if (code === READ && body.readInt32BE(0) === 0) return [0, new Uint8Array(10).fill(255)];
      return undefined;
    });
    const source = createXrootdSource(server.url);
    expect(await source.read(0, 10)).toEqual(content.slice(0, 10));
    await source.close?.();
  });

  test('credentials go the long way, which the next file of the server takes at once', async () => {
    const server = await serve(({ code, data }, { asked }) => {
      if (code === CODE.login) return [0, Buffer.concat([Buffer.alloc(16), Buffer.from('&P=unix\0')])];
      if (code === CODE.auth)
        return data.toString().startsWith('unix\0') ? [0, Buffer.alloc(0)] : [4003, int(3010)];
      const isIn = asked.some((one) => one.code === CODE.auth);
      return isIn || code === CODE.protocol ? undefined : [4003, int(3006, 'not authenticated')];
    });
    for (const packets of [5, 4]) {
      server.packets = 0;
      const source = createXrootdSource(server.url);
      expect(await source.read(0, 10)).toEqual(content.slice(0, 10));
      expect(server.packets).toBe(packets);
      await source.close?.();
      await expect.poll(() => server.sockets.size).toBe(0);
    }
  });

  test('a server that ends the connection at a second request is asked step by step', async () => {
    const server = await serve(({ code, socket }, { asked }) => {
      if (code !== CODE.protocol || asked.length > 1) return undefined;
      // The requests that were sent with it are lost.
      socket.end(frame(1, 0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])));
      return 'none';
    });
    const source = createXrootdSource(server.url);
    expect(await source.read(0, 10)).toEqual(content.slice(0, 10));
    await source.close?.();
  });

  test('a token in the address does not leave before the server could ask for encryption', async () => {
    const server = await serve(({ code }) =>
      code === CODE.protocol ? [0, Buffer.from([0, 0, 5, 17, 0xc0, 0, 0, 1])] : undefined,
    );
    await expect(
      createXrootdSource(`${server.url}?authz=secret`, { silenceMs: 300 }).read(0, 10),
    ).rejects.toMatchObject({ code: expect.stringMatching(/TIMEOUT|NETWORK/) });
    expect(server.asked.map(({ data }) => data).join()).not.toContain('secret');
    expect(codes(server)).not.toContain(CODE.open);
  });
});

describe('reads with checksums', () => {
  /** An answer to one, in parts of two pages. `spoil` changes the bytes of a page after its checksum was made. */
  function answer(asked: Asked, spoil: (page: Buffer) => void): void {
    let offset = Number(asked.body.readBigInt64BE(4));
    const end = offset + asked.body.readInt32BE(12);
    while (offset < end) {
      const head = Buffer.alloc(24);
      head.writeBigInt64BE(BigInt(offset), 16);
      const pages: Buffer[] = [];
      for (let i = 0; i < 2 && offset < end; i++) {
        const until = Math.min(end, 4096 * (Math.floor(offset / 4096) + 1));
        const page = Buffer.from(content.subarray(offset, until));
        const sum = Buffer.alloc(4);
        sum.writeUInt32BE(tableCrc32c(page));
        spoil(page);
        pages.push(sum, page);
        offset = until;
      }
      const data = Buffer.concat(pages);
      head.writeUInt16BE(asked.stream, 4);
      head[6] = 30;
      head[7] = offset < end ? 1 : 0;
      head.writeInt32BE(data.length, 12);
      head.writeUInt32BE(tableCrc32c(head.subarray(4)));
      asked.socket.write(Buffer.concat([frame(asked.stream, 4007, head), data]));
    }
  }
  const serveChecked = (spoil: (page: Buffer) => void) =>
    serve((asked) => {
      if (asked.code === CODE.protocol) return [0, Buffer.from([0, 0, 5, 17, 0, 0x20, 0, 1])];
      if (asked.code !== PGREAD) return undefined;
      answer(asked, spoil);
      return 'none';
    });
  const reads = (server: ScriptedServer) =>
    server.asked
      .filter(({ code }) => code === PGREAD)
      .map(({ body }) => [Number(body.readBigInt64BE(4)), body.readInt32BE(12)]);

  test('are joined from parts, and pages that came damaged are read again', async () => {
    let pages = 0;
    const server = await serveChecked((page) => {
      if (++pages === 3) page[7] = (page[7] ?? 0) ^ 1;
    });
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    expect(await source.read(100, 20_000)).toEqual(content.slice(100, 20_100));
    expect(reads(server)).toEqual([
      [100, 20_000],
      [8192, 4096],
    ]);
    await source.close?.();
  });

  test('that stay damaged are an error', async () => {
    const server = await serveChecked((page) => page.fill(1));
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    await expect(source.read(100, 50)).rejects.toMatchObject({ code: 'CHECKSUM' });
    expect(reads(server)).toHaveLength(3);
    await source.close?.();
  });
});

describe('a server that answers as it likes', () => {
  test('waits are waited for, and a lost connection is made again', async () => {
    let [waited, lost] = [0, 0];
    const server = await serve(({ code, body, socket }) => {
      if (code === CODE.open && waited++ === 0) return [4005, int(0)];
      if (code !== READ || Number(body.readBigInt64BE(4)) === 0 || lost++ > 0) return undefined;
      socket.destroy();
      return 'none';
    });
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    expect(await source.read(50, 10)).toEqual(content.slice(50, 60));
    // Opened with a wait, and once more after the loss; the read that was lost was sent again.
    expect([waited, lost]).toEqual([3, 2]);
    await source.close?.();
  });

  test('a wait ends when the file is closed', async () => {
    const server = await serve(({ code }) => (code === CODE.open ? [4005, int(30)] : undefined));
    const source = createXrootdSource(server.url);
    const read = source.read(0, 5);
    const refused = expect(read).rejects.toMatchObject({ code: 'IO' });
    await new Promise((go) => setTimeout(go, 100));
    const started = performance.now();
    await source.close?.();
    await refused;
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('late answers, answers in parts and out of order find their requests', async () => {
    const held: Asked[] = [];
    const server = await serve((asked) => {
      if (asked.code !== READ || Number(asked.body.readBigInt64BE(4)) === 0) return undefined;
      held.push(asked);
      asked.socket.write(frame(asked.stream, 4006, int(5)));
      if (held.length === 4) {
        for (const one of held.reverse()) {
          const [, data = new Uint8Array(0)] = usual(one, content) ?? [];
          one.socket.write(frame(one.stream, 4000, data.subarray(0, 3)));
          const late = frame(one.stream, 0, data.subarray(3));
          one.socket.write(frame(0, 4001, Buffer.concat([int(5008), int(0), late])));
        }
      }
      return 'none';
    });
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    const got = await Promise.all([1, 2, 3, 4].map((i) => source.read(1000 * i, 10)));
    for (const [i, bytes] of got.entries())
      expect(bytes).toEqual(content.slice(1000 * (i + 1), 1000 * (i + 1) + 10));
    await source.close?.();
  });

  test('a server that announces a late answer is given that time', async () => {
    const server = await serve(({ code, stream, socket }) => {
      if (code !== CODE.open) return undefined;
      socket.write(frame(stream, 4006, int(5)));
      const late = frame(stream, 0, opened(content.length));
      setTimeout(() => socket.write(frame(0, 4001, Buffer.concat([int(5008), int(0), late]))), 600);
      return 'none';
    });
    const source = createXrootdSource(server.url, { silenceMs: 400 });
    expect(await source.read(0, 5)).toEqual(content.slice(0, 5));
    await source.close?.();
  });

  test('a late answer that was announced for ten minutes and never comes is given up soon, and once', async () => {
    const server = await serve(({ code, stream, socket }) => {
      if (code !== READ) return undefined;
      socket.write(frame(stream, 4006, int(600)));
      return 'none';
    });
    const source = createXrootdSource(server.url, { silenceMs: 100 });
    const started = performance.now();
    await expect(source.read(0, 5)).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('its answer comes later'),
      fix: expect.stringContaining('later'),
    });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(codes(server).filter((code) => code === READ)).toHaveLength(1);
    await source.close?.();
  });

  test('silence is told after three seconds, while it is waited for', async () => {
    const timers: NodeJS.Timeout[] = [];
    const server = await serve(({ code, stream, socket, body }) => {
      if (code === CODE.stat) return NO_STATE;
      if (code !== READ || Number(body.readBigInt64BE(4)) === 0) return undefined;
      socket.write(frame(stream, 4006, int(600)));
      timers.push(setTimeout(() => socket.write(frame(stream, 0, content.subarray(9, 14))), 3500));
      return 'none';
    });
    const source = await openQuietly(server.url);
    expect(source.trouble?.()).toBeUndefined();
    const reading = source.read(9, 5);
    await new Promise((go) => setTimeout(go, 2000));
    expect(source.trouble?.()).toBeUndefined();
    await vi.waitFor(() => expect(source.trouble?.()?.silentMs).toBeGreaterThan(3000), 10_000);
    expect(await reading).toEqual(content.slice(9, 14));
    expect(source.trouble?.()).toBeUndefined();
    await source.close?.();
  });

  test('a server that sends a byte now and then, or announces again and again, is given up', async () => {
    const timers: NodeJS.Timeout[] = [];
    try {
      for (const how of ['bytes', 'announcements']) {
        const server = await serve(({ code, stream, socket }) => {
          if (code !== READ) return undefined;
          const answer = frame(stream, 0, content.subarray(0, 1000));
          if (how === 'bytes') socket.write(answer.subarray(0, 8));
          let sent = 8;
          const write = () => {
            if (socket.destroyed) return;
            if (how === 'bytes') socket.write(answer.subarray(sent, ++sent));
            else socket.write(frame(stream, 4006, int(0)));
          };
          timers.push(setInterval(write, 20));
          return 'none';
        });
        const source = createXrootdSource(server.url, { silenceMs: 100 });
        await expect(source.read(5, 1000), how).rejects.toMatchObject({
          code: 'TIMEOUT',
          message: expect.stringContaining('nearly silent'),
        });
        await source.close?.();
      }
    } finally {
      for (const timer of timers) clearInterval(timer);
    }
  });

  test('a slow server that goes on is waited for', async () => {
    const long = new Uint8Array(1_000_000).map((_, i) => i >> 3);
    const server = await serve(({ code, stream, socket, body }) => {
      if (code === CODE.open) return [0, opened(long.length)];
      if (code === CODE.stat) return NO_STATE;
      if (code !== READ || Number(body.readBigInt64BE(4)) === 0) return undefined;
      void (async () => {
        const answer = frame(stream, 0, long.subarray(1));
        for (let at = 0; at < answer.length; at += 25_000) {
          socket.write(answer.subarray(at, at + 25_000));
          await new Promise((go) => setTimeout(go, 10));
        }
      })();
      return 'none';
    });
    const source = await openQuietly(server.url, { silenceMs: 100 });
    expect(await source.read(1, long.length - 1)).toEqual(long.subarray(1));
    await source.close?.();
  });

  test('a redirect to an IPv6 address is followed', async ({ skip }) => {
    const there = await startScripted((asked) => usual(asked, content), undefined, '::1').catch(() => skip());
    servers.push(there);
    for (const [port, text] of [
      [there.port, '[::1]'],
      [there.port, '::1'],
      [-1, `root://[::1]:${there.port}//f.root`],
    ] as const) {
      const server = await serve(({ code }) => (code === CODE.open ? [4004, int(port, text)] : undefined));
      const source = createXrootdSource(server.url);
      expect(await source.read(5, 100), text).toEqual(content.slice(5, 105));
      await source.close?.();
    }
  });

  test('a server that wants signatures of requests is named as such', async () => {
    const open = 10;
    for (const [needs, refuses] of [
      [[2, 0], true],
      [[0, 1, open, 2], true],
      [[1, 0], false],
      [[4, 1, open, 1], false],
    ] as const) {
      const security = [0x53, 0, 0, 2, ...needs];
      const server = await serve(({ code }) =>
        code === CODE.protocol ? [0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1, ...security])] : undefined,
      );
      const source = createXrootdSource(server.url);
      const found = await source.read(0, 5).catch((thrown: unknown) => thrown);
      if (refuses) expect(found).toMatchObject({ code: 'UNSUPPORTED', message: /kXR_sigver/ });
      else expect(found).toEqual(content.slice(0, 5));
      await source.close?.();
    }
  });

  test('a server that answers without end, or asks to wait without end, is given up', async () => {
    const waiting = await serve(({ code }) => (code === CODE.open ? [4005, int(0)] : undefined));
    await expect(createXrootdSource(waiting.url).read(0, 5)).rejects.toMatchObject({
      message: expect.stringContaining('again and again'),
    });
    const endless = await serve(({ code, body, stream, socket }) => {
      if (code !== READ || Number(body.readBigInt64BE(4)) === 0) return undefined;
      for (let i = 0; i < 5; i++) socket.write(frame(stream, 4000, Buffer.alloc(50_000)));
      return 'none';
    });
    const source = createXrootdSource(endless.url);
    await source.read(0, 5);
    await expect(source.read(10, 10)).rejects.toMatchObject({
      message: expect.stringContaining('more than'),
    });
    await source.close?.();
  });

  /** The outcome of a read of 3,000 bytes where the server writes `answer` in place of its own one. */
  async function readOf(answer: (asked: Asked) => Uint8Array): Promise<unknown> {
    const server = await serve((asked) => {
      if (asked.code === CODE.stat) return NO_STATE;
      if (asked.code !== READ || Number(asked.body.readBigInt64BE(4)) === 0) return undefined;
      asked.socket.write(answer(asked));
      return 'none';
    });
    const source = await openQuietly(server.url);
    const found = await source.read(1000, 3000).catch((thrown: unknown) => thrown);
    await source.close?.();
    return found;
  }
  const refused = (what: string) => ({ code: 'NETWORK', message: expect.stringContaining(what) });

  test('single bytes are joined, and parts without bytes count as what they take', async () => {
    const data = content.subarray(1000, 4000);
    const parts = ({ stream }: Asked) => [...data].map((byte) => frame(stream, 4000, Uint8Array.of(byte)));
    const joined = await readOf((asked) => Buffer.concat([...parts(asked), frame(asked.stream, 0)]));
    expect(joined).toEqual(data);
    const empty = await readOf(({ stream }) => {
      const none = Array.from({ length: 10_000 }, () => frame(stream, 4000));
      return Buffer.concat([...none, frame(stream, 0, data)]);
    });
    expect(empty).toMatchObject(refused('more than was asked for'));
  });

  test('an answer that claims to be longer than was asked for is not waited for', async () => {
    for (const kind of ['plain', 'late']) {
      const claims = await readOf(({ stream }) => {
        const head = frame(stream, 0);
        head.writeInt32BE(50_000_000, 4);
        if (kind === 'plain') return head;
        const late = frame(0, 4001, Buffer.concat([int(5008), int(0), head]));
        late.writeInt32BE(50_000_016, 4);
        return late;
      });
      expect(claims, kind).toMatchObject(refused('more than was asked for'));
    }
  });

  test('answers that nobody asked for keep no read alive', async () => {
    const stray = await readOf(({ stream }) => {
      const one = frame(stream + 1000, 0, Buffer.alloc(40_000));
      return Buffer.concat([one, one]);
    });
    expect(stray).toMatchObject(refused('what nobody asked for'));
    const messages = await readOf(() =>
      Buffer.concat(Array.from({ length: 7000 }, () => frame(0, 4001, int(5002, 'hello')))),
    );
    expect(messages).toMatchObject(refused('what nobody asked for'));
  });

  test('a late answer of another length than it claims is none', async () => {
    const data = content.subarray(1000, 4000);
    const found = await readOf(({ stream }) => {
      const short = frame(stream, 0, data.subarray(1));
      short.writeInt32BE(data.length, 4);
      const late = frame(stream, 0, data);
      return Buffer.concat(
        [short, late].map((one) => frame(0, 4001, Buffer.concat([int(5008), int(0), one]))),
      );
    });
    expect(found).toEqual(data);
  });

  test('servers that redirect to one another are followed no more than sixteen times', async () => {
    const server = await serve(({ code }, { port }) =>
      code === CODE.open ? [4004, int(port, '127.0.0.1?tried=a')] : undefined,
    );
    await expect(createXrootdSource(server.url).read(0, 5)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('redirected more than 16 times'),
    });
    expect(codes(server).filter((code) => code === CODE.open)).toHaveLength(17);
  });

  test('what is no XRootD server is said to be none', async () => {
    const server = await serve(({ code, socket }) => {
      if (code === CODE.protocol) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return 'none';
    });
    await expect(createXrootdSource(server.url).read(0, 5)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('not of the XRootD protocol'),
    });
  });

  test('a server that never answers is a TIMEOUT, at the greeting and at a read', async () => {
    for (const silentCode of [CODE.protocol, READ]) {
      const server = await serve(({ code }) => (code === silentCode ? 'none' : undefined));
      const source = createXrootdSource(server.url, { silenceMs: 50 });
      await expect(source.read(0, 5)).rejects.toMatchObject({ code: 'TIMEOUT' });
      await source.close?.();
    }
  });

  test('a connection that ends at any byte of the answers is no wrong byte', async () => {
    const whole = Buffer.concat([
      frame(0, 0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])),
      frame(1, 0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])),
      frame(2, 0, Buffer.alloc(16)),
      frame(3, 0, opened(content.length)),
      frame(4, 0, Buffer.from('2097136\n1024\n')),
      frame(5, 0, content.subarray(0, 10)),
    ]);
    const readCutAt = async (end: number): Promise<void> => {
      let cut = 0;
      const server = await serve(({ code, socket }) => {
        if (cut > 0) return undefined;
        if (code !== READ) return 'none';
        cut += 1;
        // The greeting has been sent.
        socket.end(whole.subarray(Math.min(16, end), end));
        return 'none';
      });
      const source = createXrootdSource(server.url);
      expect(await source.read(0, 10)).toEqual(content.slice(0, 10));
      expect(cut).toBe(1);
      await source.close?.();
    };
    await Promise.all(Array.from({ length: whole.length }, (_, end) => readCutAt(end)));
  }, 60_000);

  test('lengths that lie are refused', async () => {
    for (const bad of [-1, 0x7fff_ffff, 66_000_000]) {
      const server = await serve(({ code, stream, socket }) => {
        if (code !== CODE.open) return undefined;
        const lying = frame(stream, 0, opened());
        lying.writeInt32BE(bad, 4);
        socket.write(lying);
        return 'none';
      });
      const source = createXrootdSource(server.url, { silenceMs: 50 });
      await expect(source.read(0, 10)).rejects.toMatchObject({
        code: expect.stringMatching(/NETWORK|TIMEOUT/),
      });
      await source.close?.();
    }
    for (const length of [5, 15]) {
      const server = await serve(({ code, body }) =>
        code === READ && Number(body.readBigInt64BE(4)) > 0 ? [0, new Uint8Array(length)] : undefined,
      );
      const source = createXrootdSource(server.url);
      await source.read(0, 5);
      await expect(source.read(20, 10)).rejects.toMatchObject({ code: 'TRUNCATED' });
      await source.close?.();
    }
  });

  test('a thousand files opened and closed leave no connection', async () => {
    const server = await serve(() => undefined);
    for (let i = 0; i < 20; i++) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const source = createXrootdSource(server.url);
          await source.read(0, 5);
          await source.close?.();
        }),
      );
    }
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(codes(server).filter((code) => code === CODE.close)).toHaveLength(1000);
    const left = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');
    expect(left).toHaveLength(0);
  });
});
