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

test('in a worker the bytes lie in files, which two tabs read, and which are dropped when they were changed', async ({
  page,
}) => {
  const code = await storeScript();
  const work = `
    import { createIndexedDbStore } from './store.js';
    const bytes = (value, length) => [new Uint8Array(length).fill(value)];
    const pack = (offset, length) => [{ offset, length }];
    const file = (key) => ({ key, name: key, place: 'p' });
    const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('test-files');
    const names = async () => Array.fromAsync((await folder()).keys());
    const values = async () => {
      const db = await new Promise((settle) => {
        const opening = indexedDB.open('test-files');
        opening.onsuccess = () => settle(opening.result);
      });
      const count = db.transaction('bytes').objectStore('bytes').count();
      return new Promise((settle) => { count.onsuccess = () => { db.close(); settle(count.result); }; });
    };
    const first = createIndexedDbStore({ name: 'test-files' });
    await Promise.all([
      first.put(file('a'), pack(0, 8), bytes(1, 8)),
      first.put(file('a'), pack(100, 9), bytes(2, 9)),
      first.put(file('b'), pack(0, 10), bytes(3, 10)),
    ]);
    // Another tab, while the files are open in the first.
    const second = createIndexedDbStore({ name: 'test-files' });
    const read = async (store, key, offset, length) =>
      (await store.get(file(key), pack(offset, length)))?.join('');
    const got = {
      kept: [await read(second, 'a', 100, 9), await read(second, 'b', 0, 10), await read(first, 'a', 0, 8)],
      files: (await names()).length,
      values: await values(),
      bytes: (await second.info()).bytes,
    };
    // After a second without use the files are closed.
    await new Promise((go) => setTimeout(go, 1500));
    await first.clear('b');
    got.cleared = [(await names()).length, (await first.info()).bytes];
    const [name] = await names();
    const access = await (await (await folder()).getFileHandle(name)).createSyncAccessHandle();
    access.write(Uint8Array.of(3), { at: 10 });
    access.close();
    got.damaged = (await read(second, 'a', 100, 9)) ?? 'gone';
    got.left = (await second.list(file('a'))).flat();
    got.files2 = await names();
    postMessage(got);`;
  await page.route('**/store.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.route('**/store-worker.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: work }),
  );
  await page.route('**/empty.html', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('/empty.html');
  const got = await page.evaluate(
    () =>
      new Promise((settle, fail) => {
        const worker = new Worker(`${location.origin}/store-worker.js`, { type: 'module' });
        worker.onmessage = ({ data }) => settle(data);
        worker.onerror = ({ message }) => fail(new Error(message));
      }),
  );
  expect(got).toEqual({
    kept: ['222222222', '3333333333', '11111111'],
    files: 2,
    values: 0,
    bytes: 27,
    cleared: [1, 17],
    damaged: 'gone',
    left: [],
    files2: [],
  });
});

test('a damaged record, a wrong sum of bytes and a database without its stores do not end the cache', async ({
  page,
}) => {
  const code = await storeScript();
  await page.route('**/store.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.goto('/');
  const got = await page.evaluate(async () => {
    const { createIndexedDbStore }: typeof Store = await import(`${location.origin}/store.js`);
    const file = { key: 'k', name: 'n', place: 'p' };
    const pack = [{ offset: 0, length: 8 }];
    const bytes = [new Uint8Array(8).fill(1)];
    const open = (name: string, upgrade?: (db: IDBDatabase) => void) =>
      new Promise<IDBDatabase>((settle) => {
        const opening = indexedDB.open(name, 1);
        opening.onupgradeneeded = () => upgrade?.(opening.result);
        opening.onsuccess = () => settle(opening.result);
      });
    const change = async (name: string, what: (tx: IDBTransaction) => void) => {
      const db = await open(name);
      const tx = db.transaction(['index', 'state'], 'readwrite');
      what(tx);
      await new Promise((settle) => {
        tx.oncomplete = settle;
      });
      db.close();
    };
    /** The bytes that another session finds, and whether it can keep more. */
    const visit = async (name: string, maxBytes: number) => {
      const store = createIndexedDbStore({ name, maxBytes });
      const [first = []] = await store.list(file);
      const found = (await store.get(file, first))?.join('');
      await store.put(file, [{ offset: 50, length: 4 }], [new Uint8Array(4).fill(2)]);
      const later = createIndexedDbStore({ name, maxBytes });
      const info = await later.info();
      return { found, bytes: info.bytes, notice: info.notice };
    };
    const limit = 10_000_000;

    const odd = 'test-odd-record';
    await createIndexedDbStore({ name: odd, maxBytes: limit }).put(file, pack, bytes);
    await change(odd, (tx) => void tx.objectStore('index').put({ file: 'k', pack: '9-9', used: 1 }));
    const record = await visit(odd, limit);

    const huge = 'test-huge-total';
    await createIndexedDbStore({ name: huge, maxBytes: limit }).put(file, pack, bytes);
    await change(huge, (tx) => void tx.objectStore('state').put(1e15, 'total'));
    const total = await visit(huge, limit);

    const bare = 'test-no-stores';
    (await open(bare, (db) => void db.createObjectStore('other'))).close();
    const stores = await visit(bare, limit);
    return { record, total, stores };
  });
  expect(got).toEqual({
    record: { found: '11111111', bytes: 12, notice: undefined },
    total: { found: '11111111', bytes: 12, notice: undefined },
    stores: { found: undefined, bytes: 4, notice: undefined },
  });
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
