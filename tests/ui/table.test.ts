import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BranchInfo, TreeInfo } from '../../web/api/api';
import type { Column } from '../../web/core/columns';
import { createEntryPages, PAGE_ENTRIES } from '../../web/ui/table/entry-pages';
import { rowWindow } from '../../web/ui/table/row-window';
import { sortedEntries } from '../../web/ui/table/sort';
import { formatTableState, parseTableState } from '../../web/ui/table/table-state';

describe('rowWindow', () => {
  const sizes = fc.record({
    rows: fc.integer({ min: 1, max: 200_000_000 }),
    view: fc.integer({ min: 60, max: 2000 }),
  });
  const height = 26;

  it('comes back to the row that it was brought to, however many there are', () => {
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), ({ rows, view }, share) => {
        const window = rowWindow(rows, height, view);
        const last = Math.max(0, rows - Math.ceil(view / height));
        const row = Math.floor(share * last);
        const top = window.topOf(row);
        expect(top).toBeLessThanOrEqual(Math.max(0, window.height - view) + 1e-6);
        // A pixel of a bar that is too short stands for several rows.
        const slack = window.scaled ? (rows * height) / window.height / height + 1 : 0;
        expect(Math.abs(window.at(top).row - row)).toBeLessThanOrEqual(slack);
      }),
    );
  });

  it('reaches the first and the last row', () => {
    fc.assert(
      fc.property(sizes, ({ rows, view }) => {
        const window = rowWindow(rows, height, view);
        expect(window.at(0)).toEqual({ row: 0, offset: 0 });
        const end = window.at(Math.max(0, window.height - view));
        expect(end.row + Math.ceil((view + end.offset) / height)).toBeGreaterThanOrEqual(rows);
        expect(window.height).toBeLessThanOrEqual(4_000_000);
      }),
    );
  });
});

function tree(paths: string[], entries = 1000): TreeInfo {
  const branches = paths.map(
    (path, index): BranchInfo => ({
      index,
      parent: -1,
      depth: 0,
      path,
      name: path,
      title: '',
      typeName: 'int',
      kind: path.startsWith('group') ? 'group' : 'number',
      entries,
      baskets: 1,
      totalBytes: 1,
      storedBytes: 1,
    }),
  );
  return {
    path: 't',
    name: 't',
    title: '',
    kind: 'TTree',
    className: 'TTree',
    entries,
    totalBytes: 1,
    storedBytes: 1,
    branches,
  };
}

describe('the state of a table in a link', () => {
  const info = tree(['a', 'group', 'b/c', 'd']);
  it('comes back as it was', () => {
    const state = { columns: [2, 0], at: 17 };
    expect(parseTableState(formatTableState(state, info), info)).toEqual(state);
  });
  it('falls back part by part', () => {
    expect(parseTableState('columns=nope,d&at=1e9', info)).toEqual({ columns: [3], at: 0 });
    expect(parseTableState('columns=&at=5', info)).toEqual({ columns: [0, 2, 3], at: 5 });
    expect(parseTableState('at=-1&columns=%00', info).at).toBe(0);
  });
});

describe('pages of entries', () => {
  const column = (values: number[]): Column => ({
    kind: 'primitive',
    dtype: 'f64',
    length: values.length,
    data: Float64Array.from(values),
  });
  const branch = tree(['a']).branches[0] as BranchInfo;

  it('asks for whole pages that are not here, and knows the row of an entry', () => {
    const pages = createEntryPages(1000);
    expect(pages.missing(250, 260)).toEqual([0, 2 * PAGE_ENTRIES]);
    pages.put([0, 512], [{ branch, column: column(Array.from({ length: 512 }, (_, i) => i)) }]);
    expect(pages.missing(250, 260)).toBeUndefined();
    expect(pages.get(300)?.row).toBe(300);
    expect(pages.missing(990, 1000)).toEqual([768, 1000]);
    pages.put([768, 1000], [{ branch, column: column(Array.from({ length: 232 }, (_, i) => i)) }]);
    expect(pages.get(999)?.row).toBe(231);
    expect(pages.missing(500, 1000)).toEqual([512, 768]);
  });

  it('sorts a page by value, NaN last either way', () => {
    const pages = createEntryPages(5);
    pages.put([0, 5], [{ branch, column: column([3, Number.NaN, 1, 2, 1]) }]);
    const order = (descending: boolean) => sortedEntries(pages, { column: 0, descending, near: 3 }, 5);
    expect(order(false)).toEqual([2, 4, 3, 0, 1]);
    expect(order(true)).toEqual([0, 3, 2, 4, 1]);
  });
});
