import type { Sample } from '../../../api/selector';
import { argumentError } from '../../../base/errors';
import type { SampleInput } from '../../../cli/samples';
import { needsWhole } from '../../../measure/sample';
import { noLuminosity } from '../../../measure/sample-scale';
import type { PartialGiven } from '../../chains/cli/forms';
import { parseLuminosity } from './luminosity';
import { type MadeGiven, wantsMade } from './made';

/** Throws ARGUMENT, before a file is read, for what cannot be scaled later. */
export function checkSamples(
  samples: readonly Sample[],
  inputs: readonly SampleInput[],
  given: PartialGiven & MadeGiven,
): void {
  const whole = new Set(samples.filter(needsWhole).map(({ name }) => name));
  const cut = inputs.find(({ entries, sample }) => entries && whole.has(sample));
  if (cut) {
    throw argumentError(
      `The sum of weights of "${cut.sample}" is that of whole files, and ${cut.file} has a range of entries.`,
      'Read whole files: "plan --samples" cuts none of these. Or give "sumOfWeights" as a number.',
      { url: cut.file },
    );
  }
  parseLuminosity(given.lumi);
  const saved = (given.partial ?? given.resume) !== undefined && !wantsMade(given);
  const scaled = samples.some(({ crossSection }) => crossSection !== undefined);
  if (scaled && !saved && given.lumi === undefined) throw noLuminosity();
}
