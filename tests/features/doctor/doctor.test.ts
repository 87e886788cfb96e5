import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { BranchInfo, KeyInfo, TreeInfo, TreeLayout } from '../../../web/api/api';
import { examine, treeFindings } from '../../../web/features/doctor/work/doctor';
import {
  healingOf,
  repairs,
  type TreeFacts,
  withRemedies,
} from '../../../web/features/doctor/work/doctor-remedies';
import { costTables } from '../../../web/features/doctor/work/doctor-report';
import { type Draft, draft, gradeOf } from '../../../web/features/doctor/work/doctor-types';
import { layoutCosts, typicalBranches } from '../../../web/features/whatif/work/layout-costs';
import { clusterEntries, repairedLayout } from '../../../web/features/whatif/work/repaired';
import { run, runInTerminal } from '../../cli/support';
import { bufferSpec, makeEngine } from '../../engine/fixtures';
import { openReader } from '../../engine-reader';
import { recordedLayout } from '../traces/recorded';

const made = mkdtempSync(join(tmpdir(), 'xylem-doctor-'));
afterAll(() => rmSync(made, { recursive: true, force: true }));
const fixtures = join(import.meta.dirname, '../../fixtures');
const unwell = join(fixtures, 'reads/unwell.root');
const sample = join(import.meta.dirname, '../../../public/sample.root');

/** A recorded layout as the reader gives one; types and uncompressed sizes were not recorded. */
function layoutOf(name: string): TreeLayout {
  const recorded = recordedLayout(name);
  const { starts, bytes, firsts, ends } = recorded;
  const branches = recorded.names.map((branch, index): BranchInfo => {
    const from = starts[index] ?? 0;
    const to = starts[index + 1] ?? 0;
    const storedBytes = bytes.subarray(from, to).reduce((sum, size) => sum + size, 0);
    return {
      index,
      parent: -1,
      depth: 0,
      path: branch,
      name: branch,
      title: '',
      typeName: 'float',
      kind: to > from ? 'number' : 'group',
      entries: recorded.entries,
      baskets: to - from,
      totalBytes: 2 * storedBytes,
      storedBytes,
    };
  });
  const tree: TreeInfo = {
    path: name,
    name,
    title: '',
    kind: 'TTree',
    className: 'TTree',
    entries: recorded.entries,
    totalBytes: 2 * recorded.zipBytes,
    storedBytes: recorded.zipBytes,
    branches,
  };
  return {
    tree,
    record: { offset: 0, length: 0, objectBytes: 0 },
    parts: [],
    basketStart: Uint32Array.from(starts),
    offset: recorded.offsets,
    storedBytes: Float64Array.from(bytes),
    firstEntry: firsts,
    entries: ends.map((end, i) => end - (firsts[i] ?? 0)),
    exact: new Uint8Array(branches.length).fill(1),
    clusterStart: recorded.clusterStarts,
    trueStart: Float64Array.of(0),
    autoFlush: recorded.autoFlush,
    autoSave: 0,
    flushedBytes: 0,
    compress: new Int32Array(branches.length).fill(101),
    basketSize: new Float64Array(branches.length).fill(32_000),
  };
}

describe('the files of the talks', () => {
  const findings = Object.fromEntries(
    ['h1like', 'h1like-flushed', 'aodlike', 'aodlike-flushed'].map((name) => [
      name,
      treeFindings(layoutOf(name)),
    ]),
  );
  test('typical branches are eight, evenly chosen from the first to near the last', () => {
    const layout = layoutOf('h1like');
    const held = layout.tree.branches.filter(({ kind }) => kind !== 'group').map(({ index }) => index);
    const step = Math.floor(held.length / 8);
    expect(step).toBeGreaterThan(1);
    expect(typicalBranches(layout).map(({ index }) => index)).toEqual(
      Array.from({ length: 8 }, (_, i) => held[i * step]),
    );
  });

  test('costs that several findings have stand once', () => {
    const { aodlike = [] } = findings;
    const withCosts = aodlike.filter(({ costs }) => costs.length > 0);
    expect(withCosts.length).toBeGreaterThan(1);
    const [costs = []] = withCosts.map((finding) => finding.costs);
    const branches = 8;
    const few = {
      tree: withCosts[0]?.tree ?? '',
      use: 'a few branches',
      grade: 'bad',
      branches,
      costs,
    } as const;
    const slower = costs.map((cost) => ({ ...cost, reading: 'all branches' }));
    const all = { ...few, use: 'all branches', costs: slower };
    const [own, others, ...more] = costTables([few, all], aodlike);
    expect(more).toEqual([]);
    expect(own?.rows.map(({ cost }) => cost)).toEqual(costs);
    expect(own?.title).toBe('What reading 8 branches costs, now and repaired');
    const reading = own?.columns.find(({ id }) => id === 'reading');
    expect(own?.rows.map((row) => reading?.value(row))).toContain('without a cache');
    expect(others?.rows.map(({ cost }) => cost)).toEqual(slower);
    // Without findings no costs are shown in a terminal.
    expect(costTables([few], []).map(({ folded }) => folded)).toEqual([true]);
    // The costs of another tree are others.
    const other = withCosts.map((finding) => ({ ...finding, tree: 'another' })).slice(0, 1);
    expect(costTables([few], [...other, ...withCosts])[0]?.rows).toHaveLength(2 * costs.length);
  });
  const rules = (name: string) => findings[name]?.map(({ rule, grade }) => `${rule} ${grade}`) ?? [];

  test('scattered baskets are bad, the same values in clusters are good', () => {
    expect(rules('h1like')).toContain('scattered bad');
    expect(gradeOf(findings.h1like ?? [])).toBe('bad');
    expect(rules('h1like-flushed')).not.toContainEqual(expect.stringContaining('scattered'));
    expect(gradeOf(findings['h1like-flushed'] ?? [])).toBe('good');
    expect(rules('aodlike')).toEqual(expect.arrayContaining(['scattered bad', 'tiny-baskets bad']));
    expect(gradeOf(findings.aodlike ?? [])).toBe('bad');
    expect(rules('aodlike-flushed')).not.toContainEqual(expect.stringContaining('scattered'));
    // Its baskets are small, but each branch has one in each cluster: writing it anew would change nothing.
    expect(rules('aodlike-flushed')).toEqual([]);
    expect(gradeOf(findings['aodlike-flushed'] ?? [])).toBe('good');
  });

  test('what it costs, and less when repaired, on each link', () => {
    const costs = findings.h1like?.find(({ rule }) => rule === 'scattered')?.costs ?? [];
    expect(new Set(costs.map(({ link }) => link)).size).toBe(4);
    for (const { link, cached, calls, betterCalls, ms, betterMs } of costs) {
      expect(betterCalls).toBeLessThan(calls);
      // Over a link a fill of the cache is one vector read, wherever its baskets lie.
      if (cached && !link.startsWith('Disk')) expect(Math.abs(betterMs - ms)).toBeLessThan(0.01 * ms);
      else expect(betterMs).toBeLessThan(ms);
    }
  });

  test('a TTreeCache over a link reads no gaps, as ROOT 6.40 by root://, and over a disk those that it reads over', () => {
    const layout = layoutOf('h1like');
    const names = [
      'nrun',
      'njets',
      'E44',
      'ezpt',
      'trigl4',
      'ntracks',
      'nclus',
      'dz0_t',
      'nhitrp_t',
      'clu_phi',
      'qj',
    ];
    const branches = layout.tree.branches.filter(({ path }) => names.includes(path));
    const costs = layoutCosts(layout, { branches, recorded: true }).filter(({ cached }) => cached);
    const [disk, , , far] = costs;
    // TTreePerfStats: 612 reads of 56,633,052 bytes of a local file, and 2 of 13,278,778 by root://, which took 2.67 s.
    expect(disk).toMatchObject({ calls: 612, bytes: 56_633_052 });
    expect(disk?.ms).toBeCloseTo(612 * 5 + 56_633_052 / 150_000, 6);
    expect(far?.ms).toBeCloseTo(2 * 150 + 13_278_778 / 6250, 0);
  });

  test('the place is one where the baskets lie apart', () => {
    const scattered = findings.h1like?.find(({ rule }) => rule === 'scattered');
    expect(scattered?.place?.length).toBeGreaterThan(30_000_000);
    expect(scattered?.numbers.span).toBeCloseTo(1.17, 2);
  });
});

test('repairing moves bytes and makes none: one basket of each branch in each cluster', () => {
  const before = layoutOf('h1like');
  const after = repairedLayout(before);
  const sum = (bytes: ArrayLike<number>) => Array.from(bytes).reduce((total, size) => total + size, 0);
  expect(Math.abs(sum(after.bytes) - sum(before.storedBytes))).toBeLessThan(0.001 * sum(before.storedBytes));
  expect(after.ends.at(-1)).toBe(before.tree.entries);
  expect(after.clusterStarts).toHaveLength(9);
  expect(after.clusterStarts[1]).toBe(clusterEntries(before.tree));
});

test('a tree of thousands of branches with a basket each is not told to have fewer', () => {
  const layout = layoutOf('h1like');
  const [branch] = layout.tree.branches;
  if (branch === undefined) throw new Error('no branches');
  const branches = Array.from({ length: 3000 }, (_, index) => {
    return {
      ...branch,
      index,
      path: `b${index}`,
      name: `b${index}`,
      entries: 100,
      baskets: 1,
      storedBytes: 900,
    };
  });
  const many: TreeLayout = {
    ...layout,
    tree: { ...layout.tree, entries: 100, storedBytes: 2.7e6, totalBytes: 5e6, branches },
    basketStart: Uint32Array.from({ length: 3001 }, (_, i) => i),
    offset: Float64Array.from({ length: 3000 }, (_, i) => 100 + 900 * i),
    storedBytes: new Float64Array(3000).fill(900),
    firstEntry: new Float64Array(3000),
    entries: new Float64Array(3000).fill(100),
    clusterStart: Float64Array.of(0),
  };
  expect(treeFindings(many)).toEqual([]);
});

describe('branches that are similar but not equal', () => {
  /** Two branches of the same basket sizes, stored at some factor. */
  const twins = (sizes: number[], factor: number): TreeLayout => {
    const layout = layoutOf('h1like');
    const [branch] = layout.tree.branches;
    if (branch === undefined) throw new Error('no branches');
    const stored = sizes.reduce((sum, size) => sum + size, 0);
    const n = sizes.length;
    const branches = ['ab', 'cd'].map((name, index) => {
      const totalBytes = factor * stored;
      return { ...branch, index, path: name, name, baskets: n, storedBytes: stored, totalBytes };
    });
    return {
      ...layout,
      tree: { ...layout.tree, entries: 100 * n, storedBytes: 2 * stored, branches },
      basketStart: Uint32Array.of(0, n, 2 * n),
      offset: Float64Array.from({ length: 2 * n }, (_, i) => 100 + i * 100_000),
      storedBytes: Float64Array.of(...sizes, ...sizes),
      firstEntry: Float64Array.from({ length: 2 * n }, (_, i) => 100 * (i % n)),
      entries: new Float64Array(2 * n).fill(100),
      clusterStart: new Float64Array(0),
    };
  };
  const rules = (layout: TreeLayout) => treeFindings(layout).map(({ rule }) => rule);

  test('baskets of random values have the same sizes whatever their values are', () => {
    expect(rules(twins([8000, 8000, 8000, 8000], 1))).not.toContain('duplicate-branches');
    expect(rules(twins([8000, 8000, 8000, 8000], 2))).not.toContain('duplicate-branches');
  });

  test('sizes that vary from basket to basket are worth a look', () => {
    expect(rules(twins([8000, 8113, 7950, 8034], 2))).toContain('duplicate-branches');
  });
});

test("values in the tree's own record are no empty branches", async () => {
  const reader = await makeEngine();
  const bytes = readFileSync(join(fixtures, 'files/embedded.root'));
  const { id } = await reader.open(bufferSpec('embedded.root', bytes));
  const layout = await reader.layout(id, 'small');
  // The same tree with thousands of entries: its record would have megabytes.
  const branches = Array.from({ length: 40 }, (_, index) => {
    const branch = layout.tree.branches[index % 4];
    if (branch === undefined) throw new Error('no branches');
    return {
      ...branch,
      index,
      path: `b${index}`,
      embeddedBytes: 100_000,
      totalBytes: 100_000,
      storedBytes: 50_000,
    };
  });
  const large: TreeLayout = {
    ...layout,
    tree: { ...layout.tree, branches, totalBytes: 4e6, storedBytes: 2e6 },
    record: { offset: 200, length: 2_100_000, objectBytes: 4_200_000 },
    basketStart: Uint32Array.from({ length: 41 }, (_, i) => i),
    offset: new Float64Array(40),
    storedBytes: new Float64Array(40),
    firstEntry: new Float64Array(40),
    entries: new Float64Array(40).fill(40),
  };
  const [finding, ...others] = treeFindings(large);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ rule: 'embedded-baskets', grade: 'poor', cure: 'rewrite' });
  expect(finding?.evidence).toContain('2.00 MB of its 2.10 MB');
  expect(finding?.promises).toEqual([{ what: 'bytes of the record', now: 2_100_000, after: 100_000 }]);
});

test('the program that repairs: names are quoted, of an address only the file, and nothing is dropped', () => {
  const key = (path: string, kind: KeyInfo['kind'], cycle = 1) =>
    ({
      path,
      kind,
      cycle,
      name: path,
      storedBytes: 0,
      objectBytes: 0,
      offset: 0,
      title: '',
      className: '',
    }) as KeyInfo;
  const facts: TreeFacts = { path: 't"??/', kind: 'TTree', entries: 500, settings: [[404, 10]] };
  const drafts: Draft[] = [
    draft('t"??/', 'scattered', 'bad', '', { cure: 'rewrite' }),
    draft('t"??/', 'free-space', 'bad', '', { cure: 'copy' }),
  ];
  const repair = (file: string, keys: KeyInfo[]) => withRemedies(file, keys, [facts], drafts);
  const [scattered, free] = repair("it's a $file.root", [key('t"??/', 'tree')]);
  const text = scattered?.remedies[0]?.lines.join('\n') ?? '';
  expect(text).toContain(`oldName = "it's a $file.root"`);
  expect(text).toContain('newName = "it\'s a $file-repaired.root"');
  expect(text).toContain('{"t\\"\\?\\?/", 500}');
  expect(text).toContain('"RECREATE", in->GetTitle(), 404)');
  expect(text).not.toContain('SetBranchStatus');
  expect(free?.remedies[0]?.lines).toEqual([
    `hadd -fk 'it'"'"'s a $file-repaired.root' 'it'"'"'s a $file.root'`,
  ]);
  const [web] = repair('https://host/data/run.root?X-Amz-Signature=secret#x', [key('t', 'tree')]);
  expect(web?.remedies[0]?.lines.join('\n')).toContain('oldName = "run.root"');
  expect(JSON.stringify(web)).not.toContain('secret');
  // hadd would keep one cycle of a histogram, and read objects by their classes.
  const toolsFor = (...other: KeyInfo[]) =>
    repair('a.root', [key('t', 'tree'), ...other])[1]?.remedies.map(({ for: tool }) => tool);
  // xylem copies objects of all classes; without old cycles, as it keeps the newest only.
  expect(toolsFor(key('h', 'histogram', 2), key('h', 'histogram', 1))).toEqual(['ROOT']);
  expect(toolsFor(key('w', 'object'))).toEqual(['ROOT', 'xylem']);
  expect(scattered?.remedies.at(-1)?.lines).toEqual([
    `xylem heal 'it'"'"'s a $file.root' 'it'"'"'s a $file-repaired.root' --level rebasket`,
  ]);
});

describe('a file that is unwell', () => {
  const open = async () => {
    const reader = await makeEngine();
    return { reader, info: await reader.open(bufferSpec('unwell.root', readFileSync(unwell))) };
  };

  test('free space, old cycles and a constant are found, with their places', async () => {
    const { reader, info } = await open();
    const report = await examine(reader, info);
    expect(report.grade).toBe('bad');
    const byRule = Object.fromEntries(report.findings.map((finding) => [finding.rule, finding]));
    expect(Object.keys(byRule).sort()).toEqual(['constant-branches', 'free-space', 'old-cycles']);
    expect(byRule['free-space']?.numbers.share).toBeGreaterThan(0.5);
    expect(byRule['free-space']?.place?.length).toBeGreaterThan(180_000);
    expect(byRule['old-cycles']?.numbers.cycles).toBe(4);
    expect(byRule['constant-branches']?.branches).toEqual(['same']);
  });

  test('deep: the branch that is a copy is found by its values, the one that is only alike is not', async () => {
    const { reader, info } = await open();
    const report = await examine(reader, info, { deep: true });
    const copies = report.findings.find(({ rule }) => rule === 'duplicate-branches');
    expect(copies).toMatchObject({ grade: 'poor', branches: ['a', 'copy'] });
  });

  test('deep: what looks constant is constant, by its values', async () => {
    const { reader, info } = await open();
    const report = await examine(reader, info, { deep: true });
    const constant = report.findings.find(({ rule }) => rule === 'constant-branches');
    expect(constant).toMatchObject({ branches: ['same'], numbers: { branches: 1, sure: 1 } });
    expect(constant?.evidence).toContain('One and the same value in all entries: one branch (same).');
  });

  test('the command: text, JSON, and a status for CI', async () => {
    const reader = await openReader();
    try {
      const text = await run(reader, 'doctor', unwell);
      expect(text.status).toBe(0);
      const bad = text.out.slice(0, text.out.indexOf('\n'));
      expect(bad).toContain('Laid out badly for reading: space in the file that nothing uses; repaired');
      expect(bad).toMatch(/; repaired, bytes of the file 330 kB to 146 kB\.$/);
      expect(text.out).toMatch(
        /\nbad {2}Space in .* {2}free-space\n {2}\d+ kB \(\d+ %\) of the file are free/,
      );
      expect(text.out).toContain(`hadd -fk unwell-repaired.root ${unwell}\n`);
      expect(text.out).toContain(
        'How to repair it with ROOT: This repairs free-space, old-cycles. It writes a new file',
      );
      // The program for ROOT is long, so it is only written when asked for.
      expect(text.out).toMatch(
        / Run: root -l -b -q repair\.C Write it by "xylem doctor FILE --macro repair\.C"\.\n/,
      );
      expect(text.out).not.toContain('void repair()');
      const program = await run(reader, 'doctor', unwell, '--json', '--macro', join(made, 'repair.C'));
      expect(program.status).toBe(0);
      expect(readFileSync(join(made, 'repair.C'), 'utf8').match(/void repair\(\)/g)).toHaveLength(1);
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'scattered')).status).toBe(0);
      const failed = await run(reader, 'doctor', unwell, '--fail-on', 'free-space,scattered');
      expect(failed).toMatchObject({ status: 1, err: 'note: failed on free-space\n' });
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'note')).status).toBe(1);
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'nonsense')).status).toBe(2);
      const json = await run(reader, 'doctor', sample, '--json');
      expect(JSON.parse(json.out)).toMatchObject({ grade: 'good', trees: ['Events'], findings: [] });
      expect((await run(reader, 'doctor', sample, '--tree', 'nowhere')).status).toBe(1);
      const both = await run(reader, 'doctor', `${sample},${unwell}`, '--fail-on', 'free-space');
      expect(both).toMatchObject({ status: 1, err: 'note: failed on free-space\n' });
      expect(both.out).toMatch(
        /\ngood {2}.*sample\.root {2}Good for .*; there is nothing to repair\.\n {2}Laid out well for reading: 0 findings in Events\.\n\nbad {2}.*unwell\.root {2}Laid out badly .*\n {2}3 findings in t\.\n/,
      );
      expect(both.out).toMatch(/^bad {2}Layout of 2 files\n {2}2 files: 1 bad, 1 good\n/);
      const list = JSON.parse((await run(reader, 'doctor', `${sample},${unwell}`, '--json')).out);
      expect(list).toMatchObject({ grade: 'bad', files: [{ grade: 'good' }, { grade: 'bad' }] });
    } finally {
      reader.terminate();
    }
  });
});

test('encodings of an RNTuple that do not help: columns without splitting, and random bits', async () => {
  const reader = await makeEngine();
  const bytes = readFileSync(join(fixtures, 'reads/encodings.root'));
  const { id } = await reader.open(bufferSpec('encodings.root', bytes));
  const { findings, grade } = await examine(
    reader,
    { id, name: 'encodings.root', rootVersion: '' },
    { deep: true },
  );
  expect(grade).toBe('good');
  const found = findings.map(({ rule, branches, remedies }) => [rule, branches, remedies.length]);
  // Fewer bits are other values: that is for who writes the file to decide.
  expect(found).toEqual([
    ['poor-encoding', ['plain'], 1],
    ['poor-encoding', ['noise'], 0],
    ['constant-branches', ['same'], 0],
  ]);
  for (const { place } of findings) expect(place?.length).toBeGreaterThan(0);
});

test.each(['ntuple_fields', 'rntuple', 'objects_split99', 'merged', 'empty', 'crashed'])(
  '%s is looked at without failing',
  async (name) => {
    const reader = await makeEngine();
    const { id, name: called } = await reader.open(
      bufferSpec(name, readFileSync(join(fixtures, `files/${name}.root`))),
    );
    expect((await examine(reader, { id, name: called, rootVersion: '' })).notes).toEqual([]);
  },
);

test('progress: each tree and what is read with deep; in a terminal on one line of stderr that is wiped', async () => {
  const reader = await openReader();
  const path = join(import.meta.dirname, '../../../public/sample.root');
  const { id } = await reader.open({ kind: 'path', path });
  const labels: string[] = [];
  const file = { id, name: 'sample.root', rootVersion: '' };
  await examine(reader, file, { deep: true, onProgress: ({ label }) => labels.push(label) });
  await reader.close(id);
  expect(labels[0]).toBe('Looking at Events');
  const quiet = await run(reader, 'doctor', path);
  const shown = await runInTerminal(reader, 'doctor', path);
  reader.terminate();
  expect(quiet.err).toBe('');
  expect(shown.out).toBe(quiet.out);
  expect(shown.err).toBe('\r\u001b[KLooking at Events 0 %\r\u001b[K');
});

test('the healing that is chosen first repairs what was found, and says what another leaves', () => {
  const facts: TreeFacts = { path: 't', kind: 'TTree', entries: 500, settings: [[404, 10]] };
  const file = [{ path: 't', kind: 'tree', cycle: 1 } as KeyInfo];
  const found = (...drafts: Draft[]) => withRemedies('a.root', file, [facts], drafts);
  const tiny = draft('t', 'tiny-baskets', 'bad', '', { cure: 'rewrite' });
  const claims = draft('t', 'wrong-clusters', 'poor', '', { cure: 'rewrite' });
  const plain = draft('t', 'uncompressed', 'poor', '', { cure: 'recompress' });
  const free = draft('t', 'free-space', 'poor', '', { cure: 'copy' });
  const note = draft('t', 'constant-branches', 'note', '');
  expect(healingOf(found(tiny, note))).toEqual({ level: 'rebasket' });
  expect(healingOf(found(claims))).toEqual({ level: 'clusters' });
  expect(healingOf(found(claims, free))).toEqual({ level: 'order' });
  expect(healingOf(found(plain))).toEqual({ level: 'clusters', codec: 'zstd:5' });
  expect(healingOf(found(note))).toBeUndefined();
  const [small, claim, packed] = found(tiny, claims, plain);
  const order = { level: 'order', codec: false } as const;
  expect([small, claim, packed].map((one) => one && repairs(order, one))).toEqual([false, true, false]);
  expect(packed && repairs({ level: 'clusters', codec: true }, packed)).toBe(true);
});
