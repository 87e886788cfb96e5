import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { nodeModules } from '../../../../web/core/modules/node-modules';
import { CoreSums } from '../../../../web/features/writer/work/encode/core-sums';
import type { ObjectData } from '../../../../web/features/writer/work/encode/types';
import { makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';
import { mergeBytes } from '../merging';
import { bothModules, recordsOf, recordWith } from '../module';
import { openMetadata } from './metadata';

/** Objects that are small where they are stored, and large when they are unpacked: arrays of zeros. */
const folder = resolve(import.meta.dirname, '../merged');
const bytes = new Uint8Array(readFileSync(resolve(folder, 'part0.root')));

const reader = withReader(makeEngine);
let modules: Awaited<ReturnType<typeof bothModules>>;
let part: ReturnType<typeof recordsOf>;
beforeAll(async () => {
  modules = await bothModules();
  part = recordsOf(modules, bytes);
});

/** Gives a TH1F this number of bins, of which bin 5 has a content. */
function enlarge(histogram: ObjectData, bins: number, content: number): void {
  const contents = new Float32Array(bins + 2);
  contents[5] = content;
  Object.assign(histogram.fXaxis as object, { fNbins: bins, fXbins: new Float64Array(0), fLabels: null });
  const none = { fSumw2: new Float64Array(0), fBuffer: new Float64Array(0), fBufferSize: 0 };
  Object.assign(histogram, { ...none, fNcells: bins + 2, fN: bins + 2, fArray: contents });
  Object.assign(histogram, { fEntries: 1, fTsumw: content, fTsumw2: content, fTsumwx: 0, fTsumwx2: 0 });
}

test('sums of many large histograms do not lie in memory all at once', async () => {
  const [count, bins] = [30, 1e6];
  const own = await bothModules();
  const { records, classes } = recordsOf(own, bytes);
  const found = records.find(({ name, className }) => className === 'TH1F' && name === 'h1f');
  const stored = bytes.slice(found?.at, (found?.at ?? 0) + (found?.nbytes ?? 0));
  const keyLength = stored[15] ?? 0;
  const histogram = classes.read(stored);
  enlarge(histogram, bins, 1);
  const object = classes.write(histogram, keyLength);
  const record = recordWith(stored, keyLength, classes.pack(object, { algorithm: 'zstd', level: 1 }));
  new DataView(record.buffer).setInt32(6, object.length);
  const sums = new CoreSums(own.writer);
  sums.allow(1e9);
  for (let file = 0; file < 2; file++)
    for (let i = 0; i < count; i++)
      expect(sums.add(classes, record, [record.length], [file > 0 ? i : undefined])).toEqual([i]);
  expect(own.writer.memoryBytes).toBeLessThan(0.8 * 4 * bins * count);
  for (const sum of [0, count - 1]) {
    const { fArray, fEntries } = sums.object(sum);
    expect([(fArray as Float32Array).length, (fArray as Float32Array)[5], fEntries]).toEqual([
      bins + 2,
      2,
      2,
    ]);
  }
  sums.free();
});

test('a large list is added as a small one, also after one that cannot be added', async () => {
  const withList = (more: number) =>
    openMetadata(modules, bytes, ({ name, className, record, keylen }) => {
      if (className !== 'TList' || name !== 'list') return undefined;
      const list = part.classes.read(record);
      const items = list.arr as ObjectData[];
      const [first] = items;
      if (!first) throw new Error('the list has objects');
      enlarge(first, 1e7, 1);
      for (let i = 0; i < more; i++) {
        items.push({ ...structuredClone(items.at(-1)), fName: `more ${i}` } as ObjectData);
        (list.opt as string[]).push('');
      }
      return part.classes.write(list, keylen);
    }).bytes;
  const [one, longer] = [withList(0), withList(1)];
  const merged = await mergeBytes(
    reader,
    [one, longer, one, one].map((part, i) => [`${i}.root`, part] as const),
    { writer: await nodeModules('write') },
  );
  expect(merged.leftOut.filter((line) => /^list of /.test(line))).toEqual([
    expect.stringMatching(/^list of 1.root is not added: It has \d+ objects, and the first one \d+/),
  ]);
  const list = await reader.object(merged.id, 'list');
  expect(list).toMatchObject({ arr: { 0: { fEntries: 3, fArray: { 5: 3 } } } });
});
