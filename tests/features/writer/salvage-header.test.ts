import { beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { salvageFile } from '../../../web/features/writer/work/salvage/salvage';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

// The records of a file say where they lie, so that its header can be lost in any way.

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let before: Map<string, unknown>;
beforeAll(async () => {
  writer = await nodeModules('write');
  before = await valuesOf(await reader.open(bufferSpec('sound', fixtureBytes('clusters'))));
});

async function valuesOf({ id }: FileInfo): Promise<Map<string, unknown>> {
  const { branches } = await reader.tree(id, 't');
  const results = await reader.arrays(id, { tree: 't', branches: branches.map(({ index }) => index) });
  return new Map(results.map(({ branch, column }) => [branch.path, column && canonicalRows(column)]));
}

/** Numbers that look random and are the same each time. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
}

/** Fields of the header of a small file: name, first byte, number of bytes. */
const FIELDS: readonly (readonly [string, number, number])[] = [
  ['"root"', 0, 4],
  ['fVersion', 4, 4],
  ['fBEGIN', 8, 4],
  ['fEND', 12, 4],
  ['fSeekFree', 16, 4],
  ['fNbytesFree', 20, 4],
  ['nfree', 24, 4],
  ['fNbytesName', 28, 4],
  ['fUnits', 32, 1],
  ['fCompress', 33, 4],
  ['fSeekInfo', 37, 4],
  ['fNbytesInfo', 41, 4],
  ['fUUID', 45, 18],
];
/** Each field, what comes before its end, and what follows from its start: up to the UUID, and to the first record. */
const RANGES = FIELDS.flatMap(([, at, bytes]) => [
  [at, at + bytes] as const,
  [0, at + bytes] as const,
  [at, Math.max(60, at + 1)] as const,
  [at, 100] as const,
]);

test.each<[string, (seed: number) => () => number]>([
  ['zeros', () => () => 0],
  ['0xff', () => () => 0xff],
  ['noise', noise],
])('a header of which any fields are %s is salvaged', async (_, filler) => {
  for (const [i, [from, to]] of RANGES.entries()) {
    const bytes = fixtureBytes('clusters').slice();
    const next = filler(i);
    for (let at = from; at < to; at++) bytes[at] = next();
    const what = `bytes ${from} to ${to}`;
    const source = await reader.open(bufferSpec('damaged', bytes)).catch((thrown: unknown) => {
      throw new Error(what, { cause: thrown });
    });
    const sink = memorySink();
    const { verify } = await salvageFile(reader, source, sink, { writer, name: 'new.root' }).catch(
      (thrown: unknown) => {
        throw new Error(what, { cause: thrown });
      },
    );
    const product = await reader.open(bufferSpec('new', sink.bytes()));
    await verify(product);
    expect(product.notes, what).toEqual([]);
    expect(await valuesOf(product), what).toEqual(before);
    await reader.close(source.id);
    await reader.close(product.id);
  }
});
