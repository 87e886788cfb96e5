import { type ColumnsData, columnsWork } from './columns';
import { type FillData, fillWork } from './fill';
import type { GoalData, GoalWork } from './goal';
import { type RangeData, rangeWork } from './range';
import { type RowsData, rowsWork } from './rows';
import { type SketchData, sketchWork } from './sketch';
import { type SummaryData, summaryWork } from './summary';
import { type VerifyData, verifyWork } from './verify';

export type AnyGoal = ColumnsData | SummaryData | SketchData | VerifyData | FillData | RangeData | RowsData;

/** The kinds of goals. Each has a file. */
const WORK: { [K in AnyGoal['kind']]: GoalWork<Extract<AnyGoal, { kind: K }>> } = {
  columns: columnsWork,
  summary: summaryWork,
  sketch: sketchWork,
  verify: verifyWork,
  fill: fillWork,
  range: rangeWork,
  rows: rowsWork,
};

export function workOf(goal: GoalData): GoalWork<GoalData> {
  return WORK[goal.kind as AnyGoal['kind']] as GoalWork<GoalData>;
}

/** Adds a kind of goals that only some hosts have. */
export function addWork<Data extends GoalData>(kind: Data['kind'], work: GoalWork<Data>): void {
  Object.assign(WORK, { [kind]: work });
}
