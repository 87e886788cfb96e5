import { describe, expect, it } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import { bufferJson } from '../../web/export/buffer-json';

describe('bufferJson', () => {
  it('numbers objects as TBufferJSON does: in the order in which they begin, arrays not', () => {
    const shared = { _typename: 'TNamed', $id: 7, fName: 'shared' };
    const object: PlainObject = {
      _typename: 'TList',
      arr: [{ _typename: 'TBox', fX: 1 }, shared, { $ref: 7 }],
      last: { $ref: 7 },
    };
    expect(JSON.parse(bufferJson(object))).toEqual({
      _typename: 'TList',
      arr: [{ _typename: 'TBox', fX: 1 }, { _typename: 'TNamed', fName: 'shared' }, { $ref: 2 }],
      last: { $ref: 2 },
    });
  });

  it('keeps floats that JSON cannot write, in arrays, and writes no wrong values elsewhere', () => {
    const object: PlainObject = {
      _typename: 'X',
      plain: Float64Array.of(1.5, -2),
      odd: Float32Array.of(1, Number.NaN, Number.POSITIVE_INFINITY),
      one: Number.NaN,
      long: 12345678901234n,
      broken: { _typename: 'Y', $error: 'no streamer info' },
      lost: { $ref: 99 },
    };
    const text = bufferJson(object);
    expect(text).toContain('"long":12345678901234');
    const { odd, ...others } = JSON.parse(text);
    expect(others).toMatchObject({ plain: [1.5, -2], one: null, broken: null, lost: null });
    const bytes = Uint8Array.from(atob(odd.b), (character) => character.charCodeAt(0));
    expect([...new Float32Array(bytes.buffer)]).toEqual([1, Number.NaN, Number.POSITIVE_INFINITY]);
  });

  it('refuses an object that was not decoded completely', () => {
    expect(() => bufferJson({ _typename: 'X', $error: 'no streamer info' })).toThrow(/no streamer info/);
  });
});
