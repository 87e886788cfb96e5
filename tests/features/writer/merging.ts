/** Merging bytes in memory, for tests. */
import type { EngineApi } from '../../../web/api/engine-api';
import type { Merged } from '../../../web/api/write';
import {
  type MergeOptions,
  type MergeSource,
  mergeFiles,
} from '../../../web/features/writer/work/merge/merge-files';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, fixtureBytes } from '../../engine/fixtures';

export interface Product extends Merged {
  id: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Merges files that are given as bytes; the product is verified, and open. */
export async function mergeBytes(
  reader: EngineApi,
  parts: readonly (readonly [name: string, bytes: Uint8Array])[],
  options: Partial<MergeOptions> & Pick<MergeOptions, 'writer'>,
): Promise<Product> {
  const sink = memorySink();
  const opened = (name: string, bytes: () => Uint8Array): MergeSource['open'] => {
    return async () => {
      const info = await reader.open(bufferSpec(name, bytes()));
      return { reader, info, close: () => reader.close(info.id) };
    };
  };
  const merged = await mergeFiles(
    parts.map(([name, bytes]) => ({ name, open: opened(name, () => bytes) })),
    sink,
    { name: 'new.root', reproducible: true, ...options },
    { written: opened('new', () => sink.bytes()) },
  );
  const data = sink.bytes();
  return { ...merged, data, id: (await reader.open(bufferSpec('new', data))).id };
}

/** Merges fixtures by their names. */
export function mergeFixtures(
  reader: EngineApi,
  names: readonly string[],
  options: Partial<MergeOptions> & Pick<MergeOptions, 'writer'>,
): Promise<Product> {
  return mergeBytes(
    reader,
    names.map((name) => [name, fixtureBytes(name)] as const),
    options,
  );
}
