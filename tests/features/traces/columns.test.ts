import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileId, TreeLayout } from '../../../web/api/api';
import { parseFleetModel } from '../../../web/features/fleet/work/parse-model';
import { fleetWorks } from '../../../web/features/fleet/work/works';
import { columnReads } from '../../../web/features/traces/work/columns-read';
import { readTrace } from '../../../web/features/traces/work/formats/formats';
import { usedOf } from '../../../web/features/traces/work/uses';
import { queryCost } from '../../../web/features/whatif/work/query-cost';
import { simulateReading } from '../../../web/features/whatif/work/simulate';
import { chooseBranches } from '../../../web/model/choose';
import { basketLayout, withNeeded } from '../../../web/reads/basket-layout';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

// tests/fixtures/record_columns.py says how ROOT recorded these.
const folder = join(import.meta.dirname, '../../fixtures/reads');
const path = join(folder, 'columns.root');
const trace = join(folder, 'columns.strace');
interface Run {
  nRead: number;
  szReadPayload: number;
  szReadOverhead: number;
  nPageRead: number;
}
type Page = [field: string, column: number, type: string, offset: number, length: number];
const recorded: { runs: Record<string, Run>; pages: Page[] } = JSON.parse(
  readFileSync(join(folder, 'columns.json'), 'utf8'),
);
const link = { latencyMs: 20, bytesPerMs: 12_500 };

const NONE = { offset: 0, length: 0 };

const reader = withReader();
let layout: TreeLayout;
let file: FileId;
beforeAll(async () => {
  ({ id: file } = await reader.open({ kind: 'path', path }));
  layout = await reader.layout(file, 'n');
});
const scratch = mkdtempSync(join(tmpdir(), 'xylem-columns-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** One reading, though the program opened the file twice: for its description, and to read it. */
function reading() {
  const [found, ...others] = readTrace('columns.strace', readFileSync(trace));
  if (found === undefined || others.length > 0) throw new Error('the trace has not one reading');
  return found;
}

test.each(Object.entries(recorded.runs))(
  "reads and bytes of ROOT's cluster pool with %s, some of them projected",
  async (names, { nRead, szReadPayload, szReadOverhead, nPageRead }) => {
    const { tree } = layout;
    const chosen = chooseBranches(tree, [names]);
    const branches = withNeeded(tree, chosen, layout.source).map(({ index }) => index);
    const choice = { branches, entries: { from: 0, to: tree.entries, step: 1 } };
    const [outcome] = simulateReading(basketLayout(layout), choice, link, [{ kind: 'pool' }]);
    expect(outcome).toMatchObject({
      calls: nRead,
      bytes: szReadPayload + szReadOverhead,
      overread: szReadOverhead,
    });
    const pages = branches.reduce(
      (sum, b) => sum + (layout.basketStart[b + 1] ?? 0) - (layout.basketStart[b] ?? 0),
      0,
    );
    expect(pages).toBe(nPageRead);
    // The cost of a query is that of xylem's plan, which reads over gaps.
    const cost = await queryCost({ reader, file, path: 'n', layout }, chosen, [], link);
    expect(cost.bytes).toBeGreaterThanOrEqual(szReadPayload);
    const model = parseFleetModel({
      origin: {},
      sites: [{ name: 's', slots: 1, link: { latencyMs: 20, mbitPerS: 100 } }],
      datasets: [{ name: 'd', file: 'columns.root', files: 1 }],
      uses: [{ name: 'u', dataset: 'd', branches: names.split(','), read: 'pool' }],
      jobs: { count: 1 },
    });
    const facts = {
      layout,
      name: 'columns.root',
      fileBytes: 46_086,
      keys: { offset: 45_537, length: 104 },
      streamers: NONE,
    };
    const [use] = await fleetWorks(model, {
      facts: async () => facts,
      use: () => Promise.reject(new Error('neither a trace nor a selector')),
    });
    const { steps } = use?.work({ latencyMs: 20, mbitPerS: 100 }) ?? { steps: [] };
    const bytes = steps.slice(4, -1).reduce((sum, step) => sum + step.bytes, 0);
    expect(bytes).toBe(szReadPayload + szReadOverhead);
  },
);

test('ROOT opens an RNTuple by root:// as the simulation has it', async () => {
  // XRootD's monitoring of two openings: one without reading pages, and one with the pages of label and pt.
  const lines = readFileSync(join(folder, 'fstream.jsonl'), 'utf8').trim().split('\n');
  const seen = lines.map((line) => JSON.parse(line)).filter(({ filename }) => filename === '/columns.root');
  const model = parseFleetModel({
    sites: [{ name: 's', slots: 1, link: { latencyMs: 20, mbitPerS: 100 } }],
    datasets: [{ name: 'd', file: 'columns.root', files: 1 }],
    uses: [{ name: 'u', dataset: 'd', branches: ['label', 'pt'], read: 'pool' }],
    jobs: { count: 1 },
  });
  const facts = { layout, name: 'columns.root', fileBytes: 46_086, keys: { offset: 45_537, length: 104 } };
  const [use] = await fleetWorks(model, {
    facts: async () => ({ ...facts, streamers: NONE }),
    use: () => Promise.reject(new Error('neither a trace nor a selector')),
  });
  const { steps } = use?.work({ latencyMs: 20, mbitPerS: 100 }) ?? { steps: [] };
  const reads = steps.filter(({ pieces }) => pieces.length > 0).map(({ pieces }) => pieces);
  const several = reads.filter(({ length }) => length > 1);
  const [whole] = seen;
  expect(reads).toHaveLength(whole.read_operations);
  expect(several).toHaveLength(whole.read_vector_operations);
  const sum = (of: typeof reads) => of.flat().reduce((total, { length }) => total + length, 0);
  expect(sum(several)).toBe(whole.readv);
  expect(several[0]).toHaveLength(whole.read_vector_count_max);
  // The server counts what was asked for: a block of 131,072 bytes at the start of a shorter file.
  const [block] = reads;
  expect(block).toEqual([{ offset: 0, length: 46_086 }]);
  expect(sum(reads) - 46_086 + 131_072).toBe(whole.read_bytes_at_close);
});

test('the columns of a reading by ROOT, with its numbers, types, pages and bytes', () => {
  const places = reading().reads.map(({ offset, length }) => [offset, offset + length] as const);
  const expected = new Map<string, { pages: number; pagesRead: number; bytes: number }>();
  for (const [field, column, type, offset, length] of recorded.pages) {
    const key = `${field} ${column} ${type}`;
    const sum = expected.get(key) ?? { pages: 0, pagesRead: 0, bytes: 0 };
    expected.set(key, sum);
    sum.pages++;
    const end = offset + length;
    if (places.some(([from, to]) => from <= offset && end <= to)) sum.pagesRead++;
    // Reads of the description may hold a part of a page.
    const parts = places.map(([from, to]) => Math.min(to, end) - Math.max(from, offset));
    sum.bytes += Math.max(0, ...parts);
  }
  const found = columnReads(reading(), layout).map(
    ({ branch, column, type, pages, pagesRead, readBytes }) => [
      `${layout.tree.branches[branch]?.path} ${column} ${type}`,
      { pages, pagesRead, bytes: readBytes },
    ],
  );
  const read = [...expected].filter(([, { bytes }]) => bytes > 0);
  expect(new Map(found as [string, unknown][])).toEqual(new Map(read));
  // The two columns of a text, and those of a list.
  const { szReadPayload, nPageRead } = recorded.runs['label,pt'] as Run;
  const { use } = usedOf(reading(), layout);
  expect(use?.wantedBytes).toBe(szReadPayload);
  const wanted = new Set(use?.branches.flatMap((each) => (each.wanted ? [each.branch] : [])));
  const own = columnReads(reading(), layout).filter(({ branch }) => wanted.has(branch));
  expect(own.map(({ column }) => column)).toEqual([1, 2, 3, 4]);
  expect(own.reduce((sum, { pagesRead }) => sum + pagesRead, 0)).toBe(nPageRead);
});

test('bytes that were read twice, by how many reads', () => {
  const [from, to] = [layout.basketStart[0] ?? 0, layout.basketStart[1] ?? 0];
  expect(to).toBeGreaterThan(from);
  const [offset, length] = [layout.offset[from] ?? 0, layout.storedBytes[from] ?? 0];
  const read = (at: number, bytes: number) => ({
    entry: -1,
    offset: at,
    length: bytes,
    origin: 'disk' as const,
    purpose: '',
    branches: [],
    queued: 0,
    started: 0,
    answered: 0,
    done: 0,
  });
  const [column] = columnReads(
    { reads: [read(offset, length), read(offset + 10, 20), { ...read(offset, length), failed: 'NETWORK' }] },
    layout,
  );
  expect(column).toMatchObject({ branch: 0, pagesRead: 1, readBytes: length, againBytes: 20, calls: 2 });
});

test('perf tells the columns of a trace and of its own reading', async () => {
  const traced = await run(reader, 'perf', trace, '--file', path);
  expect(traced.err).toBe('');
  expect(traced.out).toMatch(/^label +2 +Char +5 of 5 /m);
  expect(traced.out).toMatch(/^label +1 +SplitIndex64 +/m);
  const own = await run(reader, 'perf', path, 'n', '--branches', 'count', '--columns', '--json');
  const { columns } = JSON.parse(own.out);
  expect(columns).toContainEqual(expect.objectContaining({ path: 'pt', column: 3, type: 'SplitIndex64' }));
  const text = await run(reader, 'perf', path, 'n', '--branches', 'count', '--columns');
  expect(text.out).toMatch(/^pt +3 +SplitIndex64 +8 of 8 /m);
  const perfstat = await run(reader, 'perf', join(folder, 'perfstat.root'), '--columns');
  expect(perfstat).toMatchObject({ status: 2, err: expect.stringContaining('--file FILE') });
  // A reading that read no page is left out where another did.
  const [first = '', ...lines] = readFileSync(trace, 'utf8').split('\n');
  const head = [first, ...lines.slice(0, 4)].join('\n').replaceAll('columns.root', 'other/columns.root');
  const both = join(scratch, 'two.strace');
  writeFileSync(both, `${head}\n${[first, ...lines].join('\n')}`);
  const two = await run(reader, 'perf', both, '--file', path);
  expect(two.err).toContain('1 of 2 readings read no basket of n, and are left out');
  expect(two.out).toMatch(/^label +2 +Char +5 of 5 /m);
});

test('the pages that a projected field and others show are read once', async () => {
  const readOf = async (...args: string[]) => {
    const { out } = await run(reader, 'perf', path, 'n', ...args, '--columns', '--json');
    const { chosen, numbers, columns } = JSON.parse(out);
    return {
      chosen,
      bytes: numbers.readTotal,
      again: columns.some(({ againBytes }: { againBytes: number }) => againBytes > 0),
    };
  };
  const own = await readOf('--branches', 'pt');
  expect(own).toMatchObject({ chosen: ['pt'], again: false });
  expect(await readOf('--branches', 'pt,count')).toEqual({ ...own, chosen: ['pt', 'count'] });
  expect(await readOf('--branches', 'count')).toMatchObject({ chosen: ['count'], again: false });
  expect((await readOf()).again).toBe(false);
});
