/** Every command that writes a file of others, for tests that must hold for all of them. */
import type { CallOptions, FileInfo } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { salvageFile } from '../../../web/features/writer/work/salvage/salvage';
import { type HealOptions, healFile } from '../../../web/features/writer/work/verbs/heal';
import { type SkimOptions, skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows } from '../../engine/fixtures';

type Parts = Pick<SkimOptions, 'codec' | 'entries' | 'cut'>;

/** A command, and the entries of a tree of `total` entries that its product has. */
export interface Verb {
  name: string;
  write(from: VerbInput): Promise<VerbOutput>;
  entries(total: number): number[];
}

export interface VerbInput {
  reader: EngineApi;
  writer: WebAssembly.Module;
  bytes: Uint8Array<ArrayBuffer>;
  /** The tree of which entries are chosen, where there are several. */
  tree?: string;
}

export interface VerbOutput {
  bytes: Uint8Array<ArrayBuffer>;
  notes: string[];
  /** Lines of what was lost. */
  lost: string[];
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const all = (total: number): number[] => numbers(0, total);

async function verified(
  { reader, bytes }: VerbInput,
  write: (
    info: FileInfo,
    sink: ReturnType<typeof memorySink>,
  ) => Promise<{
    notes: string[];
    lost?: readonly { why: string }[] | string[] | undefined;
    verify: (file: FileInfo, options?: CallOptions) => Promise<void>;
  }>,
): Promise<VerbOutput> {
  const info = await reader.open(bufferSpec('source', bytes));
  const sink = memorySink();
  try {
    const { notes, lost = [], verify } = await write(info, sink);
    const product = await reader.open(bufferSpec('product', sink.bytes()));
    await verify(product);
    await reader.close(product.id);
    return { bytes: sink.bytes(), notes, lost: lost.map((one) => (typeof one === 'string' ? one : one.why)) };
  } finally {
    await reader.close(info.id);
  }
}

const skim = (name: string, parts: Parts, entries: Verb['entries'] = all): Verb => ({
  name,
  entries,
  write: (from) =>
    verified(from, (info, sink) =>
      skimFile(from.reader, info, sink, {
        ...parts,
        ...((parts.entries || parts.cut) && { entriesOf: from.tree }),
        ...{ writer: from.writer, name: 'new.root' },
      }),
    ),
});

const heal = (name: string, options: Omit<HealOptions, 'writer' | 'name'>): Verb => ({
  name,
  entries: all,
  write: (from) =>
    verified(from, (info, sink) =>
      healFile(from.reader, info, sink, { ...options, writer: from.writer, name: 'new.root' }),
    ),
});

/** `skim` and `heal` in all ways, `salvage`, and `merge` of a file with itself. */
export const VERBS: readonly Verb[] = [
  skim('skim', {}),
  skim('skim --codec', { codec: { algorithm: 'zstd', level: 1 } }),
  skim('skim --entries', { entries: [37, 161] }, (total) => numbers(37, Math.min(total, 161))),
  skim('skim --cut', { cut: 'Entry$%3==1' }, (total) => all(total).filter((entry) => entry % 3 === 1)),
  heal('heal --level clusters', { level: 'clusters' }),
  heal('heal --level order', { level: 'order' }),
  heal('heal --level rebasket', { level: 'rebasket', clusterBytes: 2000 }),
  heal('heal --level order --codec', { level: 'order', codec: { algorithm: 'lz4', level: 1 } }),
  {
    name: 'salvage',
    entries: all,
    write: (from) =>
      verified(from, async (info, sink) => ({
        ...(await salvageFile(from.reader, info, sink, { writer: from.writer, name: 'new.root' })),
      })),
  },
  {
    name: 'merge',
    entries: (total) => [...all(total), ...all(total)],
    write: async ({ reader, writer, bytes }) => {
      const sink = memorySink();
      const source = {
        name: 'one.root',
        open: async () => {
          const info = await reader.open(bufferSpec('one', bytes));
          return { reader, info, close: () => reader.close(info.id) };
        },
      };
      const written = async () => {
        const info = await reader.open(bufferSpec('merged', sink.bytes()));
        return { reader, info, close: () => reader.close(info.id) };
      };
      const { notes, leftOut } = await mergeFiles(
        [source, source],
        sink,
        { writer, name: 'new.root' },
        { written },
      );
      return { bytes: sink.bytes(), notes, lost: leftOut };
    },
  },
];

/** Values of the branches of a tree that can be decoded, by their paths. */
export async function valuesOf(
  reader: EngineApi,
  bytes: Uint8Array,
  path: string,
): Promise<Map<string, unknown[]>> {
  const { id } = await reader.open(bufferSpec('values', bytes));
  const { branches } = await reader.tree(id, path);
  const results = await reader.arrays(id, { tree: path, branches: branches.map(({ index }) => index) });
  await reader.close(id);
  return new Map(
    results.flatMap(({ branch, column }) => (column ? [[branch.path, canonicalRows(column)] as const] : [])),
  );
}
