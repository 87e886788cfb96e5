import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { tableCrc32c } from '../../../web/base/crc32';
import { openBrowserSource } from '../../../web/engine/browser-source';
import { placeOf } from '../../../web/engine/identity';
import { FrameParser, readvPieces } from '../../../web/features/xrootd/work/frames';
import { addressAt, firstHop, type Hop, nextHop } from '../../../web/features/xrootd/work/node-hops';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { redirected } from '../../../web/features/xrootd/work/redirect';
import { parseXrootdUrl, shownAddress } from '../../../web/io/schemes';
import { openRoot } from '../../../web/node';
import { type RunningServer, realServers, startRealServer } from '../../servers/real-servers';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const bytes = new Uint8Array(5_000_000).map((_, i) => (i * 7919) >> 5);

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
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
    const asked = openBrowserSource({ kind: 'url', url: 'root://127.0.0.1:1//f.root' });
    await expect(asked).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      fix: expect.stringContaining('xylem serve --gateway 127.0.0.1:1'),
    });
  });
});

test.each([
  [1095, 'h.example?org.a=1?tok', { host: 'h.example', port: 1095, opaque: 'org.a=1&tok', secure: false }],
  [1095, '[2001:db8::1]?a=1', { host: '2001:db8::1', port: 1095, opaque: 'a=1' }],
  [1095, '2001:db8::1', { host: '2001:db8::1', port: 1095, opaque: '' }],
  [
    -1,
    'root://[::1]:2000//other/f.root?x=1',
    { host: '::1', port: 2000, path: '/other/f.root', opaque: 'x=1' },
  ],
  [-1, 'roots://u@h.example//f.root', { host: 'h.example', port: 1094, secure: true, path: '/f.root' }],
  [70_000, 'h.example', undefined],
  [1, '', undefined],
])('a redirect to port %i of "%s"', (port, text, expected) => {
  const found = redirected(port, text, parseXrootdUrl('root://a.example//f.root'), false);
  if (expected) expect(found?.place).toMatchObject(expected);
  else expect(found).toBeUndefined();
});

describe('the way of a request from server to server', () => {
  const way = (url: string, ...places: [place: string, encrypted: boolean][]): Hop => {
    const named = parseXrootdUrl(url);
    return places.reduce((from, [text, encrypted]) => {
      const found = redirected(text.includes('://') ? -1 : 2000, text, from.address, encrypted);
      if (!found) throw new Error(`${text} is no place`);
      return nextHop(from, named, found.place, found.encrypted);
    }, firstHop(named));
  };
  const told = (hop: Hop, encrypted: boolean): string => addressAt(hop, encrypted).opaque;

  test('an address that insists on encryption is followed by no open connection', () => {
    for (const text of ['h', 'ROOT://h:1//f', 'root://a.example//f'])
      expect(way('roots://a.example//f.root', [text, true]).address).toMatchObject({ secure: true });
    expect(way('root://a.example//f.root', ['xroots://h//f', false], ['h', true]).address.secure).toBe(true);
  });

  test('a token goes on to another host only when a server that has it said so over an encrypted connection', () => {
    const url = 'root://a.example//f?x=1&authz=T';
    expect(told(firstHop(parseXrootdUrl(url)), false)).toBe('x=1&authz=T');
    expect(told(way(url, ['h', true]), true)).toBe('x=1&authz=T');
    expect(told(way(url, ['h', false]), true)).toBe('x=1');
    // Whoever has no token cannot give it to others, and the named host may have it in any spelling.
    expect(told(way(url, ['h', false], ['i', true]), true)).toBe('x=1');
    expect(told(way(url, ['h', true], ['i', true]), true)).toBe('x=1&authz=T');
    expect(told(way(url, ['h', true], ['i', false]), true)).toBe('x=1');
    expect(told(way(url, ['h', false], ['A.Example', false]), true)).toBe('x=1&authz=T');
    for (const lure of ['a.example.evil', 'evil?a.example', 'root://a.example@evil//f'])
      expect(told(way(url, [lure, false]), true), lure).not.toContain('authz=T');
  });

  test('a token that went or was to go encrypted never goes in clear text, nor an echo of it', () => {
    const url = 'root://a.example//f?x=1&authz=T';
    expect(told(way(url, ['h', true]), false)).toBe('x=1');
    expect(told(way(url, ['h?authz=T&cap.msg=c', true]), false)).toBe('x=1&cap.msg=c');
    expect(told(way(url, ['roots://a.example//f', false], ['a.example', false]), false)).toBe('x=1');
    // A text that a server sends in clear text is no secret.
    expect(told(way(url, ['h?authz=U', false]), false)).toBe('x=1&authz=U');
    expect(told(way(url, ['h?authz=U', true]), true)).toBe('x=1&authz=U');
  });

  test('tokens have many names', () => {
    for (const text of ['authz=T', 'AUTHZ=T', 'access_token=T', 'xrd.ztn=T', 'a=b?authz=T', 'eos.authz=T'])
      expect(told(way(`root://a.example//f?x=1&${text}`, ['h', false]), true), text).toBe('x=1');
    const plain = 'svcClass=x&eos.app=xylem&author=me';
    expect(told(way(`root://a.example//f?${plain}`, ['h', false]), true)).toBe(plain);
  });
});

test('CRC-32C of the standard', () => {
  expect(tableCrc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
  expect(tableCrc32c(new Uint8Array(32))).toBe(0x8a9136aa);
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
    const source = createXrootdSource(await start(bytes));
    expect(await source.read(0, 3)).toEqual(bytes.slice(0, 3));
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

  there('reads with checksums are the bytes of the file, from any offset', async () => {
    const source = createXrootdSource(await start(bytes));
    await source.read(0, 1);
    for (const [offset, length] of [
      [0, 4096],
      [100, 9000],
      [4095, 2],
      [8192, 1],
      [1, 3_000_000],
    ] as const) {
      expect(Buffer.compare(await source.read(offset, length), bytes.subarray(offset, offset + length))).toBe(
        0,
      );
    }
    await source.close?.();
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
    await expect(createXrootdSource(url.replace('file.root', 'other.root')).read(0, 1)).rejects.toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    );
    await running?.stop();
    running = undefined;
    await expect(createXrootdSource(url).read(0, 1)).rejects.toMatchObject({
      code: 'NETWORK',
      fix: expect.any(String),
    });
  });
});
