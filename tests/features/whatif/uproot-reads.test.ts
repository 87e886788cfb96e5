import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readsOf } from '../../../web/features/whatif/work/reads-of';
import { basketLayout, withNeeded } from '../../../web/reads/basket-layout';
import { withReader } from '../../engine-reader';

// Requests of uproot and of NanoEvents of coffea, recorded by tests/features/whatif/judge/record_uproot.py.
const repository = join(import.meta.dirname, '../../..');
const {
  cases,
}: {
  cases: {
    program: 'uproot' | 'coffea';
    path: string;
    tree: string;
    branches: string[];
    entries: [number, number] | null;
    requests: [offset: number, length: number][][];
  }[];
} = JSON.parse(readFileSync(join(repository, 'tests/fixtures/reads/uproot-reads.json'), 'utf8'));
const reader = withReader();

test.each(cases)(
  '$program requests these ranges for $branches of $path, and no others',
  async ({ program, path, tree, branches, entries, requests }) => {
    const { id } = await reader.open({ kind: 'path', path: join(repository, path) });
    const layout = await reader.layout(id, tree);
    const own = layout.tree.branches.filter((branch) => branches.includes(branch.path));
    const needed = layout.tree.kind === 'TTree' ? own : withNeeded(layout.tree, own, layout.source);
    const [from, to] = entries ?? [0, layout.tree.entries];
    const choice = { branches: needed.map(({ index }) => index), entries: { from, to, step: 1 } };
    const reads = readsOf(basketLayout(layout), choice, { kind: program });
    const ranges = reads.flatMap(({ blocks }) => blocks.map(({ offset, length }) => [offset, length]));
    const sorted = (list: number[][]) => list.sort(([a = 0], [b = 0]) => a - b);
    expect(sorted(ranges)).toEqual(sorted(requests.flat()));
  },
);
