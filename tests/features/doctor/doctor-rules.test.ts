import { describe, expect, test } from 'vitest';
import type { BranchInfo, TreeLayout } from '../../../web/api/api';
import type { DoctorGrade } from '../../../web/api/doctor';
import {
  constantBranches,
  duplicateBranches,
  emptyBranches,
  likelyConstants,
  likelyDuplicates,
} from '../../../web/features/doctor/work/doctor-branches';
import { codecFindings, firstPage, settingsBySize } from '../../../web/features/doctor/work/doctor-codecs';
import { layoutFindings } from '../../../web/features/doctor/work/doctor-layout';
import { about, gradeOf, percent } from '../../../web/features/doctor/work/doctor-types';

interface Given {
  name?: string;
  kind?: BranchInfo['kind'];
  typeName?: string;
  total: number;
  /** Stored bytes of each basket. */
  baskets: number[];
  compress?: number;
  embedded?: number;
}

/** A tree whose baskets lie one after another from byte 1000, by entry and then by branch. */
function treeOf(given: Given[], more: Partial<TreeLayout> = {}, entries = 100): TreeLayout {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  const branches = given.map(
    ({ name, kind = 'number', typeName = 'float', total, baskets, embedded }, index) =>
      ({
        index,
        parent: -1,
        name: name ?? `b${index}`,
        path: name ?? `b${index}`,
        title: '',
        kind,
        typeName,
        entries,
        baskets: baskets.length,
        totalBytes: total,
        storedBytes: sum(baskets),
        ...(embedded !== undefined && { embeddedBytes: embedded }),
      }) as BranchInfo,
  );
  const starts = [0];
  for (const { baskets } of given) starts.push((starts.at(-1) ?? 0) + baskets.length);
  const sizes = given.flatMap(({ baskets }) => baskets);
  const firsts = given.flatMap(({ baskets }) =>
    baskets.map((_, i) => Math.floor((entries * i) / baskets.length)),
  );
  const ends = given.flatMap(({ baskets }) =>
    baskets.map((_, i) => Math.floor((entries * (i + 1)) / baskets.length)),
  );
  const offset = new Float64Array(sizes.length);
  let at = 1000;
  for (const i of [...sizes.keys()].sort((a, b) => (firsts[a] ?? 0) - (firsts[b] ?? 0) || a - b)) {
    offset[i] = at;
    at += sizes[i] ?? 0;
  }
  const stored = sum(sizes);
  return {
    tree: {
      path: 't',
      name: 't',
      kind: 'TTree',
      entries,
      totalBytes: 2 * stored,
      storedBytes: stored,
      branches,
    },
    record: { offset: 100, length: 5000, objectBytes: 9000 },
    parts: [],
    basketStart: Uint32Array.from(starts),
    offset,
    storedBytes: Float64Array.from(sizes),
    firstEntry: Float64Array.from(firsts),
    entries: Float64Array.from(ends, (end, i) => end - (firsts[i] ?? 0)),
    exact: new Uint8Array(given.length).fill(1),
    clusterStart: new Float64Array(0),
    trueStart: Float64Array.of(0),
    autoFlush: 0,
    autoSave: 0,
    flushedBytes: 0,
    compress: Int32Array.from(given, ({ compress = 505 }) => compress),
    basketSize: new Float64Array(given.length).fill(32_000),
    ...more,
  } as unknown as TreeLayout;
}

describe('compression', () => {
  const found = (...given: Given[]) =>
    codecFindings(treeOf(given)).map(({ rule, grade, numbers, cure }) => ({ rule, grade, numbers, cure }));
  const other = (bytes: number): Given => ({ total: 3 * bytes, baskets: [bytes] });

  test('bytes that are stored as they are, when they are more than 1 MB and a fifth of the tree', () => {
    const plain = (bytes: number): Given => ({ total: bytes + 500_000, baskets: [bytes], compress: 100 });
    const numbers = { bytes: 1_000_001, total: 1_500_001, branches: 1 };
    expect(found(plain(1_000_001))).toEqual([
      { rule: 'uncompressed', grade: 'poor', numbers, cure: 'recompress' },
    ]);
    expect(found(plain(1_000_000))).toEqual([]);
    expect(found(plain(1_000_001), other(4_000_003))).toHaveLength(1);
    expect(found(plain(1_000_001), other(4_000_004))).toEqual([]);
    expect(
      found(plain(1_000_001), { ...plain(1_000_000), kind: 'group' }, { ...plain(0), baskets: [] })[0]
        ?.numbers,
    ).toEqual(numbers);
    // 0 is no compression, 100 the same by zlib; a number below 0 is not known.
    expect(found({ ...plain(2e6), compress: 0 })).toHaveLength(1);
    expect(found({ ...plain(2e6), compress: -1 })).toEqual([]);
    expect(found({ ...plain(2e6), compress: -100 })).toEqual([]);
    expect(found({ ...plain(2e6), compress: 101 })).toEqual([]);
  });

  test('LZMA', () => {
    const lzma = (compress: number): Given => ({ total: 6e6, baskets: [2e6], compress });
    for (const settings of [201, 209, 299]) expect(found(lzma(settings))[0]?.rule).toBe('slow-compression');
    for (const settings of [101, 301, 404, 505, 2201]) expect(found(lzma(settings))).toEqual([]);
    expect(found(lzma(200)).map(({ rule }) => rule)).toEqual(['uncompressed']);
    const [finding] = codecFindings(treeOf([lzma(207), lzma(207)]));
    expect(finding).toMatchObject({ numbers: { bytes: 4e6, total: 12e6, branches: 2 }, cure: 'recompress' });
    expect(finding?.evidence).toContain('4.00 MB are compressed by LZMA (factor 3.00)');
  });

  test('branches that shrink by less than 5 %, when they have more than a tenth of the tree', () => {
    const random = (bytes: number, total = 1.04 * bytes): Given => ({ total, baskets: [bytes] });
    const [finding, ...more] = codecFindings(treeOf([random(200_000), random(300_000), other(100_000)]));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'poor-compression',
      grade: 'note',
      numbers: { branches: 2, bytes: 500_000 },
      branches: ['b1', 'b0'],
      branchCount: 2,
    });
    expect(finding?.cure).toBeUndefined();
    expect(finding?.evidence).toContain('2 branches with 500 kB (83 %)');
    expect(found(random(100_000))).toEqual([]);
    expect(found(random(100_001))).toHaveLength(1);
    expect(found(random(200_000, 210_000))).toEqual([]);
    expect(found(random(200_000, 209_999))).toHaveLength(1);
    expect(found({ ...random(200_000), compress: 500 })).toEqual([]);
    expect(found({ ...random(200_000), kind: 'group' })).toEqual([]);
    expect(found(random(200_000), other(1_800_000))).toEqual([]);
    expect(found(random(200_000), other(1_799_999))).toHaveLength(1);
    const ntuple = treeOf([random(200_000)]);
    ntuple.tree.kind = 'RNTuple';
    expect(codecFindings(ntuple).map(({ rule }) => rule)).not.toContain('poor-compression');
  });

  test('the settings of most bytes come first', () => {
    const layout = treeOf([
      { total: 10, baskets: [15], compress: 505 },
      { total: 10, baskets: [10], compress: 404 },
      { total: 10, baskets: [10], compress: 404 },
      { total: 10, baskets: [1000], compress: 207, kind: 'group' },
      { total: 10, baskets: [], compress: 101 },
    ]);
    expect(settingsBySize(layout)).toEqual([
      [404, 20],
      [505, 15],
    ]);
  });

  test('the first basket that lies in the file by itself', () => {
    const layout = treeOf([
      { total: 9, baskets: [1, 2, 3] },
      { total: 9, baskets: [4, 5] },
      { total: 0, baskets: [] },
    ]);
    layout.offset.set([0, 700, 800, 0, 0]);
    const place = (i: number) => firstPage(layout, layout.tree.branches[i]);
    expect([place(0), place(1), place(2), place(3)]).toEqual([
      { offset: 700, length: 2 },
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('branches', () => {
  const full: Given = { total: 900, baskets: [500] };
  const empty: Given = { total: 0, baskets: [] };

  test('without data: ten of them and a twentieth of all', () => {
    const found = (none: number, some: number) =>
      emptyBranches(treeOf([...new Array<Given>(none).fill(empty), ...new Array<Given>(some).fill(full)]));
    expect(found(9, 0)).toBeUndefined();
    expect(found(10, 191)).toBeUndefined();
    expect(found(10, 190)).toMatchObject({
      rule: 'empty-branches',
      grade: 'note',
      numbers: { branches: 10, share: 0.05 },
      branchCount: 10,
    });
    expect(found(10, 190)?.evidence).toContain('10 of 200 branches (5.0 %) have no data');
    const hollow: Given = { total: 0, baskets: [80] };
    const group: Given = { ...empty, kind: 'group' };
    expect(emptyBranches(treeOf([...new Array<Given>(10).fill(hollow)]))?.branchCount).toBe(10);
    expect(emptyBranches(treeOf([...new Array<Given>(10).fill(group)]))).toBeUndefined();
  });

  test('that shrink more than 30 times, the most first', () => {
    const shrinks = (total: number, stored: number): Given => ({ total, baskets: [stored] });
    const layout = treeOf([
      shrinks(30_000, 1000),
      shrinks(30_001, 1000),
      shrinks(20_000, 100),
      shrinks(20_001, 100),
      { ...shrinks(90_000, 100), kind: 'group' },
      shrinks(90_000, 0),
    ]);
    expect(likelyConstants(layout).map(({ path }) => path)).toEqual(['b3', 'b1']);
    const finding = constantBranches(layout);
    expect(finding).toMatchObject({
      rule: 'constant-branches',
      grade: 'note',
      numbers: { branches: 2, bytes: 50_002 },
      branches: ['b3', 'b1'],
      place: { offset: layout.offset[3], length: 100 },
    });
    expect(finding?.numbers).not.toHaveProperty('sure');
    expect(finding?.evidence).toContain('2 branches shrink more than 30 times (b3: 200 times)');
    expect(finding?.evidence).toContain("They have 1.10 kB of the tree's 2.30 kB");
    const [, second] = likelyConstants(layout);
    const sure = constantBranches(layout, undefined, second ? [second] : []);
    expect(sure).toMatchObject({ numbers: { sure: 1 }, branches: ['b1', 'b3'], place: { length: 1000 } });
    expect(sure?.evidence).toContain('One and the same value in all entries: one branch (b1).');
    expect(constantBranches(treeOf([full]))).toBeUndefined();
  });

  test('at most eight branches of one value are named in the sentence', () => {
    const layout = treeOf(new Array<Given>(9).fill({ total: 90_000, baskets: [100] }));
    const all = likelyConstants(layout);
    expect(constantBranches(layout, all, all)?.evidence).toContain(
      '9 branches (b0, b1, b2, b3, b4, b5, b6, b7, …)',
    );
    expect(constantBranches(layout, all, all.slice(0, 8))?.evidence).toContain(
      '8 branches (b0, b1, b2, b3, b4, b5, b6, b7)',
    );
  });

  test('of the same type whose baskets have the same sizes, which differ', () => {
    const sizes = [1000, 1100, 1200, 1300];
    const like = (more: Partial<Given> = {}): Given => ({ total: 9200, baskets: sizes, ...more });
    const groups = (...given: Given[]) =>
      likelyDuplicates(treeOf(given)).map((group) => group.map(({ path }) => path));
    expect(groups(like(), like(), like())).toEqual([['b0', 'b1', 'b2']]);
    expect(groups(like(), like({ typeName: 'int' }))).toEqual([]);
    expect(groups(like(), like({ kind: 'group' }))).toEqual([]);
    expect(groups(like(), like({ baskets: [1000, 1100, 1300, 1200] }))).toEqual([]);
    expect(groups(like(), like({ baskets: [1000, 1100, 1200, 1300, 1400] }))).toEqual([]);
    // The key of a basket holds the name of its branch.
    expect(groups(like(), like({ name: 'longer', baskets: sizes.map((size) => size + 4) }))).toEqual([
      ['b0', 'longer'],
    ]);
    expect(groups(like(), like({ name: 'longer' }))).toEqual([]);
    // At least 4000 bytes, two baskets, a factor of 1.25 and at most 30, and four sizes.
    const both = (more: Partial<Given>) => groups(like(more), like(more)).length;
    expect(both({ baskets: [900, 1000, 1040, 1060] })).toBe(1);
    expect(both({ baskets: [900, 1000, 1040, 1059] })).toBe(0);
    expect(both({ baskets: [5000], total: 9000 })).toBe(0);
    expect(both({ baskets: [5000, 5001], total: 19_000 })).toBe(1);
    expect(both({ total: 1.25 * 4600 })).toBe(1);
    expect(both({ total: 1.25 * 4600 - 1 })).toBe(0);
    expect(both({ total: 30 * 4600 })).toBe(1);
    expect(both({ total: 30 * 4600 + 1 })).toBe(0);
    expect(both({ baskets: [1000, 1100, 1200, 1000] })).toBe(0);
    expect(both({ baskets: [1000, 1100, 1200, 1300, 1000] })).toBe(1);
  });

  test('loosely the same: their sums, and stored bytes that differ by less than 1 %', () => {
    const like = (stored: number, total = 20_000): Given => ({ total, baskets: [stored] });
    const groups = (...given: Given[]) =>
      likelyDuplicates(treeOf(given), true).map((group) => group.map(({ path }) => path));
    expect(groups(like(10_099), like(10_000))).toEqual([['b1', 'b0']]);
    expect(groups(like(10_100), like(10_000))).toEqual([]);
    expect(groups(like(10_000), like(10_000, 20_001))).toEqual([]);
    expect(groups(like(10_000), like(10_150), like(10_050), like(10_120))).toEqual([
      ['b0', 'b2'],
      ['b3', 'b1'],
    ]);
    expect(groups(like(10_000), { ...like(10_000, 20_004), name: 'longer' })).toEqual([['b0', 'longer']]);
    expect(groups({ total: 20_000, baskets: [] }, { total: 20_000, baskets: [] })).toEqual([]);
  });

  test('what is stored twice is each branch of a group but the first', () => {
    const layout = treeOf([1, 2, 3, 4, 5].map(() => ({ total: 9200, baskets: [1000, 1100, 1200, 1300] })));
    const [a, b, c, d, e] = layout.tree.branches as [
      BranchInfo,
      BranchInfo,
      BranchInfo,
      BranchInfo,
      BranchInfo,
    ];
    const likely = duplicateBranches(layout, [[a, b, c]]);
    expect(likely).toMatchObject({
      grade: 'note',
      numbers: { groups: 1, bytes: 9200 },
      branches: ['b0', 'b1', 'b2'],
    });
    expect(likely?.evidence).toContain(
      'One group of branches with baskets of exactly the same sizes: b0, b1, b2.',
    );
    const sure = duplicateBranches(
      layout,
      [
        [a, b],
        [c, d, e],
      ],
      true,
    );
    expect(sure).toMatchObject({ grade: 'poor', numbers: { groups: 2, bytes: 13_800 }, branchCount: 5 });
    expect(sure?.evidence).toContain(
      '2 groups of branches with the same values in every entry: b0, b1; 13.8 kB are',
    );
    expect(duplicateBranches(layout, [layout.tree.branches])?.evidence).toContain(
      'sizes: b0, b1, b2. Perhaps',
    );
    expect(duplicateBranches(layout, [])).toBeUndefined();
    expect(duplicateBranches(layout)?.branchCount).toBe(5);
  });
});

describe('the places of baskets', () => {
  const found = (layout: TreeLayout) => layoutFindings(layout).map(({ rule, grade }) => `${rule} ${grade}`);
  const clusters = (count: number, entries: number) =>
    Float64Array.from({ length: count }, (_, i) => (entries * i) / count);

  test('clusters of 100 MB, or of 250 MB in an RNTuple, are large, and four times that is bad', () => {
    const large = (bytes: number, kind: 'TTree' | 'RNTuple' = 'TTree') => {
      const layout = treeOf([{ total: 2 * bytes, baskets: [bytes] }], { clusterStart: clusters(1, 100) });
      layout.tree.kind = kind;
      return found(layout);
    };
    expect(large(99_999_999)).toEqual([]);
    expect(large(100e6)).toEqual(['large-clusters poor']);
    expect(large(400e6)).toEqual(['large-clusters poor']);
    expect(large(400e6 + 1)).toEqual(['large-clusters bad']);
    expect(large(250e6 - 1, 'RNTuple')).toEqual([]);
    expect(large(250e6, 'RNTuple')).toEqual(['large-clusters poor']);
    expect(large(1e9 + 1, 'RNTuple')).toEqual(['large-clusters bad']);
    expect(found(treeOf([{ total: 4e8, baskets: [2e8] }]))).toEqual([]);
  });

  test('fifty clusters of less than 500 kB are small, below 100 kB bad', () => {
    const small = (count: number, bytes: number, kind: 'TTree' | 'RNTuple' = 'TTree') => {
      const baskets = new Array<number>(count).fill(bytes / 8);
      const layout = treeOf(
        new Array<Given>(8).fill({ total: 2 * bytes * count, baskets }),
        { clusterStart: clusters(count, 100 * count), autoFlush: 100 },
        100 * count,
      );
      layout.tree.kind = kind;
      return found(layout);
    };
    for (const kind of ['TTree', 'RNTuple'] as const) {
      expect(small(49, 80_000, kind)).toEqual([]);
      expect(small(50, 80_000, kind)).toEqual(['small-clusters bad']);
      expect(small(50, 100_000, kind)).toEqual(['small-clusters poor']);
      expect(small(50, 500_000, kind)).toEqual(['small-clusters poor']);
      expect(small(50, 500_008, kind)).toEqual([]);
    }
  });

  test('baskets with entries of two clusters: two of a hundred are poor, more than a fifth bad', () => {
    const crossing = (count: number, of: number, bytes = 6e6) => {
      const baskets = new Array<number>(of).fill(bytes / of);
      const layout = treeOf(
        [{ total: 2 * bytes, baskets }],
        { clusterStart: clusters(of, 10 * of) },
        10 * of,
      );
      for (let i = 0; i < count; i++) layout.entries[i] = 11;
      return found(layout).filter((rule) => rule.startsWith('misaligned'));
    };
    expect(crossing(1, 100)).toEqual([]);
    expect(crossing(2, 100)).toEqual(['misaligned poor']);
    expect(crossing(20, 100)).toEqual(['misaligned poor']);
    expect(crossing(21, 100)).toEqual(['misaligned bad']);
    expect(crossing(21, 100, 4_999_900)).toEqual([]);
    expect(crossing(1, 1)).toEqual([]);
  });

  test('claimed borders that baskets do not keep to, beside borders that all share, are a fault of the record', () => {
    const merged = (claimed: number, bytes = 6e6) =>
      treeOf(
        new Array<Given>(4).fill({ total: 2 * bytes, baskets: new Array<number>(40).fill(bytes / 160) }),
        { clusterStart: clusters(claimed, 1000), trueStart: clusters(40, 1000) },
        1000,
      );
    expect(found(merged(40))).toEqual([]);
    const [finding, ...more] = layoutFindings(merged(30));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'wrong-clusters',
      grade: 'bad',
      numbers: { claimed: 30, true: 40, crossing: 80, baskets: 160, share: 0.5, shared: 1.5 },
      promises: [{ what: 'baskets in two clusters', now: 80, after: 0 }],
    });
    expect(finding?.evidence).toContain('reads and decompresses 50 % more: 9.00 MB for 6.00 MB');
    expect(found(merged(30, 4e6))).toEqual([]);
    // Borders of two of the forty clusters are no others for thirty: then the baskets are at fault.
    const few = merged(30);
    few.trueStart = Float64Array.of(0, 500);
    expect(found(few)).toEqual(['scattered bad', 'misaligned bad']);
  });

  test("values in the tree's own record: 200 kB are worth a note, more than 1 MB are poor", () => {
    const embedded = (bytes: number, of = 2 * bytes) =>
      layoutFindings(
        treeOf(
          [
            { total: bytes, baskets: [], embedded: bytes / 4 },
            { total: bytes, baskets: [], embedded: (3 * bytes) / 4 },
            { total: 9, baskets: [5] },
          ],
          { record: { offset: 300, length: of / 2, objectBytes: of } },
        ),
      );
    expect(embedded(399_996)).toEqual([]);
    const [note] = embedded(400_000);
    expect(note).toMatchObject({
      rule: 'embedded-baskets',
      grade: 'note',
      numbers: { branches: 2, bytes: 200_000, record: 400_000 },
      branches: ['b1', 'b0'],
      place: { offset: 300, length: 400_000 },
      promises: [{ what: 'bytes of the record', now: 400_000, after: 200_000 }],
    });
    expect(embedded(2_000_000)[0]?.grade).toBe('note');
    expect(embedded(2_000_008)[0]?.grade).toBe('poor');
    // The record cannot have more than all of its bytes.
    expect(embedded(800_000, 600_000)[0]?.numbers.bytes).toBe(300_000);
  });
});

test('the grade of a report is that of its worst finding, and notes are none', () => {
  const grade = (...grades: DoctorGrade[]) => gradeOf(grades.map((one) => ({ grade: one })));
  expect([grade(), grade('note'), grade('note', 'poor'), grade('bad', 'poor')]).toEqual([
    'good',
    'good',
    'fair',
    'bad',
  ]);
});

test('shares below 10 % have one decimal place', () => {
  expect([0, 0.0123, 0.0994, 0.1, 0.256, 1].map(percent)).toEqual([
    '0.0 %',
    '1.2 %',
    '9.9 %',
    '10 %',
    '26 %',
    '100 %',
  ]);
});

test('at most fifty branches are named, and all are counted', () => {
  const branches = Array.from({ length: 51 }, (_, i) => ({ path: `b${i}` }));
  const { branches: named, branchCount } = about(branches);
  expect([named?.length, named?.at(-1), branchCount]).toEqual([50, 'b49', 51]);
});
