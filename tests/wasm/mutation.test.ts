import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { fromRecord, toXylemError } from '../../web/base/errors';
import { createEngine } from '../../web/engine/engine';
import { createBufferSource } from '../../web/io/buffer-source';
import { fixtureFolder } from '../engine/fixtures';
import { createRandom, damage, storePlain } from './damage';

// Damaged files through the whole reader as it runs in the page, in one thread. Ordinary runs take
// a sample; XYLEM_MUTATIONS=10000 takes more, XYLEM_MUTATION=123 only the case of that number, and
// XYLEM_MUTATION_FILES=ntuple only files with that in their names.

const SAMPLE = 1000;
/** Maximum time for one file, which has at most 50 kB. */
const MAX_CPU_MS = 2000;
const MAX_MEMORY = 128 * 1024 * 1024;

const wasm = readFileSync(resolve(fixtureFolder, '../../../build/xylem.wasm'));
let module: WebAssembly.Module;
let files: { name: string; bytes: Uint8Array }[];
let memory: WebAssembly.Memory | undefined;
const { instantiate } = WebAssembly;

beforeAll(async () => {
  module = await WebAssembly.compile(wasm);
  // The engine keeps its core to itself; its memory is wanted here.
  WebAssembly.instantiate = (async (...args: Parameters<typeof instantiate>) => {
    const instance = (await instantiate(...args)) as unknown as WebAssembly.Instance;
    memory = instance.exports.memory as WebAssembly.Memory;
    return instance;
  }) as unknown as typeof WebAssembly.instantiate;
  const decompress = await createDecompressor();
  files = readdirSync(fixtureFolder)
    .filter((name) => name.endsWith('.root') && name.includes(process.env.XYLEM_MUTATION_FILES ?? ''))
    .sort()
    .flatMap((name) => {
      const bytes = new Uint8Array(readFileSync(resolve(fixtureFolder, name)));
      return [
        { name, bytes },
        { name: `${name} stored plain`, bytes: storePlain(bytes, decompress) },
      ];
    });
});

afterAll(() => {
  WebAssembly.instantiate = instantiate;
});

async function createDecompressor(): Promise<(packed: Uint8Array, length: number) => Uint8Array> {
  const { exports } = await WebAssembly.instantiate(module, {
    env: { emscripten_notify_memory_growth: () => {}, xy_clock: () => 0 },
  });
  const x = exports as unknown as {
    memory: WebAssembly.Memory;
    _initialize(): void;
    xy_alloc(size: number): number;
    xy_free(pointer: number): void;
    xy_codec_create(): number;
    xy_decompress(codec: number, err: number, src: number, n: number, dst: number, m: number): number;
  };
  x._initialize();
  const codec = x.xy_codec_create();
  return (packed, length) => {
    const at = x.xy_alloc(512 + packed.length + length);
    new Uint8Array(x.memory.buffer, at, 512).fill(0);
    new Uint8Array(x.memory.buffer, at + 512, packed.length).set(packed);
    const target = at + 512 + packed.length;
    expect(x.xy_decompress(codec, at, at + 512, packed.length, target, length)).toBe(0);
    const result = new Uint8Array(x.memory.buffer, target, length).slice();
    x.xy_free(at);
    return result;
  };
}

interface Outcome {
  /** Error codes that were met. */
  codes: string[];
  /** Results that must not occur. */
  wrong: string[];
}

/** Opens, lists, and reads the first and the last entry of all branches and every object. */
async function readEverything(bytes: Uint8Array): Promise<Outcome> {
  const codes: string[] = [];
  const wrong: string[] = [];
  const told = (thrown: unknown): void => {
    const error = toXylemError(thrown);
    codes.push(error.code);
    if (error.code === 'INTERNAL' || error.message.length < 12) wrong.push(`${error.code} ${error.message}`);
  };
  const reader = await createEngine({
    module,
    openSource: async () => createBufferSource(bytes, 'damaged.root'),
  });
  try {
    const { id } = await reader.open({ kind: 'buffer', name: 'damaged.root', buffer: new ArrayBuffer(0) });
    await reader.types(id).catch(told);
    for (const key of (await reader.keys(id)).slice(0, 40)) {
      const path = `${key.path};${key.cycle}`;
      if (key.kind === 'directory') continue;
      if (key.kind !== 'tree' && key.kind !== 'ntuple') await reader.object(id, path).catch(told);
      else await readTree(reader, id, path, told).catch(told);
    }
    await reader.close(id);
  } catch (thrown) {
    told(thrown);
  }
  const size = memory?.buffer.byteLength ?? 0;
  if (size > MAX_MEMORY) wrong.push(`${size} bytes of memory`);
  return { codes, wrong };
}

async function readTree(reader: EngineApi, id: number, path: string, told: (thrown: unknown) => void) {
  const { branches } = await reader.tree(id, path);
  for (const branch of branches.slice(0, 300)) {
    const last = Math.min(branch.entries, 2 ** 53 - 1);
    for (const entries of [
      [0, 1],
      [Math.max(0, last - 1), last],
    ] as [number, number][]) {
      const [result] = await reader.arrays(id, { tree: path, branches: [branch.index], entries });
      if (result?.error !== undefined) told(fromRecord(result.error));
      if (branch.index >= 10) continue;
      const [raw] = await reader.arrays(id, { tree: path, branches: [branch.index], entries, raw: true });
      if (raw?.error !== undefined) told(fromRecord(raw.error));
    }
  }
}

const only = process.env.XYLEM_MUTATION;
const count = Number(process.env.XYLEM_MUTATIONS ?? SAMPLE);

test('undamaged, plain copies are read', async () => {
  for (const { name, bytes } of files) {
    const { codes, wrong } = await readEverything(bytes);
    expect({
      name,
      codes: codes.filter((code) => code !== 'UNSUPPORTED' && code !== 'NO_STREAMER'),
      wrong,
    }).toEqual({ name, codes: [], wrong: [] });
  }
}, 60_000);

test(
  `${only === undefined ? count : 1} damaged files are read or fail with a message`,
  async () => {
    const failures: string[] = [];
    const codes = new Map<string, number>();
    let slowest = [0, 0] as [ms: number, index: number];
    let largest = 0;
    for (let i = Number(only ?? 0); i < (only === undefined ? count : Number(only) + 1); i++) {
      const random = createRandom(i);
      const { name, bytes } = files[i % files.length] ?? { name: '', bytes: new Uint8Array() };
      const hurt = damage(bytes, random);
      const started = process.cpuUsage();
      const outcome = await readEverything(hurt.bytes);
      const used = process.cpuUsage(started); // a busy machine makes no file slow
      const ms = (used.user + used.system) / 1000;
      if (ms > slowest[0]) slowest = [ms, i];
      largest = Math.max(largest, memory?.buffer.byteLength ?? 0);
      for (const code of outcome.codes) codes.set(code, (codes.get(code) ?? 0) + 1);
      if (ms > MAX_CPU_MS) outcome.wrong.push(`${Math.round(ms)} ms`);
      const [wrong] = outcome.wrong;
      if (wrong !== undefined) failures.push(`XYLEM_MUTATION=${i}: ${name}, ${hurt.what}: ${wrong}`);
    }
    if (process.env.XYLEM_MUTATIONS !== undefined) {
      const figures = {
        count,
        slowest: `${Math.round(slowest[0])} ms (${slowest[1]})`,
        largest,
        ...Object.fromEntries(codes),
      };
      process.stderr.write(`${JSON.stringify(figures)}\n`);
    }
    expect(failures.slice(0, 20)).toEqual([]);
    if (only === undefined) expect(codes.size, 'damage is seen').toBeGreaterThan(3);
  },
  Math.max(60_000, count * 200),
);
