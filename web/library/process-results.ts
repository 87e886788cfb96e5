import type { Histogram } from '../api/api';
import type { ProcessResult } from '../api/selector';
import { processedOf } from '../measure/selector/gathered';
import { isOf } from '../measure/selector/kinds/kinds';
import { drawn } from './drawn';

/** The members of a state, by name. */
export function resultsOf(made: Pick<ProcessResult, 'state' | 'entries'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(processedOf(made)).map(([name, one]) => [
      name,
      isOf('histogram', made.state[name]) ? drawn(one as Histogram) : one,
    ]),
  );
}
