import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { XylemError } from '../../../web/base/errors';
import { parseFleetModel } from '../../../web/features/fleet/work/parse-model';
import { type DatasetFacts, datasetFacts, fleetWorks } from '../../../web/features/fleet/work/works';
import { jsrootNtupleReads, jsrootReads } from '../../../web/features/whatif/work/jsroot-reads';
import { type BasketLayout, basketLayout, withNeeded } from '../../../web/reads/basket-layout';
import { withReader } from '../../engine-reader';
import { recordedLayout } from '../traces/recorded';

// Requests of JSROOT in Chromium, recorded by tests/fixtures/record_jsroot.mjs.
const recorded: {
  name: string;
  tree: string;
  branches: string[];
  ranges: number;
  /** First entry, and number of entries. */
  entries?: [number, number];
  opening: [offset: number, length: number][][];
  requests: [offset: number, length: number][][];
}[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/reads/jsroot-reads.json'), 'utf8'));

const reader = withReader();

const FILES: Readonly<Record<string, string>> = {
  sample: '../../../public/sample.root',
  columns: '../../fixtures/reads/columns.root',
  encodings: '../../fixtures/reads/encodings.root',
};

/** The metadata of a file, with those places that a simulation takes. */
async function factsOf(name: string, tree: string): Promise<DatasetFacts> {
  const path = join(import.meta.dirname, FILES[name] ?? '');
  return await datasetFacts(reader, await reader.open({ kind: 'path', path }), tree);
}

/** The layout of a file, and branches of it with all that they need. */
async function layoutOf(
  name: string,
  tree: string,
  branches: string[],
): Promise<{ layout: BasketLayout; chosen: number[] }> {
  if (name === 'h1like') {
    const layout = recordedLayout(name);
    return { layout, chosen: branches.map((branch) => layout.names.indexOf(branch)) };
  }
  const known = (await factsOf(name, tree)).layout;
  const own = branches.map((branch) => known.tree.branches.findIndex(({ path }) => path === branch));
  const named = known.tree.branches.filter(({ index }) => own.includes(index));
  const chosen = known.tree.kind === 'TTree' ? own : withNeeded(known.tree, named).map(({ index }) => index);
  return { layout: basketLayout(known), chosen };
}

test.each(recorded)(
  'the requests of JSROOT for $branches.length branches of $name, $ranges ranges in each',
  async ({
    name,
    tree,
    branches,
    ranges,
    entries: [from, count] = [0, Number.POSITIVE_INFINITY],
    requests,
  }) => {
    const { layout, chosen } = await layoutOf(name, tree, branches);
    expect(chosen).not.toContain(-1);
    const to = Math.min(layout.entries, from + count);
    const choice = { branches: chosen, entries: { from, to, step: 1 } };
    const reads = (tree === 'n' ? jsrootNtupleReads : jsrootReads)(layout, choice, ranges);
    expect(reads.map(({ blocks }) => blocks.map(({ offset, length }) => [offset, length]))).toEqual(requests);
    for (const [i, { entry }] of reads.entries())
      expect(entry).toBeGreaterThanOrEqual(reads[i - 1]?.entry ?? 0);
  },
);

test('the entries that are read choose the baskets', async () => {
  const { layout } = await layoutOf('h1like', 'h42', []);
  const part = (from: number, to: number) =>
    jsrootReads(layout, { branches: [5], entries: { from, to, step: 1 } }, 200).flatMap(
      ({ blocks }) => blocks,
    );
  const wanted = (from: number, to: number) => {
    const first = layout.starts[5] ?? 0;
    const baskets = Array.from({ length: (layout.starts[6] ?? 0) - first }, (_, i) => first + i);
    return baskets.filter((i) => (layout.ends[i] ?? 0) > from && (layout.firsts[i] ?? 0) < to).length;
  };
  expect(part(0, 1)).toHaveLength(1);
  expect(part(100_000, 150_000).length).toBe(wanted(100_000, 150_000));
});

/** The steps of a job with JSROOT. */
async function stepsOf(name: string, tree: string, branches: string[]) {
  const model = parseFleetModel({
    sites: [{ name: 's', slots: 1, link: { latencyMs: 20, mbitPerS: 100 } }],
    datasets: [{ name: 'd', file: name, files: 1 }],
    uses: [{ name: 'u', dataset: 'd', branches, read: 'jsroot' }],
    jobs: { count: 1 },
  });
  const [use] = await fleetWorks(model, {
    facts: () => factsOf(name, tree),
    use: () => Promise.reject(new Error('neither a trace nor a selector')),
  });
  return use?.work({ latencyMs: 20, mbitPerS: 100 }).steps ?? [];
}

test.each(recorded.filter(({ name, entries, ranges }) => name !== 'h1like' && !entries && ranges === 200))(
  'JSROOT opens $name for $branches, and reads it',
  async ({ name, tree, branches, opening, requests }) => {
    const steps = await stepsOf(name, tree, branches);
    const ends = (pieces: readonly { offset: number; length: number }[]) => [
      Math.min(...pieces.map(({ offset }) => offset)),
      Math.max(...pieces.map(({ offset, length }) => offset + length)),
    ];
    const expected = [...opening, ...requests].map((places) =>
      ends(places.map(([offset, length]) => ({ offset, length }))),
    );
    expect(steps.map(({ trips }) => trips)).toEqual(expected.map(() => 1));
    for (const [i, { pieces }] of steps.entries()) {
      const [from = 0, to = 0] = ends(pieces);
      const [first = 0, last = 0] = expected[i] ?? [];
      // The simulation has the keys of records, too.
      expect(first - from).toBeLessThan(80);
      expect(first).toBeGreaterThanOrEqual(from);
      expect(to).toBe(last);
    }
  },
);

test('fields that JSROOT does not read are refused', async () => {
  const why = async (branch: string) => {
    const thrown = await stepsOf('columns', 'n', [branch]).catch((error: unknown) => error);
    return `${(thrown as XylemError).code}: ${(thrown as XylemError).message}`;
  };
  expect(await why('count')).toMatch(/^UNSUPPORTED: .*count with jsroot, .*: it is projected\.$/);
  expect(await why('pt._0')).toMatch(
    /^UNSUPPORTED: .*pt\._0 with jsroot, .*: it is a part of another field\.$/,
  );
});
