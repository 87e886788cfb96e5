import { expect, test } from 'vitest';
import { rowsOf } from '../../../web/features/selectors/work/kinds/rows';
import type { RowPart } from '../../../web/features/selectors/work/rows/types';

test('rows of a table are in the order of files, trees and entries, however their parts came', () => {
  const part = (file: string, tree: string, from: number, ...values: number[]): RowPart => ({
    ...{ file, tree, from },
    blocks: [[Float64Array.from(values)]],
  });
  const parts = [
    part('b.root', 'T', 0, 7, 8),
    part('a.root', 'T', 100, 3, 4),
    part('a.root', 'U', 0, 6),
    part('a.root', 'T', 1000, 5),
    part('a.root', 'T', 0, 1, 2),
  ];
  for (const some of [parts, [...parts].reverse()]) {
    const { x } = rowsOf({ kind: 'table', columns: [{ name: 'x', type: 'number' }], parts: some });
    expect([...(x as Float64Array)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }
});
