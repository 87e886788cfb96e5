import { expect, test } from 'vitest';
import { checksum } from '../../web/cache/checksum';
import { lineOf, MAX_LINE_BYTES, readLine, unpack } from '../../web/cache/pack-file';

const KEY = '["http://a/b.root","one"]';
const PACK = [
  { offset: 0, length: 3 },
  { offset: 900, length: 5 },
];
const CONTENT = Uint8Array.of(1, 2, 3, 40, 50, 60, 70, 80);

function stored(key = KEY, pack: readonly { offset: number; length: number }[] = PACK, content = CONTENT) {
  const line = lineOf(key, pack, content);
  const file = new Uint8Array(line.length + content.length);
  file.set(line);
  file.set(content, line.length);
  return file;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('the line is JSON, ends with a line end, and its length is a multiple of 8', () => {
  for (let more = 0; more < 17; more++) {
    const key = KEY + 'k'.repeat(more);
    const line = lineOf(key, PACK, CONTENT);
    const text = new TextDecoder().decode(line);
    expect(JSON.parse(text)).toEqual(['xylem-pack-1', key, checksum(CONTENT), 0, 3, 900, 5]);
    expect(text.indexOf('\n')).toBe(line.length - 1);
    expect(line.length % 8).toBe(0);
    expect(line.length - text.trimEnd().length).toBeLessThanOrEqual(8);
    expect(readLine(line)).toEqual({ key, sum: checksum(CONTENT), pack: PACK, start: line.length });
  }
});

test('what was packed is unpacked, also where the file lies within a larger buffer', () => {
  expect(unpack(stored(), KEY, PACK)).toEqual(CONTENT);
  const larger = new Uint8Array(stored().length + 20);
  larger.set(stored(), 9);
  expect(unpack(larger.subarray(9, larger.length - 11), KEY, PACK)).toEqual(CONTENT);
});

test.each<[string, () => Uint8Array]>([
  ['another identity', () => stored('other')],
  ['fewer ranges', () => stored(KEY, PACK.slice(0, 1))],
  ['more ranges', () => stored(KEY, [...PACK, { offset: 2000, length: 0 }])],
  [
    'another offset',
    () =>
      stored(KEY, [
        { offset: 1, length: 3 },
        { offset: 900, length: 5 },
      ]),
  ],
  [
    'another offset of the last range',
    () =>
      stored(KEY, [
        { offset: 0, length: 3 },
        { offset: 901, length: 5 },
      ]),
  ],
  [
    'other lengths',
    () =>
      stored(KEY, [
        { offset: 0, length: 4 },
        { offset: 900, length: 4 },
      ]),
  ],
  [
    'another length of the last range',
    () =>
      stored(KEY, [
        { offset: 0, length: 3 },
        { offset: 900, length: 4 },
      ]),
  ],
  ['a byte less', () => stored().subarray(0, -1)],
  ['a byte more', () => Uint8Array.of(...stored(), 0)],
  ['a changed byte', () => stored().with(-1, 81)],
  ['too little content, whose sum is right', () => stored(KEY, PACK, CONTENT.slice(1))],
  ['too much content, whose sum is right', () => stored(KEY, PACK, Uint8Array.of(...CONTENT, 9))],
  ['nothing', () => new Uint8Array(0)],
])('%s is not the pack', (_what, file) => {
  expect(unpack(file(), KEY, PACK)).toBeUndefined();
});

test.each([
  ['no line end', '["xylem-pack-1","k",1,0,3]'],
  ['no JSON', '["xylem-pack-1","k",1,0,\n'],
  ['no list', '{"length":5}\n'],
  ['null', 'null\n'],
  ['another mark', '["xylem-pack-2","k",1,0,3]\n'],
  ['no range', '["xylem-pack-1","k",1]\n'],
  ['half a range', '["xylem-pack-1","k",1,0]\n'],
  ['one range and a half', '["xylem-pack-1","k",1,0,3,9]\n'],
  ['an offset below 0', '["xylem-pack-1","k",1,-1,3]\n'],
  ['a length below 0', '["xylem-pack-1","k",1,0,-3]\n'],
  ['a part of a byte', '["xylem-pack-1","k",1,0.5,3]\n'],
  ['an offset beyond what is exact', '["xylem-pack-1","k",1,9007199254740992,3]\n'],
  ['a text for a number', '["xylem-pack-1","k",1,"0",3]\n'],
  ['a line that is too long', `["xylem-pack-1","${'k'.repeat(MAX_LINE_BYTES)}",1,0,3]\n`],
])('%s is no line of a pack', (_what, text) => {
  expect(readLine(bytes(text))).toBeUndefined();
});

test('the shortest line has one range, which may be empty', () => {
  const line = readLine(bytes('["xylem-pack-1","k",1,0,0]\n'));
  expect(line).toEqual({ key: 'k', sum: 1, pack: [{ offset: 0, length: 0 }], start: 27 });
});
