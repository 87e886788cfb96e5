import type { BranchInfo, DrawRequest, DrawResult, Histogram } from '../../web/api/api';
import type { Column } from '../../web/core/columns';
import { brokenError } from './file';
import { entries } from './trees';

/** A peak on a falling background: repeatable, and different for each branch. */
export function fill(branchInfo: BranchInfo, request: DrawRequest, count: number): Histogram {
  const asked = request.axes?.[0] ?? request;
  const bins = asked.bins ?? 100;
  const centre = 40 + (branchInfo.index % 17) * 5;
  const [low, high] = asked.range ?? [0, 200];
  const sums = new Float64Array(bins + 2);
  const width = (high - low) / bins;
  for (let i = 0; i < bins; i++) {
    const x = low + (i + 0.5) * width;
    const peak = Math.exp(-0.5 * ((x - centre) / 6) ** 2) / 15;
    const tail = Math.exp(-x / 45) / 45;
    const noise = 1 + 0.06 * Math.sin(i * 12.9898 + branchInfo.index) * Math.cos(i * 78.233);
    sums[i + 1] = x < 0 ? 0 : Math.round(count * width * 0.5 * (peak + tail) * noise);
  }
  sums[0] = low > 0 ? 1200 : 0;
  sums[bins + 1] = 314;
  return {
    kind: 'histogram',
    title: branchInfo.path,
    name: 'htemp',
    profile: false,
    axes: [{ title: branchInfo.path, bins, low, high }],
    sums,
    squares: sums,
    fills: count * 2,
    entries: count,
    nan: 0,
    weight: count * 2,
    effective: count * 2,
    mean: [48.21734],
    stdDev: [27.90312],
    min: [0.0123],
    max: [812.4],
    integer: [false],
    covariance: 0,
    partial:
      branchInfo.name === 'lifetime'
        ? { failed: 1, total: 42, errors: [brokenError().toRecord()] }
        : undefined,
  };
}

export function frequencies(branchInfo: BranchInfo): DrawResult {
  const names = [
    'HLT_IsoMu24',
    'HLT_Ele32',
    'HLT_PFHT1050',
    '',
    'HLT_<script>alert(1)</script>',
    'HLT_DoubleMu4',
  ];
  const top = names.map((value, i) => ({ value, count: Math.round(entries / 2 ** (i + 1)) }));
  return {
    kind: 'frequencies',
    title: branchInfo.path,
    values: top.reduce((all, one) => all + one.count, 0),
    distinct: names.length,
    entries,
    top,
  };
}

export function mockColumn(branchInfo: BranchInfo, from: number, to: number): Column {
  const length = to - from;
  const numbers = Float32Array.from({ length }, (_, i) => 20 + (((from + i) * 17.31) % 83));
  const flat: Column = { kind: 'primitive', length, dtype: 'f32', data: numbers };
  if (branchInfo.kind === 'object') {
    return {
      kind: 'struct',
      length,
      typeName: 'TLorentzVector',
      names: ['fE', 'fP'],
      children: [flat, flat],
    };
  }
  if (branchInfo.typeName.startsWith('std::vector')) {
    const offsets = Int32Array.from({ length: length + 1 }, (_, i) => Math.floor(i * 0.8));
    return { kind: 'list', length, offsets, child: flat };
  }
  if (branchInfo.kind !== 'string') return flat;
  const words = Array.from(
    { length },
    (_, i) => ['HLT_IsoMu24', 'HLT_Ele32', '<b>x</b>'][(from + i) % 3] ?? '',
  );
  const bytes = new TextEncoder().encode(words.join(''));
  const offsets = new Int32Array(length + 1);
  words.forEach((word, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + word.length;
  });
  return { kind: 'string', length, offsets, bytes };
}

/** Entry i has i % 3 bytes. */
export function mockBytes(length: number): Column {
  const offsets = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) offsets[i + 1] = (offsets[i] ?? 0) + (i % 3);
  const total = offsets[length] ?? 0;
  const data = Uint8Array.from({ length: total }, (_, i) => 16 * i + 10);
  return { kind: 'list', length, offsets, child: { kind: 'primitive', length: total, dtype: 'u8', data } };
}
