import type { PlannedPass } from '../api/engine-api';
import { DIRECT_GAP_BYTES } from './direct';
import type { TaskRunner } from './types';

/** A runner with which passes read nothing, and the reads that they would make. */
export interface Recording {
  runner: TaskRunner;
  passes: PlannedPass[];
}

/** Returns a runner that records reads; `local`: those of workers that read a local file themselves. */
export function recordReads(runner: TaskRunner, local: boolean): Recording {
  const passes: PlannedPass[] = [];
  const take: NonNullable<TaskRunner['record']>['take'] = ({ lists }) => {
    const own = new Float64Array(lists.reads.length / 2);
    for (let i = 0; i < own.length; i += 2) {
      own[i] = lists.reads[2 * i + 1] ?? 0;
      own[i + 1] = lists.reads[2 * i + 2] ?? 0;
    }
    passes.push({ reads: own, wanted: lists.bytes.reduce((sum, bytes) => sum + bytes, 0) });
  };
  return { runner: { ...runner, record: { gapBytes: local ? DIRECT_GAP_BYTES : 0, take } }, passes };
}
