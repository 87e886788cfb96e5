import { beforeAll, expect, test } from 'vitest';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { Records } from '../../../web/features/writer/work/file/records';
import { readInput } from '../../../web/features/writer/work/input/input';
import { cyclePath } from '../../../web/model/keys';
import { bufferSpec, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { mergeBytes, mergeFixtures } from './merging';
import { bothModules } from './module';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let records: Records;
beforeAll(async () => {
  writer = await nodeModules('write');
  records = new Records((await bothModules()).writer);
});

/** The number from which the process ids of each object count, in its record and in the list of keys. */
async function processNumbers(bytes: Uint8Array): Promise<Record<string, [record: number, list: number]>> {
  const info = await reader.open(bufferSpec('numbers', bytes));
  const { keys } = await readInput(reader, info.id, info, records, {});
  const found: Record<string, [number, number]> = {};
  for (const key of keys) {
    const record = await reader.bytes(info.id, [{ offset: key.offset, length: key.storedBytes }]);
    found[cyclePath(key)] = [records.readKey(record).pid, records.readKey(key.header).pid];
  }
  return found;
}

test('objects with TRefs refer to the process ids of their own file after a merge', async () => {
  const product = await mergeFixtures(reader, ['written/references0', 'written/references1'], { writer });
  expect(product.leftOut).toEqual([
    expect.stringMatching(/^refs of written\/references1 is not added: .*TRefArray/),
  ]);
  expect(await processNumbers(product.data)).toEqual({
    'targets0;1': [0, 0],
    'targets1;1': [1, 1],
    // The bytes of both arrays are the same, but not the objects that they refer to.
    'refs;1': [0, 0],
    'refs;2': [1, 1],
    'same;1': [0, 0],
    'same;2': [0, 0],
    'h;1': [1, 1],
    't;1': [1, 1],
    'ProcessID0;1': [0, 0],
    'ProcessID1;1': [0, 0],
  });
});

test('a key with places of 4 bytes that has no room for a process id says so, and not that the file is too large', () => {
  const texts = { className: 'TBasket', name: 'b', title: 't' };
  const numbers = { stored: 0, objlen: 0, datime: 0, cycle: 1, seek: 300, dir: 100 };
  const refusal = (pid: number, seek: number) => () => {
    const key = records.makeKey(texts, numbers);
    const moved = [{ length: key.length, directory: { at: 100 } }];
    records.moveRecords(key, moved, { seek, pid });
  };
  expect(refusal(0, 5000)).not.toThrow();
  expect(refusal(1, 5000)).toThrow(/no room for the number of its first process id/);
  expect(refusal(1, 3e9)).toThrow(/cannot lie after 2 GB/);
});

test('numbers of process ids add up over files that were merged before', async () => {
  const names = ['written/references0', 'written/references1'];
  const once = await mergeFixtures(reader, names, { writer });
  const twice = await mergeBytes(
    reader,
    [
      ['once', once.data],
      ['again', once.data],
    ],
    { writer },
  );
  const numbers = await processNumbers(twice.data);
  expect(
    Object.keys(numbers)
      .filter((path) => path.startsWith('refs;'))
      .map((path) => numbers[path]?.[0]),
  ).toEqual(expect.arrayContaining([0, 1, 2, 3]));
  expect(numbers['t;1']).toEqual([1, 1]);
});
