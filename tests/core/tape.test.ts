import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readExactTape, readTape, TAPE_TAG, type TapeValue } from '../../web/core/tape';
import { writeTape } from '../../web/core/tape-writer';

/** A tape of one tag and the 32-bit numbers that follow it. */
function tape(tag: number, ...words: number[]): Uint8Array {
  const bytes = new Uint8Array(1 + 4 * words.length);
  bytes[0] = tag;
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setUint32(1 + 4 * i, word, true);
  return bytes;
}

const name = fc.string().filter((text) => !['$error', '$ref', '_typename', '__proto__'].includes(text));
const { value } = fc.letrec<{ value: TapeValue }>((again) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
    fc.string({ unit: 'grapheme' }),
    fc.float64Array(),
    fc.int16Array(),
    fc.bigUint64Array(),
    fc.array(again('value')),
    fc.dictionary(name, again('value'), { noNullPrototype: true }),
  ),
}));

describe('a tape that is written and read again', () => {
  test('holds the same data', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (object) => {
        expect(readExactTape(writeTape(object))).toEqual(object);
      }),
    );
  });

  test('holds one object where two members are the same, also one that holds itself', () => {
    const shared: { [member: string]: TapeValue } = { x: 1 };
    const ring: { [member: string]: TapeValue } = { a: shared, b: [shared] };
    ring.self = ring;
    const back = readExactTape(writeTape(ring)) as typeof ring;
    expect(back.self).toBe(back);
    expect((back.b as TapeValue[])[0]).toBe(back.a);
  });

  test('leaves the prototype of objects alone', () => {
    const object = JSON.parse('{"__proto__":{"polluted":1}}') as { [member: string]: TapeValue };
    const back = readTape(writeTape(object)) as { polluted?: number };
    expect(Object.keys(back)).toEqual(['__proto__']);
    expect(back.polluted).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('what a tape cannot hold', () => {
  test.each([
    ['a function', () => 1],
    ['nothing', undefined],
    ['more than 64 bits', 2n ** 64n],
    ['an object that could not be read to its end', { $error: 'damaged' }],
    ['a name of 64 KiB', { ['x'.repeat(65_536)]: 1 }],
  ])('%s', (_, value) => {
    const object = { value } as unknown as { [member: string]: TapeValue };
    expect(() => writeTape(object)).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  });
});

describe('a tape that says what it does not hold', () => {
  test('a tag that there is not', () => {
    expect(() => readTape(tape(99))).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  test('a reference to an object that there is not', () => {
    expect(() => readExactTape(tape(TAPE_TAG.ref, 7))).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
  });

  test('a list that is too long for memory is not begun, and what follows is read', () => {
    expect(readTape(tape(TAPE_TAG.list, 0, 2 ** 25))).toMatchObject({
      $error: expect.stringContaining('list'),
    });
  });

  test('values that together take too much memory', () => {
    const lists = 100;
    const bytes = new Uint8Array(9 + 9 * lists);
    bytes.set(tape(TAPE_TAG.list, 9 * lists, lists));
    for (let i = 0; i < lists; i++) bytes.set(tape(TAPE_TAG.list, 0, 0), 9 + 9 * i);
    expect(readTape(bytes)).toHaveLength(lists);
    // Each promises 2^24 values, and none of them is there.
    for (let i = 0; i < lists; i++) bytes.set(tape(TAPE_TAG.list, 0, 2 ** 24), 9 + 9 * i);
    expect(() => readTape(bytes)).toThrow(expect.objectContaining({ code: 'BUDGET' }));
  });
});
