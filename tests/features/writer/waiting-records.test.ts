import { expect, test } from 'vitest';
import type { Sink } from '../../../web/api/sink';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { type MergeSource, mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';

test('short records are written together, and the file is the same', async () => {
  const reader = await makeEngine();
  const writer = await nodeModules('write');
  const inputs: MergeSource[] = ['clusters', 'histograms', 'clusters'].map((name) => ({
    name,
    open: async () => {
      const info = await reader.open(bufferSpec(name, fixtureBytes(name)));
      return { reader, info, close: () => reader.close(info.id) };
    },
  }));
  const files: Uint8Array[] = [];
  const writes: number[] = [];
  for (const waitingBytes of [0, 4096, undefined]) {
    const memory = memorySink();
    let count = 0;
    const sink: Sink = {
      waitingBytes,
      write: async (at, bytes) => {
        count++;
        await memory.write(at, bytes);
      },
    };
    await mergeFiles(inputs, sink, { writer, name: 'new.root', reproducible: true });
    files.push(memory.bytes());
    writes.push(count);
  }
  expect(files[1]).toEqual(files[0]);
  expect(files[2]).toEqual(files[0]);
  // The records, and the header with the root directory.
  expect(writes[2]).toBe(2);
  expect(writes[1]).toBeGreaterThan(2);
  expect(writes[0]).toBeGreaterThan(writes[1] ?? 0);
});
