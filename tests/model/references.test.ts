import { expect, test } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import { bufferSpec, fixtureBytes, makeEngine, readGolden } from '../engine/fixtures';

async function read(path: string): Promise<PlainObject> {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('references', fixtureBytes('references')));
  const object = await reader.object(id, path);
  await reader.close(id);
  return object;
}

test('a TRef refers to an object that was read with it; other TRefs give process and number', async () => {
  const process = readGolden('references').keys.find((key) => key.class === 'TProcessID');
  const { arr } = (await read('things')) as PlainObject & { arr: PlainObject[] };
  expect(arr).toHaveLength(5);
  const [other, near, toNear, toFar, toNone] = arr;
  expect(other).not.toHaveProperty('$id');
  expect(near).toMatchObject({ fName: 'near', $id: expect.any(Number) });
  expect(near).not.toHaveProperty('$pid');
  expect(toNear).toMatchObject({ _typename: 'TRef', $target: { $ref: near?.$id } });
  expect(toNear).not.toHaveProperty('$process');
  expect(toFar).toEqual({ _typename: 'TRef', fUniqueID: 2, fBits: 0, fPID: 0, $process: process?.title });
  expect(toNone).toEqual({ _typename: 'TRef', fUniqueID: 0, fBits: 0, fPID: 0 });
  expect(await read('far')).toMatchObject({ fUniqueID: 2, fName: 'far' });
});
