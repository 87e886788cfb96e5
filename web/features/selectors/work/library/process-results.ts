import type { Histogram } from '../../../../api/api';
import type { ProcessResult } from '../../../../api/selector';
import { drawn } from '../../../../library/drawn';
import { processedOf } from '../gathered';

/** The members of a state, by name. */
export function resultsOf(made: Pick<ProcessResult, 'state' | 'entries'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(processedOf(made)).map(([name, one]) => [name, isHistogram(one) ? drawn(one) : one]),
  );
}

function isHistogram(value: unknown): value is Histogram {
  return (value as { kind?: unknown } | null)?.kind === 'histogram';
}
