import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../cli/support';
import { createMockReader } from '../../mock-reader';

const reader = createMockReader();

test('all classes: version, checksum, number of members', async () => {
  const { status, out } = await run(reader, 'types', 'f');
  expect(status).toBe(0);
  expect(out.split('\n')[0]).toBe('Version  Checksum    Members  Class');
  expect(out).toMatch(/^ {6}2 {2}0x12345678 {8}5 {2}Track$/m);
  expect(out.trimEnd().split('\n')).toHaveLength(5);
});

test('the members of a class, in all its versions or one', async () => {
  const { out } = await run(reader, 'types', 'f', 'Track');
  expect(out).toContain('Track, version 2, checksum 0x12345678');
  expect(out).toContain('Track, version 1, checksum 0x00001234');
  expect(out).toMatch(/^TNamed +base class, version 1$/m);
  expect(out).toMatch(/^covariance +double\[3\]\[3\]$/m);
  expect(out).toMatch(/^charge +float\* +\[nHits\] of each hit$/m);
  expect((await run(reader, 'types', 'f', 'Track;1')).out).not.toContain('version 2');
});

test('a class that is not there is a failure with a suggestion', async () => {
  const { status, out, err } = await run(reader, 'types', 'f', 'track', '--ts');
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toContain('Did you mean "Track"?');
});

test('JSON has what the file says, of all classes or of one', async () => {
  const all = JSON.parse((await run(reader, 'types', 'f', '--json')).out);
  expect(all.classes).toEqual(await reader.types(1));
  const one = JSON.parse((await run(reader, 'types', 'f', 'TObject', '--json')).out);
  expect(one.classes).toHaveLength(1);
  expect(one.classes[0].elements[1]).toMatchObject({ name: 'fBits', type: 15, dimensions: [], base: false });
});

test('--ts writes a class with what it is made of', async () => {
  const ts = (await run(reader, 'types', 'f', 'Track', '--ts')).out;
  expect(ts).toContain('export interface Track extends TNamed {');
  expect(ts).toContain('  covariance: Float64Array[];');
  expect(ts).toContain('  /** <b>object title</b> */');
});

test('--cpp writes a folder of the name that the library gets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-types-'));
  try {
    const to = join(folder, 'my-tracks.2');
    const { status, out, err } = await run(reader, 'types', 'f', 'Track', '--cpp', to);
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(readdirSync(to).sort()).toEqual(['CMakeLists.txt', 'LinkDef.h', 'my_tracks_2.h']);
    for (const name of readdirSync(to)) expect(err).toContain(`written: ${join(to, name)}`);
    const header = readFileSync(join(to, 'my_tracks_2.h'), 'utf8');
    expect(header).toContain('struct Track : public ::TNamed {');
    expect(header).toContain('   float *charge{}; //[nHits] of each hit');
    expect(header).toContain('   // vector<Vertex> vertices: not described');
    expect(readFileSync(join(to, 'CMakeLists.txt'), 'utf8')).toContain('add_library(my_tracks_2 SHARED)');
    expect(readFileSync(join(to, 'LinkDef.h'), 'utf8')).toContain('#pragma link C++ class Track+;');
    await run(reader, 'types', 'f', 'TNamed', '--cpp', to);
    expect(readFileSync(join(to, 'my_tracks_2.h'), 'utf8')).not.toContain('Track');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
