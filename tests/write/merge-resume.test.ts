import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReaderApi } from '../../web/api/api';
import { deferredReader } from '../../web/api/deferred-reader';
import { type MergeSource, mergeFiles } from '../../web/write/merge/merge-files';
import { loadWriter } from '../../web/write/node-module';
import { resumableFile } from '../../web/write/node-resumable-file';
import type { Sink } from '../../web/write/sink';
import { programWith } from '../cli/program';
import { bufferSpec, fixtureFolder, makeEngine } from '../engine/fixtures';

const folder = mkdtempSync(join(tmpdir(), 'xylem-resume-'));
const out = join(folder, 'out.root');
const parts = ['clusters', 'embedded', 'ntuple_late', 'clusters', 'ntuple_late'];
let reader: ReaderApi;
let writer: WebAssembly.Module;
/** Bytes that were read for the last merge. */
let copied = 0;

beforeAll(async () => {
  reader = await makeEngine();
  writer = await loadWriter();
});
beforeEach(() => {
  copied = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

const sources = (names = parts): MergeSource[] =>
  names.map((name) => ({
    name,
    stamp: '1',
    open: async () => {
      const info = await reader.open(
        bufferSpec(name, new Uint8Array(readFileSync(join(fixtureFolder, `${name}.root`)))),
      );
      const bytes: ReaderApi['bytes'] = async (...args) => {
        const got = await reader.bytes(...args);
        copied += got.length;
        return got;
      };
      return {
        reader: { ...deferredReader(() => Promise.resolve(reader)), bytes },
        info,
        close: () => reader.close(info.id),
      };
    },
  }));

/** Merges until `writes` writes are done. Later ones fail, as all do in a process that was killed. */
async function merge(
  writes = Number.POSITIVE_INFINITY,
  files = sources(),
  reproducible = true,
): Promise<void> {
  const file = resumableFile(out, { version: '1', checkpointBytes: 1000 });
  let left = writes;
  const sink: Sink = {
    get kept() {
      return file.kept;
    },
    write: async (at, bytes) => {
      if (left-- <= 0) throw new Error('killed');
      await file.write(at, bytes);
    },
  };
  try {
    await mergeFiles(files, sink, { writer, name: 'out.root', reproducible }, { journal: file.journal });
    await file.close?.();
  } catch (thrown) {
    await file.abort?.();
    throw thrown;
  }
}

test('a merge that ends at any write goes on to the same bytes, and copies less', async () => {
  await merge();
  const whole = readFileSync(out);
  const all = copied;
  let less = 0;
  for (let writes = 0; ; writes += 9) {
    rmSync(out);
    const ended = await merge(writes).catch((error: Error) => error);
    if (ended === undefined) break;
    expect(ended.message).toContain('killed');
    expect(existsSync(out)).toBe(false);
    copied = 0;
    await merge();
    if (copied < all) less++;
    expect(Buffer.compare(readFileSync(out), whole)).toBe(0);
    expect([existsSync(`${out}.partial`), existsSync(`${out}.partial.journal`)]).toEqual([false, false]);
  }
  expect(less).toBeGreaterThan(1);
}, 60_000);

test('another date and UUID than those of the first run are not taken', async () => {
  await merge(12, sources(), false).catch(() => {});
  const { uuid } = JSON.parse(readFileSync(`${out}.partial.journal`, 'utf8').split('\n')[0] ?? '');
  await merge(undefined, sources(), false);
  const info = await reader.open(bufferSpec('out', new Uint8Array(readFileSync(out))));
  expect(info.uuid.replaceAll('-', '')).toBe(uuid);
  const { findings } = await reader.check(info.id);
  expect(findings).toEqual([]);
});

describe('a journal', () => {
  const journal = `${out}.partial.journal`;
  test.each([
    ['other inputs', /other inputs/, sources(parts.slice(1))],
    [
      'a changed input',
      /before embedded changed/,
      sources().map((one, i) => ({ ...one, stamp: i === 1 ? '2' : '1' })),
    ],
  ])('of %s is refused, and stays', async (_, message, files) => {
    await merge(12).catch(() => {});
    const before = readFileSync(journal);
    await expect(merge(undefined, files)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: expect.stringMatching(message),
    });
    expect(readFileSync(journal)).toEqual(before);
    await merge();
  });

  test.each([
    ['without a whole first line', () => writeFileSync(journal, '{"version":"1","na')],
    ['that ends in half a line', () => appendFileSync(journal, '{"done":9999999')],
    ['that says more than there is', () => appendFileSync(journal, '{"done":99999999}\n')],
    ['without its file', () => rmSync(`${out}.partial`)],
  ])('%s does no harm', async (_, damage) => {
    await merge();
    const whole = readFileSync(out);
    await merge(12).catch(() => {});
    damage();
    await merge();
    expect(Buffer.compare(readFileSync(out), whole)).toBe(0);
  });
});

const { start, run, built } = programWith(folder);

built('a process that is killed at any moment leaves no file of the name, and the next goes on', async () => {
  const [product, single] = [join(folder, 'killed'), join(folder, 'single')].map((dir) => {
    mkdirSync(dir);
    return join(dir, 'out.root');
  }) as [string, string];
  const file = join(fixtureFolder, 'clusters.root');
  const args = (out: string) => ['merge', out, ...Array(20).fill(file), '--resume', '--reproducible'];
  expect(await run(args(single))).toMatchObject({ status: 0 });
  for (const after of [120, 180, 240]) {
    const child = start(args(product));
    const ended = new Promise((done) => child.on('close', done));
    await new Promise((done) => setTimeout(done, after));
    child.kill('SIGKILL');
    await ended;
    if (existsSync(product)) rmSync(product);
  }
  expect(await run(args(product))).toMatchObject({ status: 0 });
  expect(Buffer.compare(readFileSync(product), readFileSync(single))).toBe(0);
  expect(readdirSync(join(folder, 'killed'))).toEqual(['out.root']);
});
