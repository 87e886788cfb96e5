import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { XylemError } from '../../../web/base/errors';
import { readExactTape } from '../../../web/core/tape';
import { writeTape } from '../../../web/core/tape-writer';
import { ClassCodec } from '../../../web/features/writer/work/encode/class-codec';
import type { ObjectData } from '../../../web/features/writer/work/encode/types';
import { StreamerUnion } from '../../../web/features/writer/work/merge/streamer-union';
import { fixtureBytes, fixtureFolder } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { bothModules, recordsOf, recordWith } from './module';

/** Records that hold something else than an object. */
const NO_OBJECTS = /^(TFile|TDirectory|TDirectoryFile|TBasket|RBlob|ROOT::(Experimental::)?RNTuple|)$/;

let modules: Awaited<ReturnType<typeof bothModules>>;
beforeAll(async () => {
  modules = await bothModules();
});

interface Tally {
  objects: number;
  /** Objects whose new bytes are those of the file. */
  identical: number;
  /** Objects, or files, that cannot be read, with the reason. */
  refused: string[];
  faults: string[];
}

/** The error of a call that is ours; undefined after success. */
function attempt(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof XylemError && !modules.writer.lost) return thrown.message;
    throw thrown;
  }
}

/** The checksums of all classes that a file describes. */
function checksumsOf(bytes: Uint8Array): Set<number> {
  const { records, classes } = recordsOf(modules, bytes);
  const key = records.findLast(({ name, className }) => name === 'StreamerInfo' && className === 'TList');
  const list = key && classes.read(bytes.subarray(key.at, key.at + key.nbytes));
  classes.free();
  const infos = Array.isArray(list?.arr) ? (list.arr as ObjectData[]) : [];
  return new Set(infos.map(({ fCheckSum }) => Number(fCheckSum) >>> 0));
}

/** Checksums on a tape that no class has: other bytes were taken for them. */
function strayChecksums(tape: Uint8Array, known: ReadonlySet<number>): number[] {
  const found: number[] = [];
  if (!Buffer.from(tape.buffer, tape.byteOffset, tape.length).includes('$checksum')) return found;
  const seen = new Set<unknown>();
  const left: unknown[] = [readExactTape(tape)];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    for (const [name, value] of Object.entries(next)) {
      if (name.startsWith('$checksum') && !known.has(Number(value) >>> 0)) found.push(Number(value));
      left.push(value);
    }
  }
  return found;
}

/** Reads an object, writes it from its tape and from data, and reads it again. */
function writeOne(classes: ClassCodec, record: Uint8Array, keyLength: number, tape: Uint8Array): Uint8Array {
  const written = classes.fromTape(tape, keyLength);
  const again = classes.tape(recordWith(record, keyLength, written));
  if (Buffer.compare(tape, again) !== 0) throw new Error('another tape');
  const data = writeTape(readExactTape(tape) as ObjectData);
  if (Buffer.compare(classes.fromTape(data, keyLength), written) !== 0)
    throw new Error('other bytes from data');
  return written;
}

function writeAll(name: string, bytes: Uint8Array, tally: Tally): void {
  const { records, classes } = recordsOf(modules, bytes);
  const checksums = checksumsOf(bytes);
  for (const key of records) {
    if (NO_OBJECTS.test(key.className)) continue;
    const record = bytes.subarray(key.at, key.at + key.nbytes);
    const where = `${name}: ${key.className} ${key.name};${key.cycle}`;
    let tape = new Uint8Array();
    const unread = attempt(() => {
      tape = Uint8Array.from(classes.tape(record));
    });
    if (unread !== undefined) {
      tally.refused.push(`${where}: ${unread}`);
      continue;
    }
    tally.objects += 1;
    try {
      const written = writeOne(classes, record, key.keylen, tape);
      if (Buffer.compare(written, classes.unpack(record)) === 0) tally.identical += 1;
      const stray = strayChecksums(tape, checksums);
      if (stray.length > 0) throw new Error(`no class has the checksum ${stray.join(', ')}`);
    } catch (thrown) {
      tally.faults.push(`${where}: ${String(thrown)}`);
    }
  }
  classes.free();
}

function writeFolder(folder: string): Tally {
  const tally: Tally = { objects: 0, identical: 0, refused: [], faults: [] };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.root') || /^(hostile|damaged)\//.test(name)) continue;
    const unread = attempt(() => writeAll(name, readFileSync(join(folder, name)), tally));
    if (unread !== undefined) tally.refused.push(`${name}: ${unread}`);
  }
  return tally;
}

describe('every object that is read, written and read again has the same tape', () => {
  test('of the fixtures', () => {
    const { objects, identical, refused, faults } = writeFolder(fixtureFolder);
    expect(faults).toEqual([]);
    expect(refused.sort()).toEqual([
      'edges/clones.root: TClonesArray TH1F;1: Objects with the base class TArrayF that are stored member by member cannot be decoded.',
      'edges/clones.root: TClonesArray TList;1: A TClonesArray of TList that is stored member by member cannot be decoded.',
      'edges/clones.root: TClonesArray TObjArray;1: A TClonesArray of TObjArray that is stored member by member cannot be decoded.',
      'edges/clones.root: TClonesArray TObject;1: A TClonesArray of TObject that is stored member by member cannot be decoded.',
      'edges/clones.root: TClonesArray TRef;1: A TClonesArray of TRef that is stored member by member cannot be decoded.',
      'edges/clones.root: TList list;1: A TClonesArray of TRef that is stored member by member cannot be decoded.',
      'edges/deep.root: TList deeper;1: Objects nest deeper than 600 levels.',
      'edges/deep_tree.root: TList trees;1: Objects nest deeper than 600 levels.',
      'page/roofit.root: RooPlot frame;1: Class RooRealVar has no streamer info in this file.',
      'page/values.root: RooFitResult fit;1: Class RooRealVar has no streamer info in this file.',
      'page/zoo.root: RooPlot roofit;1: Class RooRealVar has no streamer info in this file.',
    ]);
    // The others are functions: TFormula has bools that ROOT did not set, whose bytes are neither 0 nor 1; and a list of
    // streamer infos with room behind it.
    expect(objects - identical).toBe(20);
    expect(objects).toBeGreaterThan(200);
  });

  test('also after it got a longer name: all byte counts grow, with those of a class whose version is 0', () => {
    const bytes = fixtureBytes('histograms');
    const { records, classes } = recordsOf(modules, bytes);
    const key = records.find(({ className }) => className === 'TH1L');
    if (!key) throw new Error('there is no TH1L');
    const record = bytes.subarray(key.at, key.at + key.nbytes);
    const object = classes.read(record);
    // The object, TH1 and TNamed each begin with a count of 4 bytes and a version of 2 bytes.
    const counts = (plain: Uint8Array) => {
      const view = new DataView(plain.buffer, plain.byteOffset);
      return [0, 6, 12].map((at) => view.getUint32(at) - 0x40000000);
    };
    const before = counts(classes.unpack(record));
    const after = counts(classes.write({ ...object, fName: `more${String(object.fName)}` }, key.keylen));
    expect(after).toEqual(before.map((count) => count + 4));
    classes.free();
  });

  test('of the streamer infos, without them', () => {
    for (const name of ['histograms', 'references', 'objects_split99']) {
      const bytes = fixtureBytes(name);
      const key = recordsOf(modules, bytes).records.find((record) => record.name === 'StreamerInfo');
      if (!key) throw new Error('there are no streamer infos');
      const classes = new ClassCodec(modules.writer, 64000);
      const record = bytes.subarray(key.at, key.at + key.nbytes);
      const infos = classes.read(record);
      expect(infos).toMatchObject({ _typename: 'TList', arr: { length: expect.any(Number) } });
      expect(Buffer.compare(classes.write(infos, key.keylen), classes.unpack(record))).toBe(0);
      classes.free();
    }
  });

  const corpus = process.env.XYLEM_CORPUS ?? '';
  test.skipIf(lacks('the files of XYLEM_CORPUS', existsSync(corpus)))(
    'of the corpus',
    { timeout: 600_000 },
    () => {
      const { objects, identical, refused, faults } = writeFolder(corpus);
      expect(faults).toEqual([]);
      expect(objects).toBeGreaterThan(7000);
      // Besides such bools: writers that name a class at each object, instead of once.
      expect(identical / objects).toBeGreaterThan(0.998);
      expect(refused.length).toBeLessThan(25);
    },
  );
});

test('a list of classes that describes streamer infos, too, is put together with one that does not', () => {
  const bytes = fixtureBytes('histograms');
  const { records, classes } = recordsOf(modules, bytes);
  const key = records.findLast(({ name }) => name === 'StreamerInfo');
  if (!key) throw new Error('no streamer infos');
  const record = bytes.slice(key.at, key.at + key.nbytes);
  const infosOf = (list: ObjectData) => list.arr as ObjectData[];
  const named = (list: ObjectData, name: string) =>
    infosOf(list).find(({ fName }) => fName === name) as ObjectData;
  const elementsOf = (info: ObjectData) => (info.fElements as ObjectData).arr as ObjectData[];

  // TStreamerInfo as ROOT describes it, with the elements of other classes.
  const list = classes.readInfos(record);
  const [base] = elementsOf(named(list, 'TH1'));
  const number = elementsOf(named(list, 'TAxis')).find(({ fName }) => fName === 'fFirst');
  const pointer = elementsOf(named(list, 'TH1')).find(({ fName }) => fName === 'fFunctions');
  const members = [
    base,
    { ...number, fName: 'fCheckSum', fTypeName: 'unsigned int', fType: 13 },
    { ...number, fName: 'fClassVersion' },
    { ...pointer, fName: 'fElements', fTypeName: 'TObjArray*', fType: 64, fTitle: 'Elements' },
  ] as ObjectData[];
  const axis = named(list, 'TAxis');
  const fElements = { ...(axis.fElements as ObjectData), arr: members };
  const own: ObjectData = { ...axis, fName: 'TStreamerInfo', fClassVersion: 10, fElements };
  infosOf(list).push(own);
  if (Array.isArray(list.opt)) list.opt.push('');
  const described = recordWith(record, key.keylen, classes.writeInfos(list, key.keylen));
  const knowing = new ClassCodec(modules.writer, 64_000, described);
  // The list that this codec reads can be written by itself alone.
  expect(attempt(() => classes.write(knowing.read(described), key.keylen))).toContain('TStreamerInfo');

  for (const [first, second] of [
    [classes, knowing],
    [knowing, classes],
  ] as const) {
    const union = new StreamerUnion();
    for (const codec of [first, second]) union.add(codec === classes ? record : described, codec);
    const object = union.result()?.object(key.keylen) ?? new Uint8Array(0);
    const names = infosOf(first.readInfos(recordWith(record, key.keylen, object))).map(({ fName }) => fName);
    expect(names.toSorted()).toEqual(
      infosOf(list)
        .map(({ fName }) => fName)
        .toSorted(),
    );
  }
  for (const codec of [classes, knowing]) codec.free();
});
