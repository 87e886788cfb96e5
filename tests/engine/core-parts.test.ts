import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { CORE_PARTS, type CorePart } from '../../web/core/module';
import { createEngine } from '../../web/engine/engine';
import { createBufferSource } from '../../web/io/buffer-source';

const root = resolve(import.meta.dirname, '../..');
const compiled = (name: string) => WebAssembly.compile(readFileSync(resolve(root, `build/${name}.wasm`)));

/** Returns an engine with the core `name`, and a list of the parts that it has loaded. `bytes` is the content of each file. */
async function engineWith(
  name: string,
  { lacking, bytes }: { lacking?: CorePart; bytes?: Uint8Array } = {},
): Promise<{ engine: EngineApi; asked: string[] }> {
  const asked: string[] = [];
  const engine = await createEngine({
    module: await compiled(name),
    openSource: async (spec) => {
      if (spec.kind !== 'path') throw new Error('not a file');
      return createBufferSource(bytes ?? readFileSync(spec.path), spec.path);
    },
    modules: async (part) => {
      asked.push(part);
      if (part === lacking) throw new Error(`no ${part}`);
      return compiled(`xylem-${part}`);
    },
  });
  return { engine, asked };
}

/** Everything of a file: its keys, objects, and the values of its trees. */
async function contentsOf(engine: EngineApi, path: string): Promise<unknown[]> {
  const all: unknown[] = [];
  const told = async (call: Promise<unknown>): Promise<void> => {
    all.push(await call.catch(({ code, message }: { code: string; message: string }) => ({ code, message })));
  };
  const file = await engine.open({ kind: 'path', path }).catch(({ message }: Error) => message);
  if (typeof file === 'string') return [file];
  const keys = await engine.keys(file.id).catch(() => []);
  for (const key of keys) {
    if (key.kind !== 'tree' && key.kind !== 'ntuple') await told(engine.object(file.id, key.path));
    else {
      await told(engine.summarize(file.id, { tree: key.path }));
      await told(engine.layout(file.id, key.path));
    }
  }
  await engine.close(file.id);
  return all;
}

const files = ['', 'ntuple', 'written'].flatMap((folder) => {
  const at = resolve(root, 'tests/fixtures/files', folder);
  return readdirSync(at)
    .filter((name) => name.endsWith('.root'))
    .map((name) => resolve(at, name));
});

describe.skipIf(!existsSync(resolve(root, 'build/xylem-first.wasm')))('the core without its parts', () => {
  test('reads all files as the whole core does', { timeout: 120_000 }, async () => {
    expect(files.length).toBeGreaterThan(40);
    const whole = await engineWith('xylem');
    const first = await engineWith('xylem-first');
    for (const file of files) {
      expect(await contentsOf(first.engine, file), file).toEqual(await contentsOf(whole.engine, file));
    }
    expect([...new Set(first.asked)].sort()).toEqual([...CORE_PARTS].sort());
    expect(whole.asked).toEqual([]);
  });

  test.each([
    ['codec_zlib.root', []],
    ['codec_lz4.root', []],
    ['codec_zstd.root', ['zstd']],
    ['codec_lzma.root', ['xz']],
  ])('of %s asks for %j', async (name, parts) => {
    const { engine, asked } = await engineWith('xylem-first');
    await contentsOf(engine, resolve(root, 'tests/fixtures/files', name));
    expect(asked).toEqual(parts);
  });

  test('asks for a decoder that the header does not tell', async () => {
    const path = resolve(root, 'tests/fixtures/files/codec_zstd.root');
    const bytes = readFileSync(path);
    // fCompress of a small file is the 4 bytes at 33.
    bytes.writeInt32BE(101, 33);
    const { engine, asked } = await engineWith('xylem-first', { bytes });
    const { id, compression } = await engine.open({ kind: 'path', path });
    expect([compression, asked]).toEqual(['zlib 1', []]);
    const drawn = await engine.draw(id, { tree: 't', expr: 'noise' });
    expect(drawn).toMatchObject({ kind: 'histogram', entries: 300, partial: undefined });
    expect(asked).toEqual(['zstd']);
  });

  test('fails with the error of a part that cannot be loaded, and reads other files', async () => {
    const { engine } = await engineWith('xylem-first', { lacking: 'zstd' });
    const at = (name: string) => resolve(root, 'tests/fixtures/files', name);
    const { id } = await engine.open({ kind: 'path', path: at('codec_zstd.root') });
    await expect(engine.draw(id, { tree: 't', expr: 'noise' })).rejects.toThrow('no zstd');
    const other = await engine.open({ kind: 'path', path: at('codec_zlib.root') });
    expect(await engine.draw(other.id, { tree: 't', expr: 'noise' })).toMatchObject({ entries: 300 });
  });
});
