import { expect, test } from 'vitest';
import { CoreFile, readHeader } from '../../../web/core/file-core';
import { fixtureBytes } from '../../engine/fixtures';
import { bothModules } from './module';

/** The version and the record of the streamer infos of a fixture. */
async function described(name: string) {
  const { core } = await bothModules();
  const bytes = fixtureBytes(name);
  const { version, seekInfo, nbytesInfo } = readHeader(core, bytes);
  return { version, infos: bytes.subarray(seekInfo, seekInfo + nbytesInfo) };
}

test('a file gets the classes of the one before if its infos are the same bytes, and no others', async () => {
  const { core } = await bothModules();
  const [one, other] = [await described('clusters'), await described('vectors')];
  const opened = (version: number, infos: Uint8Array) => {
    const file = new CoreFile(core, version);
    const before = file.pointer;
    file.addStreamers(infos);
    return { file, names: file.types().map(({ name }) => name), reused: file.pointer !== before };
  };
  const steps: [version: number, infos: Uint8Array, reused: boolean][] = [
    [one.version, one.infos, false],
    [one.version, one.infos.slice(), true],
    [other.version, other.infos, false],
    [one.version, one.infos, false],
    [one.version - 1, one.infos, false],
    [one.version - 1, other.infos, false],
  ];
  const alone = new Map<Uint8Array, string[]>();
  for (const infos of [one.infos, other.infos]) {
    const file = new CoreFile((await bothModules()).core, one.version);
    file.addStreamers(infos);
    alone.set(
      infos,
      file.types().map(({ name }) => name),
    );
  }
  for (const [version, infos, reused] of steps) {
    const done = opened(version, infos);
    expect(done.reused).toBe(reused);
    expect(done.names).toEqual(alone.get(infos === other.infos ? other.infos : one.infos));
    done.file.close();
    done.file.close();
  }
  // A table to which other infos were added describes more than one file.
  const { file } = opened(one.version, one.infos);
  file.addStreamers(other.infos);
  file.close();
  expect(opened(one.version, one.infos).reused).toBe(false);
});
