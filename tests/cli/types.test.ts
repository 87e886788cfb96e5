import { expect, test } from 'vitest';
import { createMockReader } from '../mock-reader';
import { run } from './support';

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

test('--ts and --cpp write a class with what it is made of', async () => {
  const ts = (await run(reader, 'types', 'f', 'Track', '--ts')).out;
  expect(ts).toContain('export interface Track extends TNamed {');
  expect(ts).toContain('  covariance: Float64Array[];');
  expect(ts).toContain('  /** <b>object title</b> */');
  const cpp = (await run(reader, 'types', 'f', 'Track', '--cpp')).out;
  expect(cpp).toContain('struct Track : TNamed {');
  expect(cpp).toContain('    float *charge; // [nHits] of each hit');
  expect(cpp).toContain('    // vector<Vertex> vertices: not described');
  const named = (await run(reader, 'types', 'f', 'TNamed', '--cpp')).out;
  expect(named).not.toContain('Track');
});
