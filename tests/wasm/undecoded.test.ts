import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../web/core/core';
import { CoreFile } from '../../web/core/file-core';
import type { TapeValue } from '../../web/core/tape';
import { writePlain } from '../../web/export/canonical';
import { Bytes, type ClassInfo, record, streamerInfos } from './record';

const BASE = 0;
const INT = 3;
const ANY = 62;
const ANY_ARRAY = 82;

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));
});

async function read(classes: ClassInfo[], className: string, object: Bytes): Promise<TapeValue> {
  const file = new CoreFile(await Core.create(module), 64000);
  file.addStreamers(streamerInfos(classes));
  return file.object(record(className, object));
}

const a = { name: 'a', type: INT, typeName: 'int' };
const b = { name: 'b', type: INT, typeName: 'int' };

describe('an object that cannot be decoded', () => {
  test('of a class that the file does not describe is its bytes and why', async () => {
    const object = new Bytes().u32(0x40000006).u16(3).u32(7);
    const value = await read([], 'Unknown', object);
    expect(value).toEqual({
      _typename: 'Unknown',
      $error: 'class Unknown has no streamer info in this file',
      $bytes: object.done(),
    });
    let text = '';
    writePlain(value, (piece) => {
      text += piece;
    });
    expect(JSON.parse(text).$bytes).toBe(Buffer.from(object.done()).toString('base64'));
  });

  test('has the members before the one that stops it', async () => {
    const above = { name: 'Above', type: BASE, typeName: 'BASE' };
    const lost = { name: 'lost', type: ANY, typeName: 'Unknown' };
    const classes = [
      { name: 'Above', members: [b] },
      { name: 'Holder', members: [above, a, lost, { ...a, name: 'behind' }] },
    ];
    const object = new Bytes().u16(1).u16(1).u32(5).u32(6).u16(3).u32(7).u32(8);
    const why = 'class Unknown has no streamer info in this file';
    expect(await read(classes, 'Holder', object)).toEqual({
      _typename: 'Holder',
      b: 5,
      a: 6,
      lost: { $error: why },
      $error: why,
      $bytes: object.done(),
    });
  });

  test('skips a part of an unknown class by its length, and has all others', async () => {
    const lost = { name: 'lost', type: ANY, typeName: 'Unknown' };
    const object = new Bytes().u16(1).u32(6).u32(0x40000006).u16(3).u32(7).u32(8);
    expect(await read([{ name: 'Holder', members: [a, lost, b] }], 'Holder', object)).toEqual({
      _typename: 'Holder',
      a: 6,
      lost: { $error: 'class Unknown has no streamer info in this file' },
      b: 8,
    });
  });
});

test('an array of collections described as an object has no header', async () => {
  const member = { name: 'two', type: ANY_ARRAY, typeName: 'vector<int>', dimensions: [2] };
  const object = new Bytes().u32(0x40000016).u16(1).u32(2).u32(5).u32(6).u32(1).u32(7);
  expect(await read([{ name: 'Pair', members: [member] }], 'Pair', object)).toEqual({
    _typename: 'Pair',
    two: [Int32Array.of(5, 6), Int32Array.of(7)],
  });
});

test("RooFit's lists", async () => {
  const member = { name: 'list', type: ANY, typeName: 'RooLinkedList' };
  const object = new Bytes().u16(1).u16(3).object().u32(2);
  object.pointer('Item').u16(1).u32(9).u32(0).text('mine').u32(4);
  const classes = [
    { name: 'Item', members: [a] },
    { name: 'Space', members: [member, b] },
  ];
  expect(await read(classes, 'Space', object)).toMatchObject({
    list: { _typename: 'RooLinkedList', _size: 2, arr: [{ _typename: 'Item', a: 9 }, null], _name: 'mine' },
    b: 4,
  });
});

test('a TRef by UUID is its UUID, and by number only shows to the object of its own process', async () => {
  const uuid = 'a45ed46f-e603-11f1-90e7-020200c0beef';
  const IS_REFERENCED = 0x10;
  const HAS_UUID = 0x20;
  const target = (process: number): Bytes =>
    new Bytes().pointer('TObject').u16(1).u32(7).u32(IS_REFERENCED).u16(process);
  const list = new Bytes().u16(3).object().text('').u32(4).u32(0);
  list.add(target(1)).add(target(2));
  list.pointer('TRef').u16(1).u32(0x3000007).u32(0).u16(2);
  list.pointer('TRef').u16(1).u32(9).u32(HAS_UUID).text(uuid);
  const { arr } = (await read([], 'TObjArray', list)) as { arr: TapeValue[] };
  expect(arr).toEqual([
    { _typename: 'TObject', fUniqueID: 7, fBits: IS_REFERENCED },
    { _typename: 'TObject', fUniqueID: 7, fBits: IS_REFERENCED, $id: 3 },
    { _typename: 'TRef', fUniqueID: 0x3000007, fBits: 0, fPID: 2, $target: { $ref: 3 } },
    { _typename: 'TRef', fUniqueID: 9, fBits: HAS_UUID, $uuid: uuid },
  ]);
});
