import type { CorrectionTools } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';
import { correctionSetOf } from './correction-set';
import { eventListOf } from './event-list';
import { goodRunsOf } from './good-runs';
import { pileupOf } from './pileup';

/** A file that a selector declares. */
interface Declared {
  readonly name: string;
  text(): string;
}

/** Returns the functions for a selector that declares these files, by their names. Each file is read once. */
export function correctionTools(files: Readonly<Record<string, Declared>>): CorrectionTools {
  const read = <T>(made: (text: string, name: string) => T): ((file: string) => T) => {
    const known = new Map<Declared, T>();
    return (file) => {
      const one = fileOf(files, file);
      const found = known.get(one) ?? made(one.text(), one.name);
      known.set(one, found);
      return found;
    };
  };
  return {
    corrections: read(correctionSetOf),
    goodRuns: read(goodRunsOf),
    eventList: read(eventListOf),
    pileup: pileupOf,
  };
}

/** Returns a file by the name that the selector gives it, or by its path. Throws ARGUMENT. */
function fileOf(files: Readonly<Record<string, Declared>>, file: unknown): Declared {
  const found =
    typeof file === 'string' && Object.hasOwn(files, file)
      ? files[file]
      : Object.values(files).find(({ name }) => name === file);
  if (found) return found;
  const names = Object.keys(files);
  const text = String(file).slice(0, 200);
  throw argumentError(
    `The selector declares no file "${text}".`,
    didYouMean(similar(text, names)) ??
      (names.length > 0
        ? `It declares ${names.join(', ')}.`
        : "Declare it: files: { sf: 'muon_sf.json.gz' }, and write job.corrections('sf')."),
  );
}
