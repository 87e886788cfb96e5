import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BasketLayout } from '../../../web/reads/basket-layout';

const folder = join(import.meta.dirname, '../../fixtures/reads');

/** Counts of ROOT in one reading of a file: see tests/fixtures/record_reads.py. */
export interface RecordedRun {
  branches: string[] | null;
  entries: [from: number, to: number, step: number];
  cache: number;
  known: boolean;
  ReadCalls: number;
  BytesRead: number;
  BytesReadExtra: number;
}

export function recordedRuns(): Record<string, { runs: RecordedRun[] }> {
  return JSON.parse(readFileSync(join(folder, 'reads.json'), 'utf8')).files;
}

export interface RecordedLayout extends BasketLayout {
  names: string[];
  /** For each branch, the name of its top-level branch. */
  tops: string[];
}

/** The layout in NAME.baskets.gz, whose form tests/fixtures/record_reads.py describes. */
export function recordedLayout(name: string): RecordedLayout {
  const bytes = gunzipSync(readFileSync(join(folder, `${name}.baskets.gz`)));
  const line = bytes.indexOf(10);
  const head = JSON.parse(bytes.subarray(0, line).toString());
  let at = line + 1;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const column = (): number[] => Array.from({ length: head.baskets }, next);
  const [gaps = [], sizes = [], changes = [], counts = []] = [column(), column(), column(), column()];
  const byBranch: number[][] = head.branches.map(() => []);
  const seeks: number[] = [];
  let end = 0;
  let branch = 0;
  for (let i = 0; i < head.baskets; i++) {
    const change = changes[i] ?? 0;
    branch += change % 2 ? -(change + 1) / 2 : change / 2;
    seeks.push(end + (gaps[i] ?? 0));
    end = (seeks[i] ?? 0) + (sizes[i] ?? 0);
    byBranch[branch]?.push(i);
  }
  const layout: RecordedLayout = {
    kind: 'TTree',
    names: head.branches,
    tops: head.tops,
    entries: head.entries,
    zipBytes: head.storedBytes,
    autoFlush: head.autoFlush,
    clusterStarts: clusterStarts(head),
    starts: new Int32Array(head.branches.length + 1),
    offsets: new Float64Array(head.baskets),
    bytes: new Int32Array(head.baskets),
    firsts: new Float64Array(head.baskets),
    ends: new Float64Array(head.baskets),
  };
  let to = 0;
  byBranch.forEach((baskets, index) => {
    let entry = 0;
    for (const i of baskets) {
      layout.offsets[to] = seeks[i] ?? 0;
      layout.bytes[to] = sizes[i] ?? 0;
      layout.firsts[to] = entry;
      entry += counts[i] ?? 0;
      layout.ends[to++] = entry;
    }
    layout.starts[index + 1] = to;
  });
  return layout;
}

function clusterStarts(head: { entries: number; autoFlush: number }): Float64Array {
  if (head.autoFlush <= 0) return new Float64Array(0);
  return Float64Array.from(
    { length: Math.ceil(head.entries / head.autoFlush) },
    (_, i) => i * head.autoFlush,
  );
}
