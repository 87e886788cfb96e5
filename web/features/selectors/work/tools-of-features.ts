import type { CorrectionTools } from '../../../api/corrections';
import { unsupported } from '../../../base/data-errors';
import { filledSlot } from '../../../base/slot';
import * as features from '../../tools';
import type { ToolsPart } from '../../work-part';
import type { SelectorFiles } from './selector-files';

/** The names of the functions, each of which throws UNSUPPORTED in a build without the feature. */
const NAMES = [
  'corrections',
  'goodRuns',
  'eventList',
  'pileup',
] as const satisfies readonly (keyof CorrectionTools)[];

/** Returns the functions that other features give to a selector with these files. */
export async function toolsFor(files: SelectorFiles): Promise<CorrectionTools> {
  const load = filledSlot<ToolsPart, 'tools'>(features, 'tools');
  if (load) return (await load())(files);
  const refuse = (): never => {
    throw unsupported('This build of xylem has no corrections.');
  };
  return Object.fromEntries(NAMES.map((name) => [name, refuse])) as unknown as CorrectionTools;
}
