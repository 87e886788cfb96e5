import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import { readExactTape } from '../../web/core/tape';
import { writeTape } from '../../web/core/tape-writer';
import { ClassCodec } from '../../web/write/encode/class-codec';
import type { ObjectData } from '../../web/write/encode/types';
import { fixtureBytes, fixtureFolder } from '../engine/fixtures';
import { lacks } from '../needs';
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
    expect(refused.map((why) => /Class \w+ has no streamer info|$/.exec(why)?.[0])).toEqual([
      'Class RooRealVar has no streamer info',
    ]);
    // The others are functions: TFormula has bools that ROOT did not set, whose bytes are neither 0 nor 1.
    expect(objects - identical).toBe(18);
    expect(objects).toBeGreaterThan(200);
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
