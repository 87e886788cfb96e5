import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteLru } from '../../web/base/lru';

test('the least recently used goes first, and is told', () => {
  const gone: string[] = [];
  const lru = new ByteLru<string, number>(10, (key) => gone.push(key));
  lru.set('a', 1, 4);
  lru.set('b', 2, 4);
  expect(lru.get('a')).toBe(1);
  lru.set('c', 3, 4);
  expect(gone).toEqual(['b']);
  lru.set('a', 9, 1);
  expect([lru.bytes, lru.size, lru.get('a')]).toEqual([5, 2, 9]);
});

test('what is held stays until it was released as often', () => {
  const lru = new ByteLru<string, number>(10);
  lru.set('a', 1, 8, 1);
  lru.hold('a');
  lru.set('b', 2, 8);
  expect([lru.has('a'), lru.has('b')]).toEqual([true, false]);
  lru.set('b', 2, 8, 1);
  expect(lru.bytes).toBe(16);
  lru.release('a');
  expect(lru.has('a')).toBe(true);
  lru.release('a');
  expect([lru.has('a'), lru.bytes]).toEqual([false, 8]);
});

test('the bound holds whatever happens, as far as holds allow', () => {
  const step = fc.record({
    what: fc.constantFrom('set', 'get', 'delete', 'hold', 'release'),
    key: fc.nat(6),
    bytes: fc.nat(8),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lru = new ByteLru<number, number>(12);
      const holds = new Map<number, number>();
      const sizes = new Map<number, number>();
      for (const { what, key, bytes } of steps) {
        if (what === 'set') {
          lru.set(key, bytes, bytes);
          sizes.set(key, bytes);
        } else if (what === 'get') lru.get(key);
        else if (what === 'delete') lru.delete(key);
        else if (what === 'hold') {
          lru.hold(key);
          if (lru.has(key)) holds.set(key, (holds.get(key) ?? 0) + 1);
        } else {
          lru.release(key);
          holds.set(key, Math.max(0, (holds.get(key) ?? 0) - 1));
        }
        for (const known of [...holds.keys()]) if (!lru.has(known)) holds.delete(known);
        const kept = [...sizes.keys()].filter((known) => lru.has(known));
        const sum = (keys: number[]) => keys.reduce((total, known) => total + (sizes.get(known) ?? 0), 0);
        expect(lru.bytes).toBe(sum(kept));
        expect(
          lru.bytes <= 12 || kept.every((known) => (holds.get(known) ?? 0) > 0 || sizes.get(known) === 0),
        ).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
