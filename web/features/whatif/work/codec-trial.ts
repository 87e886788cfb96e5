import type { CallOptions, FileId, TreeLayout } from '../../../api/api';
import type { EngineApi, TrialRecipe } from '../../../api/engine-api';
import { unsupported } from '../../../base/data-errors';
import { evenSample, evenSampleSize } from '../../../base/even-sample';
import { compressionName } from '../../../core/compression';

/** Stored bytes of baskets or pages, and what codecs would make of them. */
export interface CodecTrial {
  tree: string;
  /** The unit that is tried: a basket of a TTree, or a page of an RNTuple. */
  unit: 'basket' | 'page';
  /** Baskets in the file and their stored bytes, of the chosen branches. */
  baskets: number;
  storedBytes: number;
  /** Uncompressed bytes of all. */
  totalBytes: number;
  /** Those that were read, and their bytes, stored and uncompressed. */
  tried: number;
  triedBytes: number;
  triedTotal: number;
  /** Codec settings now, the one with most bytes first. */
  now: string[];
  codecs: CodecOutcome[];
}

/** Size and times of all baskets with a codec, extrapolated from the sample. */
export interface CodecOutcome {
  codec: string;
  bytes: number;
  /** Twice the standard error of the bytes. */
  errorBytes: number;
  /** Uncompressed bytes by these. */
  factor: number;
  /** Time to compress and to decompress all baskets with one thread of this program, on this machine. */
  compressMs: number;
  decompressMs: number;
}

/** Stored bytes that are tried, if the caller does not say. */
const TRIED_BYTES = 16_000_000;
/** Fewest and most baskets that are tried. */
const COUNTS = [40, 600] as const;
/** Bytes that are read and tried at once. */
const STEP_BYTES = 4 * 1024 * 1024;
/** Baskets with which the code is warmed up: compiled code is slow when it runs first. */
const WARM = 24;

/**
 * Reads a sample of baskets or pages and compresses and decompresses them with each codec (100 × algorithm + level). The
 * sample has even distances in stored bytes, along branches and entries. Throws UNSUPPORTED if nothing lies in the file
 * itself, and the errors of reading.
 */
export async function tryCodecs(
  reader: EngineApi,
  file: FileId,
  layout: TreeLayout,
  {
    branches,
    codecs,
    bytes = TRIED_BYTES,
  }: { branches: readonly number[]; codecs: readonly number[]; bytes?: number | undefined },
  { signal, onProgress }: CallOptions = {},
): Promise<CodecTrial> {
  const { baskets, totals, settings } = storedBaskets(layout, branches);
  const stored = Float64Array.from(baskets, (i) => layout.storedBytes[i] ?? 0);
  const storedBytes = stored.reduce((sum, size) => sum + size, 0);
  const totalBytes = totals.reduce((sum, size) => sum + size, 0);
  if (storedBytes === 0) throw unsupported(`No basket of ${layout.tree.path} lies in the file itself.`);
  // Compressed sizes lie between both, or near them.
  const weights = stored.map((size, k) => size + (totals[k] ?? 0));
  const mean = evenSampleSize(weights) * (storedBytes / (storedBytes + totalBytes));
  const [least, most] = COUNTS;
  const count = Math.max(least, Math.min(most, Math.floor(bytes / mean)));
  const chosen = evenSample(weights, count);
  const sample = chosen.flatMap((k) => baskets[k] ?? []);
  const weightOf = new Map(chosen.map((k) => [baskets[k], weights[k] ?? 0]));
  const places = [...new Set(sample)].sort((a, b) => (layout.offset[a] ?? 0) - (layout.offset[b] ?? 0));
  const trial = { reader, file, layout, codecs };
  const found = new Map<number, Tried>();
  const total = places.reduce((sum, i) => sum + (layout.storedBytes[i] ?? 0), 0);
  let done = 0;
  await triedOf(trial, places.slice(0, WARM), signal);
  for (const step of stepsOf(places, layout)) {
    const results = await triedOf(trial, step, signal);
    for (const [k, i] of step.entries()) {
      const result = results[k];
      if (result) found.set(i, result);
      done += layout.storedBytes[i] ?? 0;
    }
    onProgress?.({
      label: 'Trying codecs',
      ...{ bytesDone: done, bytesTotal: total, entriesDone: 0, entriesTotal: 0 },
    });
  }
  // If all are tried, nothing is extrapolated.
  const isWhole = places.length === baskets.length;
  const rows = (isWhole ? places : sample).flatMap((i) => {
    const one = found.get(i);
    const weight = isWhole ? 1 : weightOf.get(i);
    return one && weight ? [{ ...one, stored: layout.storedBytes[i] ?? 0, weight }] : [];
  });
  const triedTotal = [...found.values()].reduce((sum, one) => sum + one.total, 0);
  const known = { storedBytes, totalBytes, unread: Math.max(0, 1 - total / storedBytes) };
  return {
    ...{ tree: layout.tree.path, unit: layout.tree.kind === 'TTree' ? 'basket' : 'page' },
    ...{ baskets: baskets.length, storedBytes, totalBytes },
    ...{ tried: places.length, triedBytes: total, triedTotal },
    now: settings.map(compressionName),
    codecs: codecs.map((codec, k) => outcomeOf(compressionName(codec), rows, k, known)),
  };
}

/** Results for a basket: its uncompressed bytes, and for each codec its record or page and the times. */
interface Tried {
  total: number;
  codecs: { bytes: number; packMs: number; unpackMs: number }[];
}

/** A draw of the sample: its chance is in proportion to the weight. */
interface Draw extends Tried {
  stored: number;
  weight: number;
}

/** Sums over all baskets, which are known without reading them, and the part of the bytes that was not read. */
interface KnownSums {
  storedBytes: number;
  totalBytes: number;
  unread: number;
}

/**
 * Estimates a sum over all baskets from that of another number, whose sum is known, by the ratio of both in the sample.
 * Returns it with its standard error.
 */
function byRatio(
  rows: readonly Draw[],
  [known, knownOf]: [sum: number, of: (row: Draw) => number],
  of: (row: Draw) => number,
): { sum: number; error: number } {
  const meanOf = (one: (row: Draw) => number) =>
    rows.reduce((sum, row) => sum + one(row) / row.weight, 0) / Math.max(1, rows.length);
  const mean = meanOf(knownOf);
  const ratio = meanOf(of) / mean;
  // Neighbours in a systematic sample are alike: their differences say how much one draw varies.
  const left = rows.map((row) => (of(row) - ratio * knownOf(row)) / row.weight);
  const squares = left.slice(1).reduce((sum, one, i) => sum + (one - (left[i] ?? 0)) ** 2, 0);
  const variance = squares / (2 * Math.max(1, left.length - 1)) / Math.max(1, left.length);
  return { sum: known * ratio, error: (known / mean) * Math.sqrt(variance) };
}

function outcomeOf(
  codec: string,
  rows: readonly Draw[],
  k: number,
  { storedBytes, totalBytes, unread }: KnownSums,
): CodecOutcome {
  const bytesOf = ({ codecs }: Draw) => codecs[k]?.bytes ?? 0;
  const byTotal: [number, (row: Draw) => number] = [totalBytes, ({ total }) => total];
  const size = [
    byRatio(rows, [storedBytes, ({ stored }) => stored], bytesOf),
    byRatio(rows, byTotal, bytesOf),
  ].reduce((a, b) => (b.error < a.error ? b : a));
  return {
    codec,
    bytes: size.sum,
    errorBytes: 2 * size.error * Math.sqrt(unread),
    factor: totalBytes / size.sum,
    compressMs: byRatio(rows, byTotal, ({ codecs }) => codecs[k]?.packMs ?? 0).sum,
    decompressMs: byRatio(rows, byTotal, ({ codecs }) => codecs[k]?.unpackMs ?? 0).sum,
  };
}

/**
 * Returns the baskets that lie in the file, each place once, with their uncompressed bytes, and the codec settings by their
 * bytes. Uncompressed bytes of a basket of a TTree are its part of those of its branch, which are known.
 */
function storedBaskets(
  { tree, basketStart, offset, storedBytes, pageBytes, compress }: TreeLayout,
  branches: readonly number[],
): { baskets: number[]; totals: number[]; settings: number[] } {
  const baskets: number[] = [];
  const totals: number[] = [];
  const seen = new Set<number>();
  const sums = new Map<number, number>();
  for (const branch of branches) {
    const own: number[] = [];
    let bytes = 0;
    for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) {
      const at = offset[i] ?? 0;
      const size = storedBytes[i] ?? 0;
      // Identical pages are stored once.
      if (at === 0 || size === 0 || seen.has(at)) continue;
      seen.add(at);
      own.push(i);
      bytes += size;
    }
    const { totalBytes = 0, embeddedBytes = 0 } = tree.branches[branch] ?? {};
    for (const i of own) {
      baskets.push(i);
      totals.push(pageBytes?.[i] ?? ((totalBytes - embeddedBytes) * (storedBytes[i] ?? 0)) / bytes);
    }
    const setting = compress[branch] ?? -1;
    if (bytes > 0) sums.set(setting, (sums.get(setting) ?? 0) + bytes);
  }
  const settings = [...sums].sort(([, a], [, b]) => b - a).map(([setting]) => setting);
  return { baskets, totals, settings };
}

function* stepsOf(places: readonly number[], { storedBytes }: TreeLayout): Generator<number[]> {
  let step: number[] = [];
  let bytes = 0;
  for (const i of places) {
    const size = storedBytes[i] ?? 0;
    if (step.length > 0 && bytes + size > STEP_BYTES) {
      yield step;
      step = [];
      bytes = 0;
    }
    step.push(i);
    bytes += size;
  }
  if (step.length > 0) yield step;
}

async function triedOf(
  {
    reader,
    file,
    layout,
    codecs,
  }: { reader: EngineApi; file: FileId; layout: TreeLayout; codecs: readonly number[] },
  places: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Tried[]> {
  const ranges = places.map((i) => ({ offset: layout.offset[i] ?? 0, length: layout.storedBytes[i] ?? 0 }));
  const input = await reader.bytes(file, ranges, { signal });
  let at = 0;
  const baskets = places.map((i): TrialRecipe => {
    const bytes = layout.storedBytes[i] ?? 0;
    at += bytes;
    return { at: at - bytes, bytes, pageBytes: layout.pageBytes?.[i], codecs };
  });
  const { bytes, lengths } = await reader.makeBaskets({ kind: 'baskets', input, baskets }, { signal });
  let from = 0;
  return lengths.map((length) => {
    const [total = 0, head = 0, ...numbers] = new Float64Array(bytes.slice(from, from + length).buffer);
    from += length;
    return {
      // Keys count in the uncompressed bytes of branches, checksums do not count in those of pages.
      total: layout.pageBytes === undefined ? total + head : total,
      codecs: codecs.map((_, k) => {
        const [packed = 0, packMs = 0, unpackMs = 0] = numbers.slice(3 * k, 3 * k + 3);
        return { bytes: packed + head, packMs, unpackMs };
      }),
    };
  });
}
