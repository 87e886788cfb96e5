import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deferredReader } from '../../../web/api/deferred-reader';
import type { EngineApi } from '../../../web/api/engine-api';
import type { Sink } from '../../../web/api/sink';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { type MergeSource, mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { resumableFile } from '../../../web/sinks/node-resumable-file';
import { programWith } from '../../cli/program';
import { bufferSpec, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-resume-'));
const out = join(folder, 'out.root');
const parts = ['clusters', 'embedded', 'ntuple_late', 'clusters', 'ntuple_late'];
const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
/** Bytes that were read for the last merge. */
let copied = 0;

beforeAll(async () => {
  writer = await nodeModules('write');
});
beforeEach(() => {
  copied = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

const sources = (names = parts): MergeSource[] =>
  names.map((name) => ({
    name,
    open: async () => {
      const info = await reader.open(
        bufferSpec(name, new Uint8Array(readFileSync(join(fixtureFolder, `${name}.root`)))),
      );
      const bytes: EngineApi['bytes'] = async (...args) => {
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

/** The same file with another date, as one that was written anew has it. */
const changed = (source: MergeSource): MergeSource => ({
  ...source,
  open: async () => {
    const { info, ...open } = await source.open();
    return { ...open, info: { ...info, validator: 'mtime 2' } };
  },
});

/** Merges until `writes` writes are done. Later ones fail, as all do in a process that was killed. */
async function merge(
  writes = Number.POSITIVE_INFINITY,
  files = sources(),
  reproducible = true,
): Promise<void> {
  const secrets = join(folder, 'secrets');
  const file = resumableFile(out, { version: '1', checkpointBytes: 1000, replace: true, secrets });
  let left = writes;
  const sink: Sink = {
    journal: file.journal,
    waitingBytes: file.waitingBytes,
    write: async (at, bytes) => {
      if (left-- <= 0) throw new Error('killed');
      await file.write(at, bytes);
    },
  };
  try {
    await mergeFiles(files, sink, { writer, name: 'out.root', reproducible });
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
  const [head = ''] = readFileSync(`${out}.partial.journal`, 'utf8').split('\n');
  const { uuid } = JSON.parse(head.slice(head.indexOf('{')));
  await merge(undefined, sources(), false);
  const info = await reader.open(bufferSpec('out', new Uint8Array(readFileSync(out))));
  expect(info.uuid.replaceAll('-', '')).toBe(uuid);
  const { findings } = await reader.check(info.id);
  expect(findings).toEqual([]);
});

describe('two runs of a merge at the same time', () => {
  const secrets = join(folder, 'secrets');
  const open = () => resumableFile(out, { version: '1', checkpointBytes: 1000, replace: true, secrets });
  const settings = { name: 'out.root', schema: 'strict', reproducible: true, inputs: [] };
  const fresh = () => ({ date: 1, uuid: new Uint8Array(16) });

  test('both have the file when the first of them ends', async () => {
    const [one, two] = [open(), open()];
    for (const file of [one, two]) {
      await file.journal.begin(settings, fresh());
      await file.write(0, new Uint8Array(5000).fill(7));
    }
    await one.close?.();
    const { path } = Object(await two.written?.()) as { path: string };
    expect(readFileSync(path)).toHaveLength(5000);
    await two.close?.();
    expect(readFileSync(out)).toEqual(Buffer.alloc(5000, 7));
    expect(existsSync(`${out}.partial`)).toBe(false);
  });

  test('one whose empty file another removed gives no name to the half file of that one', async () => {
    rmSync(out, { force: true });
    const [one, two] = [open(), open()];
    await one.journal.begin(settings, fresh());
    // As when the second looks before the first has a journal.
    rmSync(`${out}.partial.journal`);
    await two.journal.begin(settings, fresh());
    await one.write(0, new Uint8Array(5000).fill(7));
    await two.write(0, new Uint8Array(10).fill(7));
    await expect(one.close?.()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(existsSync(out)).toBe(false);
    await one.abort?.();
    await two.write(10, new Uint8Array(4990).fill(7));
    await two.close?.();
    expect(readFileSync(out)).toEqual(Buffer.alloc(5000, 7));
  });
});

describe('a journal', () => {
  const journal = `${out}.partial.journal`;
  test.each([
    ['other inputs', /other inputs/, sources(parts.slice(1))],
    ['a changed input', /before embedded changed/, sources().map((one, i) => (i === 1 ? changed(one) : one))],
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
    ['that ends in half a line', () => appendFileSync(journal, '0123456789abcdef {"end":9999')],
    ['of more than there is', () => truncateSync(`${out}.partial`, 2000)],
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

describe('what somebody else wrote into the files of a merge is not in its product', () => {
  const [partial, journal] = [`${out}.partial`, `${out}.partial.journal`];
  const FORGED = Buffer.from('FORGED--'.repeat(5));
  const forged = (bytes: Buffer): number => bytes.toString('latin1').split('FORGED--').length - 1;

  /** Changes bytes of OUT.partial that the journal says are on the disk. */
  function forge(at: number): void {
    const bytes = readFileSync(partial);
    bytes.set(FORGED, at);
    writeFileSync(partial, bytes);
  }

  test.each([0, 0.5, 0.9])('bytes that were changed, at %d of what is kept', async (part) => {
    await merge();
    const whole = readFileSync(out);
    await merge(16).catch(() => {});
    const kept = readFileSync(partial).length;
    forge(Math.floor(part * kept));
    copied = 0;
    await merge();
    expect(forged(readFileSync(out))).toBe(0);
    expect(Buffer.compare(readFileSync(out), whole)).toBe(0);
  });

  test('a line that says that more is on the disk', async () => {
    await merge();
    const whole = readFileSync(out);
    await merge(12).catch(() => {});
    const bytes = Buffer.concat([readFileSync(partial), Buffer.alloc(40_000)]);
    for (let at = 2000; at < bytes.length - 100; at += 100) bytes.set(FORGED, at);
    writeFileSync(partial, bytes);
    const sum = createHash('sha256').update(bytes).digest('hex');
    const [head = ''] = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${head}\n${'0'.repeat(64)} ${JSON.stringify({ end: bytes.length, sum })}\n`);
    await merge();
    expect(Buffer.compare(readFileSync(out), whole)).toBe(0);
  });

  test('a head that says that it is of these inputs', async () => {
    await merge();
    await merge(12, sources(parts.slice(1))).catch(() => {});
    const lines = readFileSync(journal, 'utf8').split('\n');
    const head = JSON.parse(lines[0]?.slice(65) ?? '');
    head.inputs = parts.map((name) => ({ ...head.inputs[0], name }));
    writeFileSync(
      journal,
      [`${lines[0]?.slice(0, 65)}${JSON.stringify(head)}`, ...lines.slice(1)].join('\n'),
    );
    await expect(merge()).rejects.toMatchObject({ code: 'ARGUMENT' });
    rmSync(partial);
    rmSync(journal);
  });

  test('another file under the name', async () => {
    await merge(12).catch(() => {});
    const bytes = readFileSync(partial);
    rmSync(partial);
    writeFileSync(join(folder, 'precious'), bytes);
    linkSync(join(folder, 'precious'), partial);
    await expect(merge()).rejects.toMatchObject({ code: 'ARGUMENT' });
    expect(readFileSync(join(folder, 'precious'))).toEqual(bytes);
    rmSync(partial);
    await merge();
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
