import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsrootReads } from '../../web/insight/fleet/jsroot-reads';
import { type BasketLayout, basketLayout } from '../../web/insight/simulate/simulate-layout';
import type { EngineReader } from '../../web/write/api';
import { openReader } from '../engine-reader';
import { recordedLayout } from './recorded';

// Requests of JSROOT in Chromium, recorded by tests/fixtures/record_jsroot.mjs.
const recorded: {
  name: string;
  tree: string;
  branches: string[];
  ranges: number;
  requests: [offset: number, length: number][][];
}[] = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/reads/jsroot-reads.json'), 'utf8'));

let reader: EngineReader;
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterAll(() => reader.terminate());

/** The layout of a file, and the positions of branches in it. */
async function layoutOf(name: string, tree: string): Promise<{ layout: BasketLayout; names: string[] }> {
  if (name !== 'sample') {
    const layout = recordedLayout(name);
    return { layout, names: layout.names };
  }
  const path = join(import.meta.dirname, '../../public/sample.root');
  const { id } = await reader.open({ kind: 'path', path });
  const known = await reader.layout(id, tree);
  return { layout: basketLayout(known), names: known.tree.branches.map((branch) => branch.path) };
}

test.each(recorded)(
  'the requests of JSROOT for $branches.length branches of $name, $ranges ranges in each',
  async ({ name, tree, branches, ranges, requests }) => {
    const { layout, names } = await layoutOf(name, tree);
    const chosen = branches.map((branch) => names.indexOf(branch));
    expect(chosen).not.toContain(-1);
    const choice = { branches: chosen, entries: { from: 0, to: layout.entries, step: 1 } };
    const reads = jsrootReads(layout, choice, ranges);
    expect(reads.map(({ blocks }) => blocks.map(({ offset, length }) => [offset, length]))).toEqual(requests);
    for (const [i, { entry }] of reads.entries())
      expect(entry).toBeGreaterThanOrEqual(reads[i - 1]?.entry ?? 0);
  },
);

test('the entries that are read choose the baskets', async () => {
  const { layout } = await layoutOf('h1like', 'h42');
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
