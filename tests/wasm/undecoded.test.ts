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

test('a version is told only where a byte count shows that it is one', async () => {
  const data = new Bytes().u16(0x3011).u32(7);
  const known = [{ name: 'Known', members: [a] }];
  expect(await read(known, 'Known', data)).toMatchObject({
    $error: 'class Known has no streamer info in this file that fits its data',
  });
  const counted = new Bytes().u32(0x40000006).u16(0x3011).u32(7);
  expect(await read(known, 'Known', counted)).toMatchObject({
    $error: 'class Known version 12305 has no streamer info in this file',
  });
});

// Versions of RooFit's classes that no ROOT of today writes; those of 6.40 are in tests/model/workspaces.test.ts.
describe('forms of RooFit that its streamer infos do not describe', () => {
  const value = { name: '_value', type: 8, typeName: 'double' };
  const shared = [{ name: '_number', type: INT, typeName: 'int' }];
  const classes: ClassInfo[] = [
    { name: 'RooAbsRealLValue', members: [value] },
    { name: 'RooAbsCategoryLValue', members: [a] },
    { name: 'RooRealVarSharedProperties', members: shared },
    { name: 'RooCategorySharedProperties', members: shared },
    { name: 'RooPrintable', members: [] },
  ];
  const half = (bytes: Bytes): Bytes => bytes.u32(0x3fe00000).u32(0);
  const base = (): Bytes => half(new Bytes().u16(1));
  const errors = (bytes: Bytes): Bytes => half(half(half(bytes)));
  const known = { _value: 0.5, _error: 0.5, _asymErrLo: 0.5, _asymErrHi: 0.5 };
  /** An object of a version with a byte count. */
  const versioned = (version: number, body: Bytes): Bytes =>
    new Bytes()
      .u32(0x40000000 | (body.length + 2))
      .u16(version)
      .add(body);
  const described = (name: string, version: number): ClassInfo[] => [
    ...classes,
    { name, version, members: [{ name: '_not', type: INT, typeName: 'int' }] },
  ];

  test.each<[number, Bytes, object]>([
    [1, errors(half(half(base())).u32(100)), { fitMin: 0.5, fitMax: 0.5, fitBins: 100 }],
    [2, errors(base()).u32(0), { _binning: null }],
    [3, errors(base()).u32(0).u32(0), { _binning: null, _sharedProp: null }],
    [4, errors(base()).u32(0).u16(1).u32(7), { _binning: null, _sharedProp: { _number: 7 } }],
    [9, errors(base()).u32(0).u16(1).u32(7), { _binning: null, _sharedProp: { _number: 7 } }],
  ])('RooRealVar, version %i', async (version, body, more) => {
    const read1 = await read(described('RooRealVar', version), 'RooRealVar', versioned(version, body));
    expect(read1).toMatchObject({ _typename: 'RooRealVar', ...known, ...more });
    expect(read1).not.toHaveProperty('_not');
  });

  test('RooCategory, RooAbsBinning, RooRefArray and RooWorkspace::CodeRepo', async () => {
    const category = (): Bytes => new Bytes().u16(1).u32(5);
    expect(
      await read(described('RooCategory', 1), 'RooCategory', versioned(1, category().u32(0))),
    ).toMatchObject({
      ...{ a: 5, _sharedProp: null },
    });
    const withShared = versioned(2, category().u16(1).u32(7));
    expect(await read(described('RooCategory', 2), 'RooCategory', withShared)).toMatchObject({
      ...{ a: 5, _sharedProp: { _number: 7 } },
    });
    const binning = versioned(1, new Bytes().object().u16(1));
    expect(await read(described('RooAbsBinning', 1), 'RooAbsBinning', binning)).toMatchObject({
      fUniqueID: 0,
    });
    const references = new Bytes().u16(1).object().text('').u32(2).u32(0).u16(0).u32(3).u32(4);
    const array = { _typename: 'RooRefArray', fUIDs: Uint32Array.of(3, 4) };
    expect(await read(classes, 'RooRefArray', versioned(1, references))).toMatchObject(array);
    expect(await read(described('RooRefArray', 1), 'RooRefArray', versioned(1, references))).toMatchObject(
      array,
    );
    for (const version of [1, 2]) {
      const code = new Bytes().u32(1).text('My').text('hh').text('header').text('code').u32(0);
      if (version === 2) code.u32(1).text('extra').text('name').text('text');
      expect(await read([], 'RooWorkspace::CodeRepo', versioned(version, code))).toEqual({
        _typename: 'RooWorkspace::CodeRepo',
        _fmap: [['My', 'hh', 'header', 'code']],
        _c2fmap: [],
        ...(version === 2 && { _ehmap: [['extra', 'name', 'text']] }),
      });
    }
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
