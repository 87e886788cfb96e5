import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { smallFiles } from '../../../web/features/writer/cli/small-files';
import { type MergeSource, mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { memorySink } from '../../../web/sinks/sink';
import { fixtureBytes } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'xylem-small-'));
afterAll(() => rmSync(folder, { recursive: true }));
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Merges files that are opened, or those that are small as bytes. Returns the result, and how many were opened. */
async function merged(paths: readonly string[], inMemory: boolean, change?: (info: FileInfo) => FileInfo) {
  const sink = memorySink();
  const small = smallFiles();
  let opened = 0;
  const sources = paths.map(
    (path): MergeSource => ({
      name: path,
      async open() {
        opened++;
        const info = await reader.open({ kind: 'path', path });
        return { reader, info: change?.(info) ?? info, close: () => reader.close(info.id) };
      },
      small: () => (inMemory ? small(path) : undefined),
    }),
  );
  const result = await mergeFiles(sources, sink, { writer, name: 'new.root', reproducible: true }).catch(
    ({ code, message }) => ({ code, message }),
  );
  return { result, bytes: sink.bytes(), opened };
}

test('small files are merged as those that are opened, and only the first of one kind is opened', async () => {
  for (const name of ['vectors', 'histograms', 'clusters', 'references', 'cycles', 'rntuple', 'graphs']) {
    const path = put(`${name}.root`, fixtureBytes(name));
    const paths = [path, path, path];
    const [one, other] = [await merged(paths, false), await merged(paths, true)];
    expect(other.result, name).toEqual(one.result);
    expect(other.bytes, name).toEqual(one.bytes);
    expect(one.opened).toBe(3);
    if (name === 'histograms') expect(other.opened).toBe(0);
  }
});

test('damaged files give the errors that they give when they are opened', async () => {
  const whole = fixtureBytes('vectors');
  const sound = put('sound.root', whole);
  for (let at = 0; at < whole.length; at += 1009) {
    const changed = whole.slice();
    changed.fill(0xa5, at, at + 7);
    for (const bytes of [changed, whole.slice(0, at)]) {
      const paths = [sound, put('damaged.root', bytes), sound];
      const [one, other] = [await merged(paths, false), await merged(paths, true)];
      expect(other.result, `${at}`).toEqual(one.result);
      expect(other.bytes, `${at}`).toEqual(one.bytes);
    }
  }
});

test('a file that is another one when it is opened is refused', async () => {
  const path = put('changed.root', fixtureBytes('vectors'));
  const { result } = await merged([path], true, (info) => ({ ...info, validator: 'mtime 1' }));
  expect(result).toMatchObject({ code: 'FILE_CHANGED' });
});

test('only plain files of at most 1 MiB are read whole', () => {
  const small = smallFiles();
  const path = put('few.root', new Uint8Array([1, 2, 3]));
  const read = small(path);
  expect(read?.bytes).toEqual(new Uint8Array([1, 2, 3]));
  expect(read?.validator).toMatch(/^mtime \d/);
  expect(small(put('large.root', new Uint8Array(1024 * 1024 + 1)))).toBeUndefined();
  expect(small(put('empty.root', new Uint8Array(0)))).toBeUndefined();
  expect(small(folder)).toBeUndefined();
  expect(small(join(folder, 'none.root'))).toBeUndefined();
});
