import type { Gathered, GatheredState } from '../../../../api/selector';
import { overBudget } from '../../../../base/data-errors';
import { formatCount } from '../../../../base/format';
import type { Context } from '../../../../cli/context';
import type { Column } from '../../../../core/columns';
import { decodeText } from '../../../../core/tape';
import { isOf } from '../../work/kinds/kinds';
import { blocksOf, countRows, type RowsResult } from '../../work/kinds/rows';
import type { TableValues } from '../../work/rows/types';
import { groupRows } from './row-reader';
import { withRows } from './write-rows';

/** Most rows of a table that are read into memory. */
const MAX_ROWS = 10_000_000;

/**
 * Returns a state whose tables are in memory: all, or the one with the name `only`. Throws BUDGET for a table with too many rows, and
 * the errors of reading.
 */
export async function readRows(
  state: GatheredState,
  only: string | undefined,
  context: Pick<Context, 'open'>,
): Promise<GatheredState> {
  const read: GatheredState = {};
  for (const [name, one] of Object.entries(state)) {
    const isWanted = isOf('table', one) && (only === undefined || only === name);
    read[name] = isWanted ? await inMemory(name, one, context) : one;
  }
  return read;
}

/** Returns a table with its rows in memory, in one part with an unnamed place. */
async function inMemory(name: string, one: RowsResult, context: Pick<Context, 'open'>): Promise<Gathered> {
  const blocks = blocksOf(one);
  if (blocks.every((block) => Array.isArray(block))) return one;
  const count = countRows(one);
  if (count > MAX_ROWS) {
    throw overBudget(
      `"${name}" has ${formatCount(count)} rows, and at most ${formatCount(MAX_ROWS)} are shown as JSON.`,
      'Write it by --parquet, --arrow, --csv or --root.',
    );
  }
  const table = { columns: one.columns, blocks };
  const all = await withRows(table, context, async (rows) => {
    const groups: TableValues[][] = [];
    for (;;) {
      const part = await rows.take(groupRows(one.columns));
      if (!part) return groups;
      groups.push(part.columns.map(valuesOf));
    }
  });
  return { ...one, parts: [{ file: '', tree: '', from: 0, blocks: all }] } as Gathered;
}

/** Returns the values of a column of a table. */
export function valuesOf(column: Column): TableValues {
  if (column.kind === 'primitive') return column.data as TableValues;
  if (column.kind !== 'string') return [];
  const { bytes, offsets, length } = column;
  return Array.from({ length }, (_, i) => decodeText(bytes.subarray(offsets[i] ?? 0, offsets[i + 1] ?? 0)));
}
