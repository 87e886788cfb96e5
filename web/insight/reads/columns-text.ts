import type { TreeLayout } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import type { ColumnReads } from './columns-read';

export interface ColumnTable {
  titles: string[];
  /** Places of the titles whose values are numbers. */
  numbers: number[];
  /** Their first cell is the path of a branch or field. */
  rows: string[][];
}

/**
 * A row for each column that was read, those of most bytes first. Where it is known which branches a program wanted,
 * the others come last, and say so.
 */
export function columnTable(
  columns: readonly ColumnReads[],
  { tree }: TreeLayout,
  wanted?: ReadonlySet<number>,
): ColumnTable {
  const isNtuple = tree.kind === 'RNTuple';
  const inVain = ({ branch }: ColumnReads): boolean => wanted !== undefined && !wanted.has(branch);
  const sorted = [...columns].sort(
    (a, b) => Number(inVain(a)) - Number(inVain(b)) || b.readBytes - a.readBytes,
  );
  const own = isNtuple ? ['Column', 'Type'] : [];
  const titles = [
    isNtuple ? 'Field' : 'Branch',
    ...own,
    isNtuple ? 'Pages' : 'Baskets',
    ...['Read', 'Of its bytes', 'Again', 'Reads'],
    ...(wanted === undefined ? [] : ['Needed']),
  ];
  const rows = sorted.map((one) => [
    tree.branches[one.branch]?.path ?? '',
    ...(isNtuple ? [String(one.column ?? ''), one.type ?? ''] : []),
    `${formatCount(one.pagesRead)} of ${formatCount(one.pages)}`,
    formatBytes(one.readBytes),
    `${((100 * one.readBytes) / Math.max(1, one.storedBytes)).toFixed(1)} %`,
    one.againBytes > 0 ? formatBytes(one.againBytes) : '',
    formatCount(one.calls),
    ...(wanted === undefined ? [] : [inVain(one) ? 'no' : 'yes']),
  ]);
  const first = own.length + 1;
  return {
    titles,
    numbers: [...(isNtuple ? [1] : []), first, first + 1, first + 2, first + 3, first + 4],
    rows,
  };
}
