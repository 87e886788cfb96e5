import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toXylemError } from '../../../web/base/errors';
import { fit } from '../../../web/features/fits/work/fit';
import { fittedOf, judgedCases, optionsOf } from './judged';

const compiled = WebAssembly.compile(readFileSync('build/xylem-fit.wasm'));
const load = () => compiled;

/** The data have no points, or fewer than parameters: ROOT then fits nothing, or gives a status that is not 0. */
const REFUSED = /^(The fit has no data|The function has \d+ free parameters|With its start values)/;

describe('fits agree with those of ROOT', () => {
  test('there are at least 600, of which at least 50 fail', () => {
    expect(judgedCases.length).toBeGreaterThan(600);
    expect(judgedCases.filter((one) => !one.empty && one.result.status !== 0).length).toBeGreaterThan(50);
  });

  test.each(judgedCases.map((one, i) => ({ ...one, name: `${i} ${one.on} ${one.function} ${one.options}` })))(
    '$name',
    async (one) => {
      const made = await fit(load, fittedOf(one.on), one.function, optionsOf(one)).then(
        ({ result }) => result,
        (thrown: unknown) => toXylemError(thrown),
      );
      if (made instanceof Error) {
        expect(made.message).toMatch(REFUSED);
        expect(one.empty === true || one.result.status !== 0).toBe(true);
        return;
      }
      const { result } = one;
      expect(one.empty).toBeUndefined();
      expect(made.status).toBe(result.status);
      expect(made.valid).toBe(result.valid);
      expect(made.why === undefined).toBe(result.status === 0 && result.valid);
      expect(made.ndf).toBe(result.ndf);
      if (result.status !== 0 || !result.valid) return;
      expect(Math.abs(made.fcn - result.fcn)).toBeLessThanOrEqual(
        Math.max(1e-6 * Math.abs(result.fcn), 1e-7),
      );
      for (const [i, { value, error, minos }] of made.parameters.entries()) {
        const [wanted = 0, sigma] = [result.values[i], result.errors[i]];
        // A likelihood with weights of both signs: ROOT's errors are NaN, and xylem says that the weights are not in them.
        if (sigma === undefined || sigma === null) {
          expect(made.notes.join()).toContain('do not know the weights');
          continue;
        }
        expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-3 * sigma + 1e-12 * Math.abs(wanted));
        expect(Math.abs(error - sigma)).toBeLessThanOrEqual(0.01 * sigma + 1e-12 * Math.abs(wanted));
        const other = result.minos?.[i];
        if (!other) {
          expect(minos?.valid ?? false).toBe(false);
          continue;
        }
        const [low, high] = other;
        expect(Math.abs((minos?.low ?? 0) - low)).toBeLessThanOrEqual(0.01 * Math.abs(low));
        expect(Math.abs((minos?.high ?? 0) - high)).toBeLessThanOrEqual(0.01 * high);
      }
    },
  );
});
