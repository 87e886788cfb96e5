import { resolve } from 'node:path';
import { build } from 'vite';
import { type Pack, packName } from '../web/cache/extent-store';
import type * as Store from '../web/cache/indexeddb';
import { expect, test } from './story';

/** The store as a script of its own. */
async function storeScript(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: resolve(import.meta.dirname, '../web/cache/indexeddb.ts'), formats: ['es'] },
    },
  });
  const [first] = Array.isArray(made) ? made : [made];
  if (!first || !('output' in first)) throw new Error('nothing was built');
  return first.output[0].code;
}

test('packs of other ranges under the same name are not taken for each other', async ({ page }) => {
  const code = await storeScript();
  await page.route('**/store.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.goto('/');
  // Three ranges of 30 bytes, from 0 on: names have a sum of 32 bits of them, and these two have the same.
  const { a, b } = collision();
  const got = await page.evaluate(
    async ({ a, b }) => {
      const { createIndexedDbStore }: typeof Store = await import(`${location.origin}/store.js`);
      const file = { key: 'k', name: 'n', place: 'p' };
      const first = createIndexedDbStore({ name: 'test-packs' });
      const bytesOf = (value: number): Uint8Array[] =>
        a.map(({ length }) => new Uint8Array(length).fill(value));
      await first.put(file, a, bytesOf(1));
      await first.put(file, b, bytesOf(2));
      const of = async (pack: Pack) => [...((await first.get(file, pack)) ?? [])][0];
      return [await of(a), await of(b), await of(b)];
    },
    { a, b },
  );
  expect(got).toEqual([undefined, 2, 2]);
});

test('a pack whose bytes were changed is not given out, and is dropped', async ({ page }) => {
  const code = await storeScript();
  await page.route('**/store.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.goto('/');
  const got = await page.evaluate(async () => {
    const { createIndexedDbStore }: typeof Store = await import(`${location.origin}/store.js`);
    const file = { key: 'k', name: 'n', place: 'p' };
    const store = createIndexedDbStore({ name: 'test-damage' });
    const [sound, damaged] = [[{ offset: 0, length: 8 }], [{ offset: 100, length: 8 }]];
    await store.put(file, sound, [new Uint8Array(8).fill(1)]);
    await store.put(file, damaged, [new Uint8Array(8).fill(2)]);

    const db = await new Promise<IDBDatabase>((settle) => {
      const opening = indexedDB.open('test-damage');
      opening.onsuccess = () => settle(opening.result);
    });
    const bytes = db.transaction('bytes', 'readwrite').objectStore('bytes');
    await new Promise<void>((settle) => {
      const reading = bytes.openCursor();
      reading.onsuccess = () => {
        const cursor = reading.result;
        if (cursor === null) return settle();
        const pack = new Uint8Array(cursor.value as ArrayBuffer);
        // One bit, so that only a checksum can notice.
        if (pack[7] === 2) cursor.update(pack.with(7, 3).buffer);
        cursor.continue();
      };
    });
    db.close();
    const read = async (pack: Pack) => [...((await store.get(file, pack)) ?? [])].at(-1) ?? null;
    const first = [await read(sound), await read(damaged)];
    // The damaged pack is dropped in a transaction of its own, which the list waits for.
    return { first, left: (await store.list(file)).flat() };
  });
  expect(got).toEqual({ first: [1, null], left: [{ offset: 0, length: 8 }] });
});

/** Two packs whose names are the same. */
function collision(): { a: Pack; b: Pack } {
  const packOf = (i: number): Pack => [
    { offset: 0, length: 10 },
    { offset: 100 + i * 7, length: 10 },
    { offset: 1e9 + i * 13, length: 10 },
  ];
  const [a, b] = [packOf(68_282), packOf(115_359)];
  expect(packName(a)).toBe(packName(b));
  return { a, b };
}
