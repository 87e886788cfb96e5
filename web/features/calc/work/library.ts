import type { Calculated } from '../../../api/calc';
import type { Histogram } from '../../../api/drawing';
import { argumentError } from '../../../base/errors';
import { own } from '../../../base/search';
import { notFound } from '../../../base/suggest';
import { type BinContents, givenHistogram } from '../../../bins/given-histogram';
import { efficienciesOf } from '../../../plot/stored/kinds/efficiency';
import { heldOf, histogramOfHeld } from './ops/held';
import { compiled, runSteps } from './run-steps';
import type { Value } from './steps';

/** Implements `calculate`. */
export async function calculateWith(
  expression: string,
  histograms: Readonly<Record<string, Histogram | BinContents>>,
): Promise<Calculated> {
  if (typeof expression !== 'string' || typeof histograms !== 'object' || histograms === null)
    throw argumentError(
      'calculate takes an expression, and histograms by their names.',
      'Write calculate("a / b", { a, b }).',
    );
  const values = await runSteps(
    compiled(expression, [], () => true),
    {
      open(name) {
        const found = own(histograms, name);
        if (found === undefined) throw notFound('histogram', name, Object.keys(histograms));
        return Promise.resolve(heldOf(givenHistogram(found)));
      },
      fill() {
        throw argumentError(
          'calculate fills no histogram.',
          'Give what draw returned as one of the histograms.',
        );
      },
    },
  );
  const value = values.at(-1);
  if (value === undefined) throw argumentError('There is nothing to compute.');
  return calculatedOf(value);
}

function calculatedOf(value: Value): Calculated {
  switch (value.kind) {
    case 'histogram':
      return histogramOfHeld(value.held);
    case 'number':
      return value;
    case 'statistics':
      return { kind: 'statistics', ...value.statistics };
    case 'efficiency':
      return {
        kind: 'efficiency',
        cells: efficienciesOf(value.object).map(({ value: share, interval }) => ({
          value: share,
          low: interval?.[0] ?? Number.NaN,
          high: interval?.[1] ?? Number.NaN,
        })),
      };
  }
}
