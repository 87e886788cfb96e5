import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BranchInfo, TreeInfo } from '../../web/file/api';
import type { TreeLayout } from '../../web/file/layout';
import { examine } from '../../web/insight/doctor';
import { optimizedBaskets } from '../../web/insight/doctor-baskets';
import { inOrder } from '../../web/insight/doctor-costs';
import { treeFindings } from '../../web/insight/doctor-rules';
import { gradeOf } from '../../web/insight/doctor-types';
import { openReader } from '../../web/node';
import { run, runInTerminal } from '../cli/support';
import { bufferSpec, makeEngine } from '../file/fixtures';
import { recordedLayout } from './recorded';

const fixtures = join(import.meta.dirname, '../fixtures');
const unwell = join(fixtures, 'reads/unwell.root');
const sample = join(import.meta.dirname, '../../public/sample.root');

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
    totalBytes: 2 * recorded.storedBytes,
    storedBytes: recorded.storedBytes,
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
  const rules = (name: string) => findings[name]?.map(({ rule, grade }) => `${rule} ${grade}`) ?? [];

  test('scattered baskets are bad, the same values in clusters are good', () => {
    expect(rules('h1like')).toContain('scattered bad');
    expect(gradeOf(findings.h1like ?? [])).toBe('bad');
    expect(rules('h1like-flushed')).not.toContainEqual(expect.stringContaining('scattered'));
    expect(gradeOf(findings['h1like-flushed'] ?? [])).toBe('good');
    expect(rules('aodlike')).toEqual(expect.arrayContaining(['scattered bad', 'tiny-baskets bad']));
    expect(gradeOf(findings.aodlike ?? [])).toBe('bad');
    expect(rules('aodlike-flushed')).not.toContainEqual(expect.stringContaining('scattered'));
    // Small baskets cost little where those of a cluster lie together.
    expect(rules('aodlike-flushed')).toEqual(['tiny-baskets note']);
    expect(gradeOf(findings['aodlike-flushed'] ?? [])).toBe('good');
  });

  test('what it costs, and less when mended, on each link', () => {
    const costs = findings.h1like?.find(({ rule }) => rule === 'scattered')?.costs ?? [];
    expect(new Set(costs.map(({ link }) => link)).size).toBe(3);
    for (const { calls, betterCalls, ms, betterMs } of costs) {
      expect(betterCalls).toBeLessThan(calls);
      expect(betterMs).toBeLessThan(ms);
    }
  });

  test('the place is one where the baskets lie apart', () => {
    const scattered = findings.h1like?.find(({ rule }) => rule === 'scattered');
    expect(scattered?.place?.length).toBeGreaterThan(30_000_000);
    expect(scattered?.numbers.span).toBeCloseTo(1.17, 2);
  });
});

test('mending moves bytes and makes none', () => {
  const before = recordedLayout('h1like');
  const after = inOrder(before);
  const sum = (bytes: Int32Array) => bytes.reduce((total, size) => total + size, 0);
  expect(Math.abs(sum(after.bytes) - sum(before.bytes))).toBeLessThan(0.001 * sum(before.bytes));
  expect(after.ends.at(-1)).toBe(before.entries);
  expect(after.clusterStarts).toHaveLength(9);
});

const optimized: Record<
  string,
  { file: string; tree: string; memory: number; sizes: Record<string, number> }
> = JSON.parse(readFileSync(join(fixtures, 'reads/optimized.json'), 'utf8'));

test.each(Object.entries(optimized))(
  'buffers as TTree::OptimizeBaskets gives them: %s',
  async (_name, of) => {
    const reader = await makeEngine();
    const path = join(fixtures, of.file);
    const { id } = await reader.open(bufferSpec(basename(path), readFileSync(path)));
    const layout = await reader.layout(id, of.tree);
    const { sizes } = optimizedBaskets(layout, of.memory, Math.max(0, layout.autoFlush));
    const ours = Object.fromEntries(layout.tree.branches.map(({ name, index }) => [name, sizes[index]]));
    expect(ours).toEqual(of.sizes);
  },
);

describe('a file that is unwell', () => {
  const open = async () => {
    const reader = await makeEngine();
    return { reader, info: await reader.open(bufferSpec('unwell.root', readFileSync(unwell))) };
  };

  test('free space, old cycles and a constant are found, with their places', async () => {
    const { reader, info } = await open();
    const report = await examine(reader, info.id, info.name);
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
    const report = await examine(reader, info.id, info.name, { deep: true });
    const copies = report.findings.find(({ rule }) => rule === 'duplicate-branches');
    expect(copies).toMatchObject({ grade: 'poor', branches: ['a', 'copy'] });
  });

  test('deep: what looks constant is constant, by its values', async () => {
    const { reader, info } = await open();
    const report = await examine(reader, info.id, info.name, { deep: true });
    const constant = report.findings.find(({ rule }) => rule === 'constant-branches');
    expect(constant).toMatchObject({ branches: ['same'], numbers: { branches: 1, sure: 1 } });
    expect(constant?.evidence).toContain('One and the same value in all entries: one branch (same).');
  });

  test('the command: text, JSON, and a status for CI', async () => {
    const reader = await openReader();
    try {
      const text = await run(reader, 'doctor', unwell);
      expect(text.status).toBe(0);
      expect(text.out).toMatch(/BAD free-space\n {2}\d+ kB \(\d+ %\) of the file are free/);
      expect(text.out).toContain('hadd -f new.root old.root');
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'scattered')).status).toBe(0);
      const failed = await run(reader, 'doctor', unwell, '--fail-on', 'free-space,scattered');
      expect(failed).toMatchObject({ status: 1, err: 'failed on free-space\n' });
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'note')).status).toBe(1);
      expect((await run(reader, 'doctor', unwell, '--fail-on', 'nonsense')).status).toBe(2);
      const json = await run(reader, 'doctor', sample, '--json');
      expect(JSON.parse(json.out)).toMatchObject({ grade: 'good', trees: ['Events'], findings: [] });
      expect((await run(reader, 'doctor', sample, '--tree', 'nowhere')).status).toBe(1);
      const both = await run(reader, 'doctor', `${sample},${unwell}`, '--fail-on', 'free-space');
      expect(both).toMatchObject({ status: 1, err: 'failed on free-space\n' });
      expect(both.out).toMatch(
        /sample\.root {2}good: Events, 0 findings\n\n.*unwell\.root {2}bad: t, 3 findings\n/,
      );
      expect(both.out).toMatch(/\n2 files: 1 bad, 1 good\n$/);
      const list = JSON.parse((await run(reader, 'doctor', `${sample},${unwell}`, '--json')).out);
      expect(list).toMatchObject({ grade: 'bad', files: [{ grade: 'good' }, { grade: 'bad' }] });
    } finally {
      reader.terminate();
    }
  });
});

test('encodings of an RNTuple that do not pay: what is not split, and random bits', async () => {
  const reader = await makeEngine();
  const bytes = readFileSync(join(fixtures, 'reads/encodings.root'));
  const { id } = await reader.open(bufferSpec('encodings.root', bytes));
  const { findings, grade } = await examine(reader, id, 'encodings.root', { deep: true });
  expect(grade).toBe('good');
  const found = findings.map(({ rule, branches, remedies }) => [rule, branches, remedies[0]?.lines.at(0)]);
  expect(found).toEqual([
    [
      'poor-encoding',
      ['plain'],
      'model->GetMutableField("plain").SetColumnRepresentatives({{ROOT::ENTupleColumnType::kSplitInt64}});',
    ],
    [
      'poor-encoding',
      ['noise'],
      'dynamic_cast<ROOT::RField<float> &>(model->GetMutableField("noise")).SetTruncated(16);  // bits',
    ],
    ['constant-branches', ['same'], 'ROOT::RDataFrame frame("n", "old.root");'],
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
    expect((await examine(reader, id, called)).notes).toEqual([]);
  },
);

test('progress: each tree and what is read with deep; in a terminal on one line of stderr that is wiped', async () => {
  const reader = await openReader();
  const path = join(import.meta.dirname, '../../public/sample.root');
  const { id } = await reader.open({ kind: 'path', path });
  const labels: string[] = [];
  await examine(reader, id, 'sample.root', { deep: true, onProgress: ({ label }) => labels.push(label) });
  await reader.close(id);
  expect(labels[0]).toBe('Looking at Events');
  const quiet = await run(reader, 'doctor', path);
  const shown = await runInTerminal(reader, 'doctor', path);
  reader.terminate();
  expect(quiet.err).toBe('');
  expect(shown.out).toBe(quiet.out);
  expect(shown.err).toBe('\r\u001b[KLooking at Events 0 %\r\u001b[K');
});
