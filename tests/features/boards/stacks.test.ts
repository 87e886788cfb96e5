import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Brush, Condition } from '../../../web/features/boards/work/brushes';
import { type LoadedBoard, loadBoard } from '../../../web/features/boards/work/load';
import { withReader } from '../../engine-reader';

/*
 * Stacks of brushes at random. ROOT fills the same histograms with the texts of the cuts: judge/stacks.py records the number
 * of entries of each, and a checksum of its bins. To record anew:
 *
 *     XYLEM_STACKS=/tmp/stacks.json npx vitest run tests/features/boards/stacks.test.ts
 *     python tests/features/boards/judge/stacks.py public/sample.root /tmp/stacks.json tests/features/boards/judge/stacks.txt
 */

const root = resolve(import.meta.dirname, '../../..');
const sample = resolve(root, 'public/sample.root');
const COUNT = 500;
const WEIGHT = 'MET_pt*0.25';
const PLOTS = [
  { expr: 'nMuon', axes: [{ bins: 8, low: 0, high: 8 }] },
  { expr: 'MET_pt', axes: [{ bins: 40, low: 0, high: 100 }] },
  { expr: 'Dimuon_mass', axes: [{ bins: 50, low: 40, high: 140 }] },
  { expr: 'Muon_pt', axes: [{ bins: 40, low: 0, high: 80 }] },
  { expr: 'Muon_eta', axes: [{ bins: 30, low: -3, high: 3 }] },
  { expr: 'Jet_pt', axes: [{ bins: 40, low: 0, high: 120 }] },
  {
    expr: 'Muon_pt:Muon_eta',
    axes: [
      { bins: 10, low: -3, high: 3 },
      { bins: 12, low: 0, high: 60 },
    ],
  },
  {
    expr: 'Muon_pt:MET_pt',
    axes: [
      { bins: 10, low: 0, high: 80 },
      { bins: 12, low: 0, high: 60 },
    ],
  },
  { expr: 'sqrt(abs(MET_phi))', axes: [{ bins: 20, low: 0, high: 2 }] },
];
const MORE = ['Muon_pt[0]', 'PV_npvs', 'trigger', 'Jet_pt/2'];

const reader = withReader();
let plain: LoadedBoard;
let weighted: LoadedBoard;
beforeAll(async () => {
  const info = await reader.open({ kind: 'path', path: sample });
  const request = { tree: 'Events', plots: PLOTS, more: MORE };
  plain = await loadBoard(reader, info.id, request);
  weighted = await loadBoard(reader, info.id, { ...request, weight: WEIGHT });
});

/** Numbers at random, the same in each run (Park and Miller). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The stack of a number: one to four brushes, of which a few are inverted, or ask for several elements. */
function stackOf(number: number, { exprs, plots, board }: LoadedBoard): Brush[] {
  const random = randomNumbers(1 + 7919 * (number + 1));
  for (let i = 0; i < 5; i++) random();
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const range = (column: number, [low, high]: readonly [number, number]): Condition => {
    const ends = [random(), random()].map((share) => low + share * (high - low)).sort((a, b) => a - b);
    const [from = low, to = high] = ends;
    const isOpen = random() < 0.1;
    return { column, low: from, high: isOpen ? Number.POSITIVE_INFINITY : to };
  };
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i): Brush => {
    const shared = {
      name: `b${i}`,
      inverted: random() < 0.15,
      asks:
        random() < 0.6
          ? undefined
          : random() < 0.4
            ? ('all' as const)
            : { least: 1 + Math.floor(random() * 2) },
    };
    if (random() < 0.2) {
      const expr = pick(MORE);
      const column = exprs.indexOf(expr);
      if (expr === 'trigger') {
        const labels = (board.columns[column]?.labels ?? []).filter(() => random() < 0.5);
        return { ...shared, conditions: [{ column, labels }] };
      }
      return { ...shared, conditions: [range(column, [0, 60])] };
    }
    const plot = Math.floor(random() * plots.length);
    const { columns = [], axes = [] } = plots[plot] ?? {};
    const conditions = columns.map((column, axis) => {
      const { low = 0, high = 1 } = axes[axis] ?? {};
      return range(column, [low, high]);
    });
    return { ...shared, plot, conditions };
  });
}

/** Figures that are compared with ROOT: the number of selected entries, and for each plot fills and a checksum of all cells. */
function figures({ board }: LoadedBoard): number[] {
  const { selected, plots } = board.state();
  const checksum = (sums: Float64Array): number =>
    sums.reduce((sum, value, cell) => sum + value * (1 + (cell % 97)), 0);
  return [selected, ...plots.flatMap(({ fills, sums }) => [fills, checksum(sums)])];
}

const cutsOf = ({ board, plots }: LoadedBoard): string[] => [
  board.cut(),
  ...plots.map((_, i) => board.cutOf(i)),
];

test('500 stacks of brushes select what ROOT selects by the texts of their cuts', () => {
  const loaded = [plain, weighted];
  const texts = Array.from({ length: COUNT }, (_, number) => {
    const one = loaded[number % 5 === 4 ? 1 : 0] as LoadedBoard;
    one.board.brush(stackOf(number, one));
    return cutsOf(one);
  });
  const asked = process.env.XYLEM_STACKS;
  if (asked !== undefined) {
    writeFileSync(asked, JSON.stringify({ tree: 'Events', weight: WEIGHT, plots: PLOTS, texts }));
    return;
  }
  const lines = readFileSync(resolve(import.meta.dirname, 'judge/stacks.txt'), 'utf8')
    .trim()
    .split('\n');
  expect(lines.length).toBe(COUNT);
  let selected = 0;
  for (const [number, line] of lines.entries()) {
    const one = loaded[number % 5 === 4 ? 1 : 0] as LoadedBoard;
    one.board.brush(stackOf(number, one));
    const [hash, ...recorded] = line.split(' ');
    expect([number, hashOf(cutsOf(one).join('\n'))]).toEqual([number, hash]);
    const found = figures(one);
    selected += found[0] ?? 0;
    for (const [i, value] of found.entries()) {
      const root = Number(recorded[i]);
      const near = Math.abs(value - root) <= 1e-9 * Math.abs(root);
      expect([number, i, near ? root : value], cutsOf(one)[(i + 1) >> 1]).toEqual([number, i, root]);
    }
  }
  // Not all of them select nothing, or everything.
  expect(selected / COUNT).toBeGreaterThan(100);
  expect(selected / COUNT).toBeLessThan(2000);
});

/** FNV-1a, as judge/stacks.py has it. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16);
}

test('moving a brush gives the bins of making it anew', () => {
  for (const loaded of [plain, weighted]) {
    const random = randomNumbers(4242);
    for (let number = 0; number < 60; number++) {
      const stack = stackOf(number * 3, loaded);
      loaded.board.brush(stack);
      for (let step = 0; step < 6; step++) {
        const i = Math.floor(random() * stack.length);
        const brush = stack[i];
        const [condition] = brush?.conditions ?? [];
        if (!brush || brush.conditions.length > 1 || !condition || !('low' in condition)) continue;
        const { low, high } = condition;
        const by = random() < 0.2 ? 50 : 3 * (random() - 0.5);
        const moved = { ...condition, low: low + by, high: Math.max(low + by, high + random()) };
        stack[i] = { ...brush, conditions: [moved] };
        loaded.board.brush(stack);
        const found = figures(loaded);
        // A board without brushes has no memory of what was before.
        loaded.board.brush([]);
        loaded.board.brush(stack);
        expect(found).toEqual(figures(loaded));
      }
    }
  }
});

test('without brushes a plot is what TTree::Draw fills', async () => {
  const info = await reader.open({ kind: 'path', path: sample });
  const draws = PLOTS.map(({ expr, axes }) => ({
    expr,
    axes: axes.map(({ bins, low, high }) => ({ bins, range: [low, high] as [number, number] })),
  }));
  const drawn = await reader.drawAll(info.id, { tree: 'Events', draws });
  plain.board.brush([]);
  const { plots, selected } = plain.board.state();
  expect(selected).toBe(2400);
  for (const [i, one] of drawn.entries()) {
    if (one.kind !== 'histogram') throw new Error(`plot ${i} is a ${one.kind}`);
    expect([i, [...(plots[i]?.sums ?? [])]]).toEqual([i, [...one.sums]]);
    expect(plots[i]?.fills).toBe(one.fills);
  }
});

test('what a board cannot do is said', async () => {
  const info = await reader.open({ kind: 'path', path: sample });
  const load = (more: object) =>
    loadBoard(reader, info.id, { tree: 'Events', plots: [{ expr: 'nMuon' }], ...more });
  await expect(load({ plots: [{ expr: 'Jet_pt:Muon_pt' }] })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
  });
  await expect(load({ plots: [{ expr: 'Muonpt' }] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(load({ weight: 'Muon_pt' })).rejects.toMatchObject({ code: 'ARGUMENT' });
  await expect(load({ maxBytes: 1000 })).rejects.toMatchObject({ code: 'BUDGET' });
  const { board } = await load({});
  const brush = (more: object) => () =>
    board.brush([{ name: 'b', conditions: [{ column: 0, low: 0, high: 1 }], ...more }]);
  expect(brush({ conditions: [] })).toThrow('has no condition');
  expect(brush({ conditions: [{ column: 0, low: 2, high: 1 }] })).toThrow('reversed');
  expect(brush({ conditions: [{ column: 5, low: 0, high: 1 }] })).toThrow('not on the board');
  expect(brush({ asks: { least: 0 } })).toThrow('at least 1');
});
