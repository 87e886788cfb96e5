import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import { Core } from '../../web/core/core';
import { CoreFile } from '../../web/core/file-core';
import type { TapeValue } from '../../web/core/tape';
import { cpuMs } from '../cpu';
import { Bytes, type ClassInfo, record, streamerInfos } from './record';

// The stack of the wasm has 768 KiB, and V8's own has 984 kB: what a file nests must end in a failure
// that is told before either does.

const BASE = 0;
const ANY = 62;
const OBJECT_POINTER = 64;
const STL = 500;

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));
});

async function read(
  classes: ClassInfo[],
  className: string,
  object: Bytes,
  megabytes = 64,
): Promise<TapeValue | XylemError> {
  const core = await Core.create(module);
  const file = new CoreFile(core, 64000);
  try {
    file.addStreamers(streamerInfos(classes));
    return file.object(record(className, object));
  } catch (thrown) {
    if (thrown instanceof XylemError) return thrown;
    throw thrown; // a trap
  } finally {
    expect(core.memoryBytes).toBeLessThan(megabytes * 1024 * 1024);
  }
}

/** How deep a value nests. */
function depthOf(value: TapeValue): number {
  let depth = 0;
  let level: TapeValue[] = [value];
  while (level.length > 0) {
    depth++;
    level = level.flatMap((item) =>
      item !== null && typeof item === 'object' && !ArrayBuffer.isView(item) ? Object.values(item) : [],
    );
  }
  return depth;
}

/** Reads with growing depth; gives the largest that was read. Beyond it all must be UNSUPPORTED. */
async function deepest(
  classes: ClassInfo[],
  className: string,
  make: (depth: number) => Bytes,
): Promise<number> {
  let most = 0;
  for (const depth of [
    1, 2, 5, 10, 20, 30, 40, 50, 58, 80, 100, 118, 119, 120, 121, 150, 250, 299, 300, 500, 598, 599, 600, 601,
    1000, 5000,
  ]) {
    const value = await read(classes, className, make(depth));
    if (value instanceof XylemError)
      expect(value.code, `depth ${depth}: ${value.message}`).toBe('UNSUPPORTED');
    else {
      expect(depthOf(value)).toBeGreaterThan(depth);
      expect(most, `depth ${depth} is read, a smaller one was not`).toBeGreaterThanOrEqual(0);
      most = depth;
    }
  }
  return most;
}

describe('objects', () => {
  test('lists within lists', async () => {
    const make = (depth: number): Bytes => {
      const bytes = new Bytes();
      for (let i = 0; i < depth; i++) bytes.u16(5).object().text('').u32(1).pointer('TList');
      bytes.u16(5).object().text('').u32(0);
      for (let i = 0; i < depth; i++) bytes.u8(0);
      return bytes;
    };
    expect(await deepest([], 'TList', make)).toBeGreaterThanOrEqual(500);
  });

  test('arrays and maps within each other', async () => {
    const make = (depth: number): Bytes => {
      const bytes = new Bytes();
      for (let i = 0; i < depth; i++) {
        if (i % 2 === 0) bytes.u16(3).object().text('').u32(1).u32(0).pointer('TMap');
        else bytes.u16(3).object().text('').u32(1).u32(0).pointer('TObjArray');
      }
      return bytes.u16(3).object().text('').u32(0).u32(0).u32(0).u32(0);
    };
    const value = await read([], 'TObjArray', make(5000));
    expect(value).toBeInstanceOf(XylemError);
    expect((value as XylemError).code).toBe('UNSUPPORTED');
  });

  test('a chain of pointers', async () => {
    const classes = [{ name: 'Link', members: [{ name: 'next', type: OBJECT_POINTER, typeName: 'Link*' }] }];
    const make = (depth: number): Bytes => {
      const bytes = new Bytes().u16(1);
      for (let i = 0; i < depth; i++) bytes.pointer('Link').u16(1);
      return bytes.u32(0);
    };
    expect(await deepest(classes, 'Link', make)).toBeGreaterThanOrEqual(299);
  });

  test('objects with byte counts: those that are too deep are stepped over, and what follows is read', async () => {
    const classes = [
      {
        name: 'Link',
        members: [
          { name: 'next', type: OBJECT_POINTER, typeName: 'Link*' },
          { name: 'after', type: 3, typeName: 'int' },
        ],
      },
    ];
    for (const depth of [250, 298, 299, 300, 400, 2000]) {
      let object = new Bytes().u16(1).u32(0).u32(depth);
      for (let i = depth - 1; i >= 0; i--) object = new Bytes().u16(1).counted('Link', object).u32(i);
      const value = await read(classes, 'Link', object);
      expect(value).toMatchObject({ _typename: 'Link', after: 0 });
      let at = value as { next?: TapeValue; after?: number };
      let length = 0;
      while (at.next !== null && at.next !== undefined && !('$error' in (at.next as object))) {
        at = at.next as typeof at;
        expect(at.after).toBe(++length);
      }
      if (depth < 300) expect(length).toBe(depth);
      else
        expect(at.next, `depth ${depth}`).toEqual({
          $error: expect.stringMatching(/nest deeper than 600 levels/),
        });
    }
  });

  test('collections of collections of the class itself', async () => {
    for (const levels of [1, 10, 40]) {
      const typeName = `${'vector<'.repeat(levels)}Box${'>'.repeat(levels)}`;
      const classes = [{ name: 'Box', members: [{ name: 'boxes', type: STL, typeName, stl: true }] }];
      const make = (depth: number): Bytes => {
        const bytes = new Bytes().u16(1);
        for (let i = 0; i < depth; i++) {
          bytes.u16(9);
          for (let k = 0; k < levels; k++) bytes.u32(1);
          bytes.u16(1);
        }
        return bytes.u16(9).u32(0);
      };
      expect(await deepest(classes, 'Box', make), `${levels} levels`).toBeGreaterThan(levels > 20 ? 0 : 4);
    }
  });
});

describe('classes', () => {
  const chain = (length: number, type: number): ClassInfo[] =>
    Array.from({ length }, (_, i) => ({
      name: `C${i}`,
      members:
        i + 1 === length
          ? [{ name: 'x', type: 3, typeName: 'int' }]
          : [
              {
                name: type === BASE ? `C${i + 1}` : 'inner',
                type,
                typeName: type === BASE ? 'BASE' : `C${i + 1}`,
              },
            ],
    }));

  test.each([
    ['members', ANY],
    ['bases', BASE],
  ])('a chain of %s', async (_, type) => {
    for (const length of [10, 100, 1000, 3000]) {
      const object = new Bytes();
      for (let i = 0; i < length; i++) object.u16(1);
      const value = await read(chain(length, type), 'C0', object.u32(7));
      if (length <= 40) expect(value).not.toBeInstanceOf(XylemError);
      if (value instanceof XylemError) expect(value.code, value.message).toBe('UNSUPPORTED');
    }
  });

  test('one that contains itself, or is its own base', async () => {
    for (const type of [ANY, BASE]) {
      const classes = [
        { name: 'Self', members: [{ name: type === BASE ? 'Self' : 'self', type, typeName: 'Self' }] },
      ];
      const object = new Bytes();
      for (let i = 0; i < 5000; i++) object.u16(1);
      const value = await read(classes, 'Self', object);
      expect(value).toBeInstanceOf(XylemError);
      expect((value as XylemError).code).toBe('UNSUPPORTED');
    }
  });

  test('a type name of thousands of brackets', async () => {
    const typeName = `${'vector<'.repeat(5000)}int${'>'.repeat(5000)}`;
    const classes = [{ name: 'Deep', members: [{ name: 'v', type: STL, typeName, stl: true }] }];
    const object = new Bytes().u16(1).u16(9);
    for (let i = 0; i < 100; i++) object.u32(1);
    const value = await read(classes, 'Deep', object);
    expect(value).toMatchObject({ _typename: 'Deep', $error: expect.stringMatching(/nest too deeply/) });
  });
});

describe('claims of a small file', () => {
  test('an array of 2^30 numbers, whose bytes are 0 modulo 2^32', async () => {
    for (const dimensions of [[1 << 30], [1 << 15, 1 << 15], [1 << 16, 1 << 16, 1 << 16], [0x7fffffff, 2]]) {
      for (const [type, typeName] of [
        [23, 'int'],
        [28, 'double'],
        [21, 'char'],
      ] as const) {
        const classes = [{ name: 'Wide', members: [{ name: 'x', type, typeName, dimensions }] }];
        const value = await read(classes, 'Wide', new Bytes().u16(1).u32(1).u32(2));
        expect(value, String(dimensions)).toBeInstanceOf(XylemError);
        expect(['CORRUPT', 'TRUNCATED', 'UNSUPPORTED', 'BUDGET']).toContain((value as XylemError).code);
      }
    }
  });

  test('names of members that are longer than the objects', async () => {
    const name = 'n'.repeat(60_000);
    const classes = [
      { name: 'Tiny', members: [{ name, type: 1, typeName: 'char' }] },
      { name: 'Many', members: [{ name: 'v', type: STL, typeName: 'vector<Tiny>', stl: true }] },
    ];
    const object = new Bytes().u16(1).u16(9).u32(20_000);
    for (let i = 0; i < 20_000; i++) object.u16(1).u8(1);
    const value = await read(classes, 'Many', object, 300);
    expect(value).toBeInstanceOf(XylemError);
    expect((value as XylemError).code).toBe('BUDGET');
  });

  test('thousands of classes, and of layouts of one class', async () => {
    for (const name of [(i: number) => `Class${i}`, () => 'Same']) {
      const classes = Array.from({ length: 5000 }, (_, i) => ({
        name: name(i),
        members: [{ name: 'x', type: 62, typeName: `Class${(i * 7) % 5000}` }],
      }));
      const started = cpuMs();
      const value = await read(classes, 'TObjString', new Bytes().u16(1).object().text('hello'));
      expect(value).not.toBeInstanceOf(XylemError);
      expect(cpuMs() - started).toBeLessThan(20_000);
    }
  }, 120_000);

  test('2^31 arrays of no element each', async () => {
    const classes = [
      {
        name: 'Empties',
        members: [
          { name: 'n', type: 6, typeName: 'int' },
          { name: 'x', type: 43, typeName: 'int*', count: 'n', dimensions: [0x7fffffff] },
        ],
      },
    ];
    const value = await read(classes, 'Empties', new Bytes().u16(1).u32(0).u8(0));
    expect(value).toBeInstanceOf(XylemError);
  });

  test('a counter that counts itself', async () => {
    const classes = [{ name: 'Odd', members: [{ name: 'n', type: 43, typeName: 'int*', count: 'n' }] }];
    const value = await read(classes, 'Odd', new Bytes().u16(1).u8(1).u32(1));
    expect(value).toBeInstanceOf(XylemError);
    expect((value as XylemError).code).toBe('CORRUPT');
  });
});
