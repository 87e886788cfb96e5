import { expect, test } from 'vitest';
import { BufferTaker } from '../../web/core/packed-buffers';
import { TaskInput } from '../../web/core/task-input';

test('arrays of a task lie one after another, each at a multiple of 8', () => {
  const input = new TaskInput();
  const places = [Uint8Array.of(1, 2, 3), Float64Array.of(0.5), new Uint8Array(0)].map((a) => input.put(a));
  expect(places).toEqual([0, 8, 16]);
  const bytes = input.take([]);
  expect(bytes).toHaveLength(16);
  expect([...bytes.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect(new Float64Array(bytes.buffer, 8, 1)[0]).toBe(0.5);
});

test('memory of a task that was done serves another one, where it is large enough', () => {
  const of = (size: number) => {
    const input = new TaskInput();
    input.put(new Uint8Array(size).fill(7));
    return input;
  };
  const spare = new ArrayBuffer(64);
  const spares = [spare];
  expect(of(64).take(spares).buffer).toBe(spare);
  expect(spares).toEqual([]);
  const larger = of(65).take([spare]);
  expect(larger.buffer).not.toBe(spare);
  expect(larger.subarray(0, 65).every((byte) => byte === 7)).toBe(true);
});

test('buffers of columns are taken one after another, and each once', () => {
  const bytes = new ArrayBuffer(16);
  new Float32Array(bytes).set([1.5, 0, 2.5, 3.5]);
  const taker = new BufferTaker({ bytes, sizes: Uint32Array.of(4, 8) });
  expect(taker.take('f32')).toEqual(Float32Array.of(1.5));
  expect(() => taker.end()).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  expect(taker.take('f32')).toEqual(Float32Array.of(2.5, 3.5));
  taker.end();
  expect(taker.take('f64')).toHaveLength(0);
  expect(() => taker.end()).toThrow('3 buffers of columns were taken, and there are 2.');
});
