import { describe, expect, test } from 'vitest';
import { type Frame, FrameParser, readvPieces } from '../../../web/features/xrootd/work/frames';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { redirected } from '../../../web/features/xrootd/work/redirect';
import { type Asked, frame, int, READ, startScripted, usual } from '../../servers/scripted-xrootd';

// Bytes that any server may send. The seed is fixed, so that a failure can be repeated.

/** Numbers below a limit, always the same ones. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Answers, now and then with a length that lies or with bytes that are none. */
function stream(next: (below: number) => number): Uint8Array {
  const parts: number[] = [];
  for (let i = next(6); i >= 0; i--) {
    const length = next(8) === 0 ? 0 : next(300);
    const told = next(20) === 0 ? next(2 ** 32) : length;
    parts.push(next(256), next(256), 15, 160 + next(8));
    parts.push(told >>> 24, (told >>> 16) & 255, (told >>> 8) & 255, told & 255);
    for (let j = 0; j < length; j++) parts.push(next(256));
  }
  if (next(4) === 0) parts.length = next(parts.length);
  return Uint8Array.from(parts);
}

/** The answers in bytes that lie in one piece, found in the simplest way. */
function plainly(bytes: Uint8Array): { frames: Frame[]; refused: boolean } {
  const view = new DataView(bytes.buffer);
  const frames: Frame[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    let length = view.getInt32(at + 4);
    if (length < 0 || length > 64 * 1024 * 1024) return { frames, refused: true };
    if (view.getUint16(at + 2) === 4007 && length >= 16) {
      if (at + 24 > bytes.length) break;
      const more = view.getInt32(at + 20);
      if (more < 0 || length + more > 64 * 1024 * 1024) return { frames, refused: true };
      length += more;
    }
    if (at + 8 + length > bytes.length) break;
    const data = bytes.slice(at + 8, at + 8 + length);
    frames.push({ stream: view.getUint16(at), status: view.getUint16(at + 2), data });
    at += 8 + length;
  }
  return { frames, refused: false };
}

describe('frames', () => {
  test('random bytes, cut at random, give the answers that lie in them or are refused', () => {
    const next = numbers(19);
    let [whole, refusals] = [0, 0];
    for (let round = 0; round < 1500; round++) {
      const bytes = stream(next);
      const expected = plainly(bytes);
      const parser = new FrameParser();
      const found: Frame[] = [];
      let refused = false;
      for (let at = 0; at < bytes.length && !refused; ) {
        const length = 1 + next(next(3) === 0 ? 3 : 400);
        const frames = parser.push(bytes.slice(at, at + length));
        refused = frames === undefined;
        for (const frame of frames ?? []) found.push({ ...frame, data: frame.data.slice() });
        at += length;
      }
      expect(refused).toBe(expected.refused);
      // The answers that came in the same piece as a length that cannot be are not given out.
      expect(found).toEqual(expected.frames.slice(0, found.length));
      if (!refused) expect(found).toHaveLength(expected.frames.length);
      whole += found.length;
      refusals += Number(refused);
    }
    expect(whole).toBeGreaterThan(2000);
    expect(refusals).toBeGreaterThan(50);
  });

  test('damaged answers to a vector of reads give its ranges or nothing', () => {
    const next = numbers(7);
    let taken = 0;
    for (let round = 0; round < 1500; round++) {
      const ranges = Array.from({ length: 1 + next(4) }, (_, i) => ({
        offset: 1000 * i + next(900),
        length: 1 + next(40),
      }));
      const whole = Buffer.concat(
        ranges.flatMap(({ offset, length }) => {
          const head = Buffer.alloc(16);
          head.writeInt32BE(length, 4);
          head.writeBigInt64BE(BigInt(offset), 8);
          return [head, Buffer.alloc(length, offset & 255)];
        }),
      );
      const answer = Uint8Array.from(whole);
      for (let i = next(3); i > 0; i--) answer[next(answer.length)] = next(256);
      const cut = next(4) === 0 ? answer.slice(0, next(answer.length)) : answer;
      const pieces = readvPieces(cut, ranges);
      if (!pieces) continue;
      taken += 1;
      expect(cut).toHaveLength(whole.length);
      expect(pieces.map(({ length }) => length)).toEqual(ranges.map(({ length }) => length));
    }
    expect(taken).toBeGreaterThan(500);
  });

  test('redirects to anything give a host and a port or nothing', () => {
    const next = numbers(5);
    const from = { secure: false, user: undefined, host: 'h', port: 1094, path: '/f', opaque: '' };
    const signs = [
      'root://',
      'roots://',
      '[',
      ']',
      '::1',
      ':',
      '/',
      '//',
      '?',
      '@',
      'host',
      '1095',
      '70000',
      '&',
      ' ',
      '\0',
    ];
    for (let round = 0; round < 5000; round++) {
      const text = Array.from({ length: next(8) }, () => signs[next(signs.length)]).join('');
      const found = redirected(next(3) === 0 ? -1 : next(80_000), text, from, false);
      if (!found) continue;
      expect(found.place.port).toBeGreaterThan(0);
      expect(found.place.port).toBeLessThan(65_536);
      expect(found.place.host).toMatch(/^([\w.-]+|[0-9a-f:.%]+)$/i);
    }
  });
});

test('answers to many reads, cut and mixed at random, are each those of their read', async () => {
  const content = new Uint8Array(200_000).map((_, i) => (i * 7919) >> 5);
  const next = numbers(3);
  let held: Asked[] = [];
  let waits = 0;
  const server = await startScripted((asked) => {
    if (asked.code !== READ || Number(asked.body.readBigInt64BE(4)) === 0) return usual(asked, content);
    if (next(5) === 0) {
      waits += 1;
      return [4005, int(0)];
    }
    held.push(asked);
    return undefined;
  });
  /** Answers all reads that came, parts of them in turn. */
  const answerHeld = (): void => {
    const answers = held.map((asked) => {
      const [, data = content] = usual(asked, content) ?? [];
      return { asked, data, at: 0 };
    });
    held = [];
    const packet: Buffer[] = [];
    while (answers.length > 0) {
      const i = next(answers.length);
      const one = answers[i] as (typeof answers)[number];
      const { stream } = one.asked;
      const part = one.data.subarray(one.at, one.at + next(900));
      one.at += part.length;
      const isLast = one.at === one.data.length;
      const answer = frame(stream, isLast ? 0 : 4000, part);
      const way = next(4);
      if (way === 0) packet.push(frame(stream, 4006, int(1)));
      packet.push(way === 1 ? frame(next(9), 4001, Buffer.concat([int(5008), int(0), answer])) : answer);
      if (isLast) answers.splice(i, 1);
      if (way === 2) one.asked.socket.write(Buffer.concat(packet.splice(0)));
      if (answers.length === 0) one.asked.socket.write(Buffer.concat(packet.splice(0)));
    }
  };
  const timer = setInterval(answerHeld, 5);
  try {
    const source = createXrootdSource(server.url);
    await source.read(0, 5);
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        const [offset, length] = [1 + next(190_000), 1 + next(5000)];
        expect(await source.read(offset, length)).toEqual(content.slice(offset, offset + length));
      }),
    );
    await source.close?.();
  } finally {
    clearInterval(timer);
    await server.close();
  }
  expect(waits).toBeGreaterThan(5);
});
