import type { Gathered, GatheredState, TableColumnType } from '../../api/selector';
import { unsupported } from '../../base/data-errors';
import { argumentError } from '../../base/errors';

/** The arrays of the columns of tables, by their types; those of texts are lists. */
export const TABLE_ARRAYS = {
  number: Float64Array,
  whole: BigInt64Array,
  unsigned: BigUint64Array,
  text: Array,
} as const satisfies Record<TableColumnType, unknown>;

export function isTableType(type: unknown): type is TableColumnType {
  return typeof type === 'string' && Object.hasOwn(TABLE_ARRAYS, type);
}

/** Whether a column of whole numbers holds one. */
export function isWithin(type: 'whole' | 'unsigned', whole: bigint): boolean {
  return (type === 'whole' ? BigInt.asIntN : BigInt.asUintN)(64, whole) === whole;
}

/** A text that is equal for what adds up. */
function formOf(one: Gathered | undefined): string {
  if (one?.kind === 'table') return JSON.stringify(one.columns);
  return one?.kind === 'histogram' ? JSON.stringify([one.axes, one.profile, one.title]) : String(one?.kind);
}

/** Throws ARGUMENT if two states have different members and cannot be added. */
export function checkForms(one: GatheredState, other: GatheredState): void {
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    if (formOf(one[name]) !== formOf(other[name])) {
      throw argumentError(
        `"${name}" of the selector's state differs between parts of the entries.`,
        'Make the same members each time that begin is called; process and entry fill them, and neither add nor replace any.',
      );
    }
}

/**
 * Throws UNSUPPORTED if the selector merges a part of its state itself, so that results of several runs cannot be
 * added.
 */
export function checkAddsUp(empty: GatheredState): void {
  const own = Object.entries(empty).find(([, { kind }]) => kind === 'own');
  if (!own) return;
  throw unsupported(
    `"${own[0]}" is merged by the selector itself, so that results of several files do not add up later.`,
    'Make it with the job of begin, or process the files together, without samples, --partial, --resume and --jobs.',
  );
}
