import { concat } from '../base/bytes';
import { countsFrom } from './entry-counts';
import type { TaskPlan, UnitRun } from './plan';
import type { Task, UnitExtras } from './task';
import type { UnitsOfFile } from './types';

/** The chosen entries of a unit, as spans that count from its first entry. */
export type SpansOf = (list: number, index: number) => Float64Array | undefined;

const NO_SPANS = new Float64Array(0);

/**
 * The units of a task as a worker takes them, with the spans and the array lengths that they need. `spansOf` returns
 * undefined for a unit of which all entries are chosen.
 */
export function unitsOfTask(
  plan: TaskPlan,
  task: number,
  spansOf: SpansOf | undefined,
): Pick<Task, 'units' | 'more'> {
  const units = plan.units(task);
  if (!spansOf && !plan.isCounted) return { units };
  return { units, more: extrasOf(plan.parts(task), plan.sources, units, spansOf) };
}

function extrasOf(
  runs: readonly UnitRun[],
  sources: readonly UnitsOfFile[],
  units: Float64Array,
  spansOf: SpansOf | undefined,
): UnitExtras {
  const places = new Float64Array(units.length);
  const spans: Float64Array[] = [];
  const counts: Int32Array[] = [];
  let spansBefore = 0;
  let countsBefore = 0;
  let at = 0;
  for (const { list, first, count } of runs) {
    const scan = sources[list]?.scan;
    for (let index = first; index < first + count; index++, at += 4) {
      let own = spansOf?.(list, index) ?? NO_SPANS;
      if (own.length === 2) {
        units.set(own, at + 2);
        own = NO_SPANS;
      }
      const start = scan?.units.numbers.first[index] ?? 0;
      const lengths = scan?.counts && countsFrom(scan.counts, start, start + (units[at + 3] ?? 0));
      places.set([spansBefore, own.length / 2, lengths ? countsBefore : -1, lengths?.length ?? 0], at);
      spans.push(own);
      if (lengths) counts.push(lengths);
      spansBefore += own.length / 2;
      countsBefore += lengths?.length ?? 0;
    }
  }
  return {
    places,
    spans: concat(spans, new Float64Array(2 * spansBefore)),
    counts: concat(counts, new Int32Array(countsBefore)),
  };
}
