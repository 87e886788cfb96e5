import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/run.mjs';

// The decoders as they run in the page: wasm takes other paths than the native tests see, in adler32
// (SIMD) and in zstd (a 64-bit bit container on 32-bit addresses).

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  xy_alloc(size: number): number;
  xy_free(address: number): void;
  xy_codec_create(): number;
  xy_decompress(codec: number, err: number, src: number, srcLen: number, dst: number, dstLen: number): number;
}

const statusOk = 0;
const statusChecksum = 32;
const errorBytes = 512;
const guard = 64;
const canary = 0xa5;

let core: Exports;
let codec: number;
let err: number;

beforeAll(async () => {
  const bytes = await readFile(join(root, 'build', 'xylem.wasm'));
  const imports = { env: { emscripten_notify_memory_growth: () => undefined, xy_clock: () => 0 } };
  core = (await WebAssembly.instantiate(bytes, imports)).instance.exports as unknown as Exports;
  core._initialize();
  codec = core.xy_codec_create();
  err = core.xy_alloc(errorBytes);
});

/** Decompresses with guard bytes after the output, which must not change. */
function decompress(object: Uint8Array, length: number): { status: number; bytes: Uint8Array } {
  const src = core.xy_alloc(object.length);
  const dst = core.xy_alloc(length + guard);
  const memory = new Uint8Array(core.memory.buffer);
  memory.set(object, src);
  memory.fill(canary, dst, dst + length + guard);
  memory.fill(0, err, err + errorBytes);
  const status = core.xy_decompress(codec, err, src, object.length, dst, length);
  const after = new Uint8Array(core.memory.buffer);
  const behind = after.slice(dst + length, dst + length + guard);
  const bytes = after.slice(dst, dst + length);
  core.xy_free(src);
  core.xy_free(dst);
  expect(behind.every((byte) => byte === canary)).toBe(true);
  return { status, bytes };
}

function envelope(tag: string, payload: Uint8Array, length: number): Uint8Array {
  const le24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
  return Uint8Array.from([
    ...Buffer.from(tag, 'latin1'),
    8,
    ...le24(payload.length),
    ...le24(length),
    ...payload,
  ]);
}

/** Reproducible bytes: all 255 (the largest sums), or pseudo-random ones of few values. */
function content(kind: 'full' | 'mixed', length: number): Uint8Array {
  let seed = 1;
  return Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return kind === 'full' ? 255 : (seed >>> 16) & 0x9f;
  });
}

const lengths = [40, 47, 48, 49, 63, 64, 100, 5551, 5552, 5553, 5568, 11104, 32768, 100003];

describe.each(['full', 'mixed'] as const)('%s bytes', (kind) => {
  test.each(lengths)('zlib data of %i bytes comes back, its checksum is checked', (length) => {
    const data = content(kind, length);
    const object = envelope('ZL', deflateSync(data), length);
    if (object.length === length) return; // would count as not compressed
    expect(decompress(object, length)).toEqual({ status: statusOk, bytes: data });
    object[object.length - 1] = (object.at(-1) ?? 0) ^ 1;
    expect(decompress(object, length).status).toBe(statusChecksum);
  });

  test.each(lengths)('raw deflate of %i bytes comes back', (length) => {
    const data = content(kind, length);
    const object = envelope('CS', deflateRawSync(data), length);
    expect(decompress(object, length)).toEqual({ status: statusOk, bytes: data });
  });
});

/** The compressed objects of one block each in a file that ROOT wrote. */
async function storedBlocks(name: string, tag: string): Promise<{ object: Buffer; length: number }[]> {
  const file = await readFile(join(root, 'tests', 'fixtures', 'files', name));
  const blocks: { object: Buffer; length: number }[] = [];
  for (let at = file.indexOf(tag); at >= 0 && at + 9 < file.length; at = file.indexOf(tag, at + 1)) {
    const object = file.subarray(at, at + 9 + file.readUIntLE(at + 3, 3));
    const length = file.readUIntLE(at + 6, 3);
    if (file[at + 2] === 1 && length > object.length && length < 1 << 20) blocks.push({ object, length });
  }
  return blocks;
}

test.each([
  ['codec_zstd.root', 'ZS'],
  ['codec_lz4.root', 'L4'],
])('damage to the blocks of %s stays inside of the output', async (name, tag) => {
  const blocks = await storedBlocks(name, tag);
  expect(blocks.length).toBeGreaterThan(3);
  let failed = 0;
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 8) % below;
  };
  for (const { object, length } of blocks) {
    expect(decompress(object, length).status).toBe(statusOk);
    for (let round = 0; round < 200; round++) {
      const damaged = Uint8Array.from(object);
      damaged[9 + random(object.length - 9)] = random(256);
      if (decompress(damaged, length).status !== statusOk) failed++;
    }
    expect(decompress(object, length).status).toBe(statusOk);
  }
  expect(failed).toBeGreaterThan(blocks.length * 20);
});
