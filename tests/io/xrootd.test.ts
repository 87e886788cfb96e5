import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openBrowserSource } from '../../web/engine/browser-source';
import { placeOf } from '../../web/engine/identity';
import { parseXrootdUrl, shownAddress } from '../../web/io/xrootd/address';
import { FrameParser, readvPieces } from '../../web/io/xrootd/frames';
import { openXrootdFile } from '../../web/io/xrootd/node-xrootd-source';
import { openRoot } from '../../web/node';
import { type RunningServer, realServers, startRealServer } from '../servers/real-servers';

const sample = resolve(import.meta.dirname, '../../public/sample.root');
const bytes = new Uint8Array(5_000_000).map((_, i) => (i * 7919) >> 5);

let running: RunningServer | undefined;
let scripted: Server | undefined;
afterEach(async () => {
  await running?.stop();
  scripted?.close();
  [running, scripted] = [undefined, undefined];
});

describe('addresses', () => {
  test.each([
    ['root://h.example//a/b.root', 'root://h.example//a/b.root', 1094, false],
    ['xroot://h.example/a/b.root?authz=secret', 'root://h.example//a/b.root', 1094, false],
    ['roots://me:pw@h.example:2000//a.root', 'roots://h.example:2000//a.root', 2000, true],
    ['root://[::1]:1095//a.root', 'root://[::1]:1095//a.root', 1095, false],
  ])('%s', (url, shown, port, secure) => {
    const address = parseXrootdUrl(url);
    expect(shownAddress(address)).toBe(shown);
    expect(address).toMatchObject({ port, secure });
  });

  test.each(['root://', 'root://h', 'root://h//', 'root:///a.root', 'root://h:0//a', 'root://h:99999//a'])(
    '%s is refused',
    (url) => {
      expect(() => parseXrootdUrl(url)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
    },
  );

  test('files of two hosts are two files for the cache, and a page says what it cannot do', async () => {
    expect(await placeOf('root://a.example//f.root')).not.toBe(await placeOf('root://b.example//f.root'));
    await expect(openBrowserSource({ kind: 'url', url: 'root://a.example//f.root' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      fix: expect.stringContaining('https'),
    });
  });
});

describe('frames', () => {
  const frame = (stream: number, status: number, data: Uint8Array): Uint8Array => {
    const all = new Uint8Array(8 + data.length);
    const view = new DataView(all.buffer);
    view.setUint16(0, stream);
    view.setUint16(2, status);
    view.setInt32(4, data.length);
    all.set(data, 8);
    return all;
  };

  test('answers are the same however their bytes are cut', () => {
    const answers = [bytes.subarray(0, 3), new Uint8Array(0), bytes.subarray(5, 105)];
    const whole = Buffer.concat(answers.map((data, i) => frame(i, 4000 + i, data)));
    for (let step = 1; step <= whole.length; step++) {
      const parser = new FrameParser();
      const found = [];
      for (let at = 0; at < whole.length; at += step) {
        found.push(...(parser.push(Uint8Array.from(whole.subarray(at, at + step))) ?? []));
      }
      expect(found.map(({ data }) => [...data])).toEqual(answers.map((data) => [...data]));
      expect(found.map(({ stream, status }) => [stream, status])).toEqual([
        [0, 4000],
        [1, 4001],
        [2, 4002],
      ]);
    }
  });

  test('lengths that cannot be are refused', () => {
    const bad = frame(1, 0, new Uint8Array(0));
    for (const length of [-1, 0x7fff_ffff]) {
      new DataView(bad.buffer).setInt32(4, length);
      expect(new FrameParser().push(bad.slice())).toBeUndefined();
    }
  });

  test('other ranges than were asked for are no answer', () => {
    const head = (offset: number, length: number): number[] => [
      ...[0, 0, 0, 0, 0, 0, 0, length],
      ...[0, 0, 0, 0, 0, 0, 0, offset],
    ];
    const answer = Uint8Array.from([...head(7, 2), 1, 2]);
    expect(readvPieces(answer, [{ offset: 7, length: 2 }])).toEqual([Uint8Array.from([1, 2])]);
    expect(readvPieces(answer, [{ offset: 8, length: 2 }])).toBeUndefined();
    expect(readvPieces(answer, [{ offset: 7, length: 3 }])).toBeUndefined();
    expect(readvPieces(answer, [])).toBeUndefined();
  });
});

const { XRootD } = realServers;
const there = test.skipIf(XRootD.program === undefined);

describe(`XRootD, version ${XRootD.version ?? 'not installed'}`, () => {
  async function start(content: Uint8Array): Promise<string> {
    running = await startRealServer(XRootD, content);
    return running.url.replace(/^http/, 'root').replace(/(:\d+)\//, '$1//');
  }

  there('reads what the file has, in single ranges and in vectors of any size', async () => {
    const source = await openXrootdFile(await start(bytes));
    expect(source.info()).toMatchObject({
      size: bytes.length,
      validator: expect.stringMatching(/^mtime \d+$/),
    });
    expect(await source.read(1, 10)).toEqual(bytes.slice(1, 11));
    expect(await source.read(bytes.length - 5, 100)).toEqual(bytes.slice(-5));
    expect(Buffer.compare(await source.read(0, bytes.length), bytes)).toBe(0);
    await expect(source.read(bytes.length, 1)).rejects.toMatchObject({ code: 'TRUNCATED' });
    // More ranges and more bytes than a vector of this server holds, and one that is too long for any.
    const ranges = Array.from({ length: 1500 }, (_, i) => ({ offset: i * 1700, length: 1600 }));
    ranges.push({ offset: 2_600_000, length: 2_300_000 });
    const got: Uint8Array[] = [];
    expect(await source.readParts?.(ranges, (index, part) => (got[index] = part))).toBe(true);
    for (const [i, { offset, length }] of ranges.entries()) {
      expect(Buffer.compare(got[i] as Uint8Array, bytes.subarray(offset, offset + length))).toBe(0);
    }
    await source.close?.();
    await expect(source.read(0, 1)).rejects.toMatchObject({ code: 'IO' });
  });

  there('a histogram of a root:// address is that of the file', async () => {
    const url = await start(readFileSync(sample));
    const drawn = await Promise.all(
      [url, sample].map(async (place) => {
        const file = await openRoot(place, { workers: 0 });
        const { title: _, ...histogram } = await (await file.tree('Events')).draw('Muon_pt');
        await file.close();
        return histogram;
      }),
    );
    expect(JSON.stringify(drawn[0])).toBe(JSON.stringify(drawn[1]));
  });

  there('what is not there, and a server that is gone, are typed errors', async () => {
    const url = await start(bytes);
    await expect(openXrootdFile(url.replace('file.root', 'other.root'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await running?.stop();
    running = undefined;
    await expect(openXrootdFile(url)).rejects.toMatchObject({ code: 'NETWORK', fix: expect.any(String) });
  });
});

describe('a server that answers as it likes', () => {
  /** A scripted server: greets, lets in, and answers each later request by `answer`. */
  async function serve(
    answer: (code: number, count: number, socket: Socket) => [status: number, data: Buffer] | undefined,
  ): Promise<string> {
    let count = 0;
    const listening = createServer((socket) => {
      let held = Buffer.alloc(0);
      let greeted = false;
      socket.on('error', () => {});
      socket.on('data', (data) => {
        held = Buffer.concat([held, data]);
        if (!greeted && held.length >= 20) {
          greeted = true;
          held = held.subarray(20);
          send(socket, Buffer.alloc(2), 0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1]));
        }
        while (greeted && held.length >= 24 && held.length >= 24 + held.readInt32BE(20)) {
          const [stream, code] = [held.subarray(0, 2), held.readUInt16BE(2)];
          held = held.subarray(24 + held.readInt32BE(20));
          const reply =
            code === 3006
              ? ([0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])] as const)
              : code === 3007
                ? ([0, Buffer.alloc(16)] as const)
                : answer(code, count++, socket);
          if (reply) send(socket, stream, reply[0], reply[1]);
        }
      });
    });
    scripted = listening;
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    return `root://127.0.0.1:${(listening.address() as { port: number }).port}//f.root`;
  }
  const send = (socket: Socket, stream: Buffer, status: number, data: Buffer): void => {
    const head = Buffer.alloc(8);
    stream.copy(head);
    head.writeUInt16BE(status, 2);
    head.writeInt32BE(data.length, 4);
    socket.write(Buffer.concat([head, data]));
  };
  const opened = (size = 100, changed = 5): Buffer =>
    Buffer.concat([Buffer.alloc(12), Buffer.from(`1 ${size} 0 ${changed}\0`)]);
  const int = (value: number, text = ''): Buffer => {
    const data = Buffer.alloc(4 + text.length);
    data.writeInt32BE(value);
    data.write(text, 4);
    return data;
  };
  const limits: [number, Buffer] = [0, Buffer.from('2097136\n1024\n')];

  test('waits are waited for, and a lost connection is made again', async () => {
    let lost = 0;
    const url = await serve((code, count, socket) => {
      if (code === 3010) return count === 0 ? [4005, int(0)] : [0, opened()];
      if (code === 3001) return limits;
      if (lost++ === 0) {
        socket.destroy();
        return undefined;
      }
      return [0, Buffer.alloc(10, 7)];
    });
    const source = await openXrootdFile(url);
    expect(await source.read(0, 10)).toEqual(new Uint8Array(10).fill(7));
    expect(lost).toBe(2);
    await source.close?.();
  });

  test('a file that is another one after the connection was lost is FILE_CHANGED', async () => {
    let opens = 0;
    const url = await serve((code, _, socket) => {
      if (code === 3010) return [0, opened(100, opens++)];
      if (code === 3001) return limits;
      socket.destroy();
      return undefined;
    });
    const source = await openXrootdFile(url);
    await expect(source.read(0, 10)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    await source.close?.();
  });

  test('many readers of a file that was replaced get no byte of the new one, and share one connection', async () => {
    let opens = 0;
    const url = await serve((code, _, socket) => {
      if (code === 3010) return [0, opened(100, opens++ === 0 ? 1 : 2)];
      if (code === 3001) return limits;
      if (opens > 1) return [0, Buffer.alloc(10, 9)];
      socket.destroy();
      return undefined;
    });
    const source = await openXrootdFile(url);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => source.read(0, 10)));
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'FILE_CHANGED' } });
    await source.close?.();
  });

  test('a server that answers without end, or asks to wait without end, is given up', async () => {
    const url = await serve((code) => {
      if (code === 3010) return [4005, int(0)];
      return limits;
    });
    await expect(openXrootdFile(url)).rejects.toMatchObject({
      message: expect.stringContaining('again and again'),
    });
    scripted?.close();
    const long = await serve((code, _, socket) => {
      if (code === 3010) return [0, opened()];
      if (code === 3001) return limits;
      for (let i = 0; i < 4; i++) send(socket, Buffer.from([0, 5]), 4000, Buffer.alloc(50_000));
      return [4000, Buffer.alloc(200_000)];
    });
    const source = await openXrootdFile(long);
    await expect(source.read(0, 10)).rejects.toMatchObject({ message: expect.stringContaining('more than') });
    await source.close?.();
  });

  test('servers that redirect to one another are followed no more than sixteen times', async () => {
    const url = await serve((code) => {
      const port = Number(new URL(url).port);
      return code === 3010 ? [4004, int(port, '127.0.0.1?tried=a')] : limits;
    });
    await expect(openXrootdFile(url)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('redirected more than 16 times'),
    });
  });

  test('what is no XRootD server is said to be none', async () => {
    const gsi = await serve(() => undefined);
    scripted?.removeAllListeners('connection');
    scripted?.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    await expect(openXrootdFile(gsi)).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('not of the XRootD protocol'),
    });
  });
});
