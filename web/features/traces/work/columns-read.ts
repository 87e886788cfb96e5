import type { TreeLayout } from '../../../api/api';
import type { PerfRead, Reading } from '../../../api/reading';
import { union } from '../../../io/ranges';
import { basketOrder } from '../../../reads/basket-order';

/** The reads of a column: a branch of a TTree, or one column of a field of an RNTuple. */
export interface ColumnReads {
  /** Index of the branch or field. */
  branch: number;
  /** Number of the column and name of its type, as ROOT has them; undefined for a TTree. */
  column: number | undefined;
  type: string | undefined;
  /** Number of its baskets or pages, and how many of them were read completely. */
  pages: number;
  pagesRead: number;
  /** Their bytes in the file, and how many of those were read. Bytes read twice count once. */
  storedBytes: number;
  readBytes: number;
  /** Number of bytes that were read again. */
  againBytes: number;
  /** Number of reads that delivered bytes of it. */
  calls: number;
}

/** Names of column types, by their number in the format of RNTuples. */
const TYPES = [
  ...['Bit', 'Byte', 'Char', 'Int8', 'UInt8', 'Int16', 'UInt16', 'Int32', 'UInt32', 'Int64', 'UInt64'],
  ...['Real16', 'Real32', 'Real64', 'Index32', 'Index64', 'Switch', 'SplitInt16', 'SplitUInt16'],
  ...['SplitInt32', 'SplitUInt32', 'SplitInt64', 'SplitUInt64', 'SplitReal16', 'SplitReal32'],
  ...['SplitReal64', 'SplitIndex32', 'SplitIndex64', 'Real32Trunc', 'Real32Quant'],
];

/** Returns the reads that delivered bytes. */
export function callsOf({ reads }: Pick<Reading, 'reads'>): PerfRead[] {
  return reads.filter(
    ({ origin, failed }) => (origin === 'network' || origin === 'disk') && failed === undefined,
  );
}

/** Returns the columns of which a reading read anything, in the order of the tree. */
export function columnReads(reading: Pick<Reading, 'reads'>, layout: TreeLayout): ColumnReads[] {
  const { branchOf, within } = basketOrder(layout);
  const calls = callsOf(reading).map(({ offset, length, ranges }) => union(ranges ?? [{ offset, length }]));
  /** Bytes of each basket that were read. Those read twice count once. */
  const once = new Map<number, number>();
  for (const range of union(calls.flat()))
    within(range, (basket, bytes) => once.set(basket, (once.get(basket) ?? 0) + bytes));
  const branches = new Set([...once.keys()].map((basket) => branchOf[basket] ?? 0));
  const columnOf = new Map<number, ColumnReads>();
  const columns = [...branches]
    .sort((a, b) => a - b)
    .flatMap((branch) => columnsOf(layout, branch, once, columnOf));
  for (const ranges of calls) {
    const brought = new Set<ColumnReads>();
    for (const range of ranges) {
      within(range, (basket, bytes) => {
        const column = columnOf.get(basket);
        if (column === undefined) return;
        column.againBytes += bytes;
        brought.add(column);
      });
    }
    for (const column of brought) column.calls++;
  }
  for (const column of columns) column.againBytes -= column.readBytes;
  return columns.filter(({ readBytes }) => readBytes > 0);
}

/** Returns the columns of a branch with the bytes that were read. `columnOf` returns the column of each basket. */
function columnsOf(
  layout: TreeLayout,
  branch: number,
  once: ReadonlyMap<number, number>,
  columnOf: Map<number, ColumnReads>,
): ColumnReads[] {
  const { basketStart, offset, storedBytes, pageColumn, pageType } = layout;
  const own = new Map<number | undefined, ColumnReads>();
  for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++) {
    if (offset[i] === 0) continue;
    const number = pageColumn?.[i];
    const column = own.get(number) ?? {
      branch,
      column: number,
      type: number === undefined ? undefined : TYPES[pageType?.[i] ?? -1],
      ...{ pages: 0, pagesRead: 0, storedBytes: 0, readBytes: 0, againBytes: 0, calls: 0 },
    };
    own.set(number, column);
    columnOf.set(i, column);
    const length = storedBytes[i] ?? 0;
    const read = once.get(i) ?? 0;
    column.pages++;
    column.storedBytes += length;
    column.readBytes += read;
    if (read === length) column.pagesRead++;
  }
  return [...own.values()];
}
