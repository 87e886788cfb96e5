import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyInfo, TreeInfo } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { bufferSpec } from '../engine/fixtures';

/** The file that the page offers as a sample. */
export const SAMPLE = join(import.meta.dirname, '../../public/sample.root');

/** The tree of the sample, and all keys beside it. */
export async function sampleTree(reader: EngineApi): Promise<{ info: TreeInfo; keys: KeyInfo[] }> {
  const { id } = await reader.open(bufferSpec('sample.root', readFileSync(SAMPLE)));
  const [info, keys] = [await reader.tree(id, 'Events'), await reader.keys(id)];
  await reader.close(id);
  return { info, keys };
}
