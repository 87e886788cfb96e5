import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createByteReader } from '../../../web/io/fetch/reader';
import { openNodeFile } from '../../../web/io/node-file-source';
import { blockThisThread, blockWhileQuick, nodeCalls } from '../../../web/io/node-handle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-handle-'));
const [path, other] = ['a', 'b'].map((name) => join(folder, name)) as [string, string];
afterAll(() => rmSync(folder, { recursive: true }));

const waiting = nodeCalls();
blockThisThread();
const blocking = nodeCalls();
blockWhileQuick();
const quick = nodeCalls();
const ways = [
  ['that wait in other threads', waiting],
  ['that block this thread', blocking],
  ['that block this thread while they are quick', quick],
] as const;

describe.each(ways)('calls %s', (_, calls) => {
  test('read one array or several, up to the end of the file', async () => {
    writeFileSync(path, 'abcdef');
    const file = await calls.open(path);
    const [one, two] = [new Uint8Array(2), new Uint8Array(8)];
    expect(await file.read([one], 1)).toBe(2);
    expect(await file.read([one, two], 1)).toBe(5);
    expect(Buffer.from(one).toString() + Buffer.from(two.subarray(0, 3)).toString()).toBe('bcdef');
    expect((await file.stat()).size).toBe(6);
    await file.close();
  });

  test('of a file that was closed are errors, and none of the file that has its number then', async () => {
    writeFileSync(path, 'abcdef');
    writeFileSync(other, 'others');
    const file = await calls.open(path);
    await file.close();
    const taken = Array.from({ length: 3 }, () => openSync(other, 'r'));
    await file.close();
    await expect((async () => file.stat())()).rejects.toThrow();
    await expect((async () => file.read([new Uint8Array(2)], 0))()).rejects.toThrow();
    const again = await calls.open(path);
    for (const _ of taken) expect(await again.read([new Uint8Array(6)], 0)).toBe(6);
    await again.close();
  });

  test('write bytes to a place of a file', async () => {
    writeFileSync(path, 'abcdef');
    const file = await open(path, 'r+');
    expect(await calls.write(file, Buffer.from('xyz'), 2)).toBe(3);
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('abxyzf');
    await expect((async () => calls.write(file, Buffer.from('xyz'), 2))()).rejects.toThrow();
  });

  test('identify plain files alone, by device and inode', async () => {
    writeFileSync(path, 'abcdef');
    const [own, same] = [await calls.identify(path), await calls.identify(path)];
    expect(own?.ino).toBe(same?.ino);
    expect(own?.ino).toBeGreaterThan(0n);
    expect(await calls.identify(folder)).toBeUndefined();
    expect(await calls.identify(join(folder, 'none'))).toBeUndefined();
    expect(await calls.identify(join(path, 'below'))).toBeUndefined();
  });
});

test('bytes that are held are not copied from a file that changed', async () => {
  writeFileSync(path, 'abcdef');
  const source = await openNodeFile(path);
  const reader = createByteReader(source);
  await reader.read([{ offset: 0, length: 6 }]);
  const into = new Uint8Array(3);
  await reader.fill([{ offset: 1, length: 3 }], into);
  expect(Buffer.from(into).toString()).toBe('bcd');
  writeFileSync(path, 'a longer text');
  await expect(reader.fill([{ offset: 1, length: 3 }], into)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await source.close?.();
});
