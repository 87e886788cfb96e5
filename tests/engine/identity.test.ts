import { afterEach, expect, test, vi } from 'vitest';
import type { FileHeader } from '../../web/core/file-core';
import { endOfKey, identityOf, liesAt, placeOf } from '../../web/engine/identity';
import type { ByteSource } from '../../web/io/source';

afterEach(() => vi.unstubAllGlobals());

const header = { uuid: 'u', created: 1, modified: 2, end: 3000 } as unknown as FileHeader;
const sourceOf = (validator?: string) =>
  ({ name: 'file.root', info: () => ({ size: 3000, validator }) }) as unknown as ByteSource;
const head = new Uint8Array(64).fill(7);
const keyOf = (
  change: Partial<FileHeader> = {},
  validator = 'v',
  bytes = head,
  place = 'https://a.b/c.root',
) => identityOf(sourceOf(validator), place, { ...header, ...change }, bytes).key;

test('each thing that changes with the content changes the key', () => {
  const keys = [
    keyOf(),
    keyOf({ uuid: 'w' }),
    keyOf({ created: 5 as never }),
    keyOf({ modified: 5 as never }),
    keyOf({ end: 3001 }),
    keyOf({}, 'w'),
    keyOf({}, 'v', head.with(63, 8)),
    keyOf({}, 'v', head, 'https://a.b/d.root'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf()).toBe(keys[0]);
  expect(identityOf(sourceOf(), 'p', header, head)).toMatchObject({ name: 'file.root', place: 'p' });
});

test('a key has its parts in an order that later sessions rely on', () => {
  // The last one is the XXH32 of the head, by the xxHash library.
  expect(keyOf()).toBe('https://a.b/c.root | u | 1 | 2 | 3000 | v | ec4c8e08');
  expect(identityOf(sourceOf(), 'p', header, head).key).toBe('p | u | 1 | 2 | 3000 |  | ec4c8e08');
});

test('a key tells where its file lies, and where it ends', () => {
  expect(liesAt(keyOf(), 'https://a.b/c.root')).toBe(true);
  // The beginning of an address is another address.
  expect(liesAt(keyOf(), 'https://a.b/c')).toBe(false);
  expect(endOfKey(keyOf())).toBe(3000);
  expect(endOfKey(keyOf({ end: 0 }))).toBeUndefined();
  expect(endOfKey(keyOf({ end: 1.5 }))).toBeUndefined();
  expect(endOfKey('an older form')).toBeUndefined();
});

test('the place is the address without what only says who may read', async () => {
  expect(await placeOf('https://a.b/c.root')).toBe('https://a.b/c.root');
  const signed = 'https://a.b/c.root?X-Amz-Signature=s&X-Amz-Credential=c&X-Amz-Algorithm=a&X-Amz-Date=d';
  const one = await placeOf('https://a.b/c.root?version=1');
  const two = await placeOf('https://a.b/c.root?version=2');
  expect(await placeOf(signed)).toBe('https://a.b/c.root');
  expect(one).toMatch(/^https:\/\/a\.b\/c\.root\?[0-9a-f]{64}$/);
  expect(two).not.toBe(one);
  expect(await placeOf('https://a.b/c.root?version=1')).toBe(one);
});

test.each([undefined, {}])(
  'a query has no place where SHA-256 cannot be computed: crypto is %j',
  async (crypto) => {
    vi.stubGlobal('crypto', crypto);
    expect(await placeOf('https://a.b/c.root?version=1')).toBeUndefined();
    expect(await placeOf('https://a.b/c.root')).toBe('https://a.b/c.root');
  },
);

test('in a page, an address may start from that of the page', async () => {
  vi.stubGlobal('location', { href: 'https://a.b/viewer/index.html' });
  expect(await placeOf('../c.root')).toBe('https://a.b/c.root');
});
