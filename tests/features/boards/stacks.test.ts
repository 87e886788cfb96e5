import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Brush, Condition } from '../../../web/features/boards/work/brushes';
import { type LoadedBoard, loadBoard } from '../../../web/features/boards/work/load';
import { boardAt, dragTables } from '../../../web/features/boards/work/tables';
import type { DragPath } from '../../../web/features/boards/work/toggles';
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
const MORE = [
  'Muon_pt[0]',
  'PV_npvs',
  'trigger',
  'Jet_pt/2',
  'Jet_pt>20 && Jet_pt<60',
  'MET_pt>20 || nMuon==1',
];
/** Those of them that are cuts as they were written. */
const CUTS = /&&|\|\|/;

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
    const places = [random(), random()].map((share) => low + share * (high - low)).sort((a, b) => a - b);
    const [from = low, to = high] = places;
    const isOpen = random() < 0.1;
    const ends = { ...(random() < 0.2 && { above: true }), ...(random() < 0.2 && { upTo: true }) };
    // Ends that are whole numbers are values of some columns.
    const [a, b] = random() < 0.3 ? [Math.floor(from), Math.ceil(to)] : [from, to];
    return { column, low: a, high: isOpen ? Number.POSITIVE_INFINITY : b, ...ends };
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
      if (CUTS.test(expr)) return { ...shared, conditions: [{ column, holds: true }] };
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

test('the tables of a drag have at each place what the brush selects there', async () => {
  const random = randomNumbers(4242);
  let moved = 0;
  for (const loaded of [plain, weighted]) {
    const { board, plots } = loaded;
    for (let number = 0; number < 60; number++) {
      const stack = stackOf(number * 3, loaded);
      const i = stack.findIndex(({ plot, conditions }) => plot !== undefined && conditions.length === 1);
      const brush = stack[i];
      const plot = brush?.plot ?? -1;
      const [axis] = plots[plot]?.axes ?? [];
      const column = plots[plot]?.columns[0] ?? -1;
      if (!brush || !axis) continue;
      const steps = 20 + Math.floor(80 * random());
      const step = (axis.high - axis.low) / steps;
      const grid = Float64Array.from({ length: steps + 1 }, (_, k) => axis.low + k * step);
      const at = () => Math.floor(random() * grid.length);
      const width = 1 + Math.floor(random() * (grid.length - 1));
      const path: DragPath = random() < 0.5 ? { fixed: at() } : { width };
      const others = stack.filter((one) => one !== brush);
      // The board may be brushed by the others alone, or by all.
      board.brush(random() < 0.5 ? others : stack);
      const before = board.state();
      const tables = await dragTables(board, { others, moved: brush, grid, path }, async () => {});
      for (let step = 0; step < 5; step++) {
        const to = 'width' in path ? Math.floor(random() * (grid.length - width)) : at();
        const place =
          'width' in path
            ? { from: to, to: to + width, at: to }
            : { from: Math.min(to, path.fixed), to: Math.max(to, path.fixed), at: to };
        const found = boardAt(tables, before, place, brush);
        const range = { column, low: grid[place.from] ?? 0, high: grid[place.to] ?? 0 };
        board.brush(stack.map((one) => (one === brush ? { ...brush, conditions: [range] } : one)));
        const made = board.state();
        expect([number, found.selected]).toEqual([number, made.selected]);
        for (const [k, { sums, fills }] of made.plots.entries()) {
          const own = found.plots[k];
          expect([number, k, own?.fills]).toEqual([number, k, fills]);
          const far = Math.max(...sums.map((sum, cell) => Math.abs(sum - (own?.sums[cell] ?? Number.NaN))));
          // Weights are added in another order.
          expect(far, `${number} ${k}`).toBeLessThanOrEqual(loaded === plain ? 0 : 1e-8);
        }
        moved++;
      }
    }
  }
  expect(moved).toBeGreaterThan(300);
});

test('open ends of a drag', async () => {
  const { board, plots } = plain;
  const [, plot = 1] = [0, 3];
  const column = plots[plot]?.columns[0] ?? -1;
  const grid = Float64Array.from({ length: 30 }, (_, k) => 2 * k);
  const moved = { name: 'm', plot, conditions: [{ column, low: 0, high: 1 }] };
  for (const fixed of [-1, grid.length])
    for (const asks of [{ least: 1 }, { least: 2 }, 'all'] as const) {
      board.brush([]);
      const before = board.state();
      const tables = await dragTables(
        board,
        { others: [], moved: { ...moved, asks }, grid, path: { fixed } },
        async () => {},
      );
      for (const at of [0, 7, 29]) {
        const place = { from: Math.min(fixed, at), to: Math.max(fixed, at), at };
        const range = {
          column,
          low: grid[place.from] ?? Number.NEGATIVE_INFINITY,
          high: grid[place.to] ?? Number.POSITIVE_INFINITY,
        };
        const found = boardAt(tables, before, place, moved);
        board.brush([{ ...moved, asks, conditions: [range] }]);
        const made = board.state();
        expect([fixed, asks, at, found.selected, found.plots]).toEqual([
          fixed,
          asks,
          at,
          made.selected,
          made.plots,
        ]);
      }
    }
});

test('tables of a board whose brushes are others are not given', async () => {
  const { board, plots } = plain;
  const column = plots[0]?.columns[0] ?? -1;
  const other = { name: 'o', conditions: [{ column, low: 0, high: 2 }] };
  const moved = { name: 'm', plot: 1, conditions: [{ column: plots[1]?.columns[0] ?? -1, low: 0, high: 2 }] };
  board.brush([]);
  const request = { others: [other], moved, grid: Float64Array.of(0, 1, 2) };
  await expect(dragTables(board, request, async () => {})).rejects.toMatchObject({ code: 'ABORTED' });
});

test('axes that are not given are those of TTree::Draw', async () => {
  const info = await reader.open({ kind: 'path', path: sample });
  const exprs = [
    ...PLOTS.map(({ expr }) => expr),
    'PV_npvs',
    'run',
    'MET_pt-1000',
    'Jet_pt:Jet_pt/2',
    'Muon_charge',
  ];
  const { plots } = await loadBoard(reader, info.id, {
    tree: 'Events',
    plots: exprs.map((expr) => ({ expr })),
  });
  const drawn = await reader.drawAll(info.id, { tree: 'Events', draws: exprs.map((expr) => ({ expr })) });
  for (const [i, one] of drawn.entries()) {
    if (one.kind !== 'histogram') throw new Error(`plot ${i} is a ${one.kind}`);
    const axes = one.axes.map(({ bins, low, high }) => ({ bins, low, high }));
    expect([exprs[i], plots[i]?.axes]).toEqual([exprs[i], axes]);
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
