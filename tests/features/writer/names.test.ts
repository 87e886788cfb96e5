import { beforeAll, expect, test } from 'vitest';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { Records } from '../../../web/features/writer/work/file/records';
import { readInput } from '../../../web/features/writer/work/input/input';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { cyclePath } from '../../../web/model/keys';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { VERBS } from './all-verbs';
import { bothModules } from './module';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let records: Records;
beforeAll(async () => {
  writer = await nodeModules('write');
  records = new Records((await bothModules()).writer);
});

/** Name and title of each key in the bytes that lists and records have; and of the lists of keys of directories. */
async function texts(bytes: Uint8Array): Promise<Record<string, string[]>> {
  const info = await reader.open(bufferSpec('texts', bytes));
  const { keys } = await readInput(reader, info.id, info, records, {});
  const found: Record<string, string[]> = {};
  const latin = (text: Uint8Array) => Buffer.from(text).toString('latin1');
  for (const key of keys) {
    const record = await reader.bytes(info.id, [{ offset: key.offset, length: key.storedBytes }]);
    const both = [records.textsOf(key.header), records.textsOf(record)];
    found[cyclePath(key)] = both.flatMap(({ name, title }) => [latin(name), latin(title)]);
  }
  const lists = (await reader.records(info.id)).records.filter(({ kind }) => kind === 'keys');
  for (const { offset, length } of lists.slice(1)) {
    const { name, title } = records.textsOf(await reader.bytes(info.id, [{ offset, length }]));
    found[`keys of ${latin(name)}`] = [latin(title)];
  }
  await reader.close(info.id);
  return found;
}

test.each(VERBS)('$name keeps the bytes of names and titles that are not UTF-8', async (verb) => {
  const bytes = fixtureBytes('written/latin').slice();
  const before = await texts(bytes);
  expect(before['hü;1']).toEqual(['h\xfc', 'H\xf6he', 'h\xfc', 'H\xf6he']);
  expect(before['keys of K\xe4stchen']).toEqual(['T\xfcr']);
  const { bytes: after } = await verb.write({ reader, writer, bytes, tree: 'tü' });
  const found = await texts(after);
  // A merge of the file with itself has two cycles of objects that do not add.
  const twice = verb.name === 'merge' ? ['né;2', 'Kästchen/né;2'] : [];
  for (const path of twice) {
    expect(found[path]).toEqual(before[path.replace(';2', ';1')]);
    delete found[path];
  }
  expect(found).toEqual(before);
});

test('objects beside RNTuples keep the bytes of their names and titles', async () => {
  const info = await reader.open(bufferSpec('latin', fixtureBytes('written/latin')));
  const sink = memorySink();
  const { lost } = await skimFile(reader, info, sink, { writer, name: 'new.root', to: 'rntuple' });
  expect(lost).toEqual([]);
  const [before, after] = [await texts(fixtureBytes('written/latin')), await texts(sink.bytes())];
  for (const path of ['hü;1', 'né;1', 'Kästchen;1', 'Kästchen/hü;1', 'keys of K\xe4stchen'])
    expect(after[path], path).toEqual(before[path]);
  expect(before['né;1']).toHaveLength(4);
});
