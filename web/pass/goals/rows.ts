import type { OutputValues, Rows } from '../../api/rows';
import type { Part, ProgramUse } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';

export type OutputKind = 'number' | 'int64' | 'uint64' | 'string';

export type RowsData = GoalData & { kind: 'rows'; outputs: readonly OutputKind[] };

/** Buffers of a program that produced rows. */
type RowBuffers = { buffer(index: number): ArrayBuffer } | undefined;

export const rowsWork: GoalWork<RowsData> = {
  doubles: () => 0,
  open: (_, { outputs }) => ({ take: (_rest, query) => rowsOf(outputs, query) }),
};

/** Returns the rows that a program produced. */
export function rowsOf(outputs: readonly OutputKind[], query: RowBuffers): Rows {
  const bufferOf = (index: number): ArrayBuffer => query?.buffer(index) ?? new ArrayBuffer(0);
  return {
    entries: new Float64Array(bufferOf(0)),
    outputs: outputs.map((kind, i) => {
      const counts = new Int32Array(bufferOf(1 + 2 * i));
      return { counts, ...valuesOf(kind, bufferOf(2 + 2 * i)) };
    }),
  };
}

function valuesOf(kind: OutputKind, bytes: ArrayBuffer): Omit<OutputValues, 'counts'> {
  if (kind === 'string') return { values: new Float64Array(0), strings: new Uint8Array(bytes) };
  if (kind === 'int64') return { values: new BigInt64Array(bytes) };
  return { values: kind === 'uint64' ? new BigUint64Array(bytes) : new Float64Array(bytes) };
}

/** Returns a goal for the entries that pass the cut, with the values of each output of a program. */
export function rowsGoal(
  program: ProgramUse,
  outputs: readonly OutputKind[],
  take: (rows: Rows, part: Part) => void,
): Goal {
  return {
    program,
    data: () => ({ kind: 'rows', outputs }) as RowsData,
    take: ({ extra }, part) => take(extra as Rows, part),
  };
}
