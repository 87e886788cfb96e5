import type { Schema } from '../../core/decoder';
import { type DistinctSketch, SKETCH_BYTES, sketchWords, toSketch } from '../../core/sums/distinct-sketch';
import type { Part } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';

export type SketchData = GoalData & { kind: 'sketch'; schema: Schema };

export const sketchWork: GoalWork<SketchData> = {
  doubles: () => 0,
  open(core, { schema }) {
    const words = sketchWords(schema);
    const sketch = core.make((x) => x.xy_sketch_create());
    return {
      words: { ...words, sketch },
      take: () => toSketch(core.copy(sketch, SKETCH_BYTES).buffer),
      close: () => core.free((x) => x.xy_sketch_destroy(sketch)),
    };
  },
};

/** Returns a goal for the summary, the distinct values and the checksums of a column. */
export function sketchGoal(
  column: number,
  schema: Schema,
  take: (sketch: DistinctSketch, part: Part) => void,
): Goal {
  return {
    column,
    data: () => ({ kind: 'sketch', schema }) as SketchData,
    take: ({ extra }, part) => take(extra as DistinctSketch, part),
  };
}
