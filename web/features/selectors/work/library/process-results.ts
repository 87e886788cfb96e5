import type { Histogram } from '../../../../api/api';
import type { ProcessResult } from '../../../../api/selector';
import { drawn } from '../../../../library/drawn';
import { processedOf } from '../gathered';
import { isOf } from '../kinds/kinds';

/** The members of a state, by name. */
export function resultsOf(made: Pick<ProcessResult, 'state' | 'entries'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(processedOf(made)).map(([name, one]) => [
      name,
      isOf('histogram', made.state[name]) ? drawn(one as Histogram) : one,
    ]),
  );
}
