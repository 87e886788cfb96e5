import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readsOf } from '../../../web/features/whatif/work/reads-of';
import { chooseEntries } from '../../../web/model/entry-choice';
import { type BasketLayout, basketLayout, type EntryChoice } from '../../../web/reads/basket-layout';
import { withReader } from '../../engine-reader';

// Reads of ROOT 6.40, recorded by tests/features/whatif/judge/record_patterns.py: each point of TTreePerfStats.

const repository = join(import.meta.dirname, '../../..');
const reader = withReader();

interface Share {
  step?: number;
  list?: number[];
  range?: [number, number];
}
interface Run extends Share {
  /** The share of the run before. */
  as?: true;
  cache: number;
  ahead: number;
  reads: number;
}
interface Recorded {
  name: string;
  tree: string;
  entries: number;
  storedBytes: number;
  autoFlush: number;
  /** Names of the top-level branches that were read; null for all. */
  chosen: string[] | null;
  runs: Run[];
  /** A fixture, whose baskets the reader finds; otherwise the baskets are recorded, too. */
  path?: string;
  branches: string[];
  tops: string[];
  counts: number[];
  clusterStarts: number[];
}
type Read = [entry: number, offset: number, length: number];

/** The columns of numbers of a file. */
class Columns {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(count: number): number[] {
    return Array.from({ length: count }, () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = this.#bytes[this.#at++] ?? 0;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    });
  }

  /** Numbers that are stored as differences. */
  sums(count: number): number[] {
    let last = 0;
    return this.next(count).map((n) => (last += n % 2 === 1 ? -(n + 1) / 2 : n / 2));
  }
}

function recorded(): { file: Recorded; columns: Columns }[] {
  const bytes = gunzipSync(readFileSync(join(repository, 'tests/fixtures/reads/patterns.gz')));
  const files: { file: Recorded; columns: Columns }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const size = bytes.readUInt32LE(end + 1);
    files.push({
      file: JSON.parse(bytes.subarray(at, end).toString()),
      columns: new Columns(bytes.subarray(end + 5, end + 5 + size)),
    });
    at = end + 5 + size;
  }
  return files;
}

async function layoutOf(
  file: Recorded,
  columns: Columns,
): Promise<{ layout: BasketLayout; branches: number[] }> {
  if (file.path !== undefined) {
    const { id } = await reader.open({ kind: 'path', path: join(repository, file.path) });
    const known = await reader.layout(id, file.tree);
    return { layout: basketLayout(known), branches: known.tree.branches.map(({ index }) => index) };
  }
  const total = file.counts.reduce((sum, count) => sum + count, 0);
  const [offsets, bytes, firsts] = [columns.sums(total), columns.sums(total), columns.sums(total)];
  const counts = columns.next(total);
  let start = 0;
  const layout: BasketLayout = {
    kind: 'TTree',
    entries: file.entries,
    zipBytes: file.storedBytes,
    autoFlush: file.autoFlush,
    clusterStarts: Float64Array.from(file.clusterStarts),
    starts: Int32Array.from([0, ...file.counts.map((count) => (start += count))]),
    offsets: Float64Array.from(offsets),
    bytes: Int32Array.from(bytes),
    firsts: Float64Array.from(firsts),
    ends: Float64Array.from(firsts, (first, i) => first + (counts[i] ?? 0)),
  };
  const branches = file.tops.flatMap((top, i) =>
    file.chosen === null || file.chosen.includes(top) ? [i] : [],
  );
  return { layout, branches };
}

function entriesOf({ step = 1, list, range }: Share, entries: number): EntryChoice {
  if (list) return chooseEntries(Float64Array.from(list), entries);
  const [from, to] = range ?? [0, entries];
  return { from, to, step };
}

const shareName = ({ step, list, range }: Share): string =>
  list
    ? `a list of ${list.length} entries`
    : range
      ? `entries ${range.join(' to ')}`
      : `every ${step}. entry`;

describe.each(recorded().map(({ file, columns }) => ({ name: file.name, file, columns })))(
  'every read of ROOT, and none besides, of $name',
  ({ file, columns }) => {
    const found: { name: string; ours: Read[]; root: Read[] }[] = [];
    const compared = async () => {
      const { layout, branches } = await layoutOf(file, columns);
      let share: Share = {};
      for (const run of file.runs) {
        if (!run.as) share = run;
        const [entries, offsets, lengths] = [
          columns.sums(run.reads),
          columns.sums(run.reads),
          columns.next(run.reads),
        ];
        const root = entries.map((entry, i): Read => [entry, offsets[i] ?? 0, lengths[i] ?? 0]);
        const strategy =
          run.cache === 0
            ? ({ kind: 'none' } as const)
            : ({ kind: 'cache', bytes: run.cache, ahead: run.ahead } as const);
        const choice = { branches, entries: entriesOf(share, file.entries) };
        const ours = readsOf(layout, choice, strategy).flatMap(({ entry, blocks }) =>
          blocks.map(({ offset, length }): Read => [entry, offset, length]),
        );
        const name = `${shareName(share)}, cache ${run.cache}, read-ahead ${run.ahead}`;
        found.push({ name, ours, root });
      }
    };
    beforeAll(compared);

    test.each(file.runs.map((_, i) => i))('run %i', (i) => {
      const { name, ours, root } = found[i] ?? { name: '', ours: [], root: [] };
      expect({ name, reads: ours }).toEqual({ name, reads: root });
    });
  },
);
