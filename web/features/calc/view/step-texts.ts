import type { Compiled } from '../work/language/compile';
import { compiled } from '../work/run-steps';

/** Name of the shown histogram in steps, and of the result of each step in the next one. */
export const RESULT = 'h';
const SEPARATOR = '|';

/** Returns the steps of the text of a link. */
export function stepsOfText(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((step) => step.trim())
    .filter((step) => step !== '');
}

/** Returns the text of a link. A separator within a step would be read as the end of it. */
export function textOfSteps(steps: readonly string[]): string {
  return steps.map((step) => step.replaceAll(SEPARATOR, ' ')).join(SEPARATOR);
}

/**
 * Compiles steps: each is an expression over the result of the one before, which is named h. `own` is an expression for
 * the shown histogram. Errors name the step. Throws ARGUMENT and NOT_FOUND.
 */
export function compiledSteps(steps: readonly string[], own: string): Compiled {
  const lets = [own, ...steps].map((text) => [RESULT, text] as const);
  // The first is the shown histogram.
  return compiled(
    RESULT,
    lets,
    () => true,
    (i) => (i === 0 ? undefined : `Step ${i}, ${steps[i - 1]}`),
  );
}
