import { unsupported } from '../../../base/data-errors';
import * as features from '../../tools';
import type { ToolsPart } from '../../work-part';
import type { SelectorFiles } from './selector-files';
import type { FeatureTools } from './types';

/** The names of the functions, and why one is not there. */
const ABSENT: Readonly<Record<keyof FeatureTools, string>> = {
  corrections: 'This build of xylem has no corrections.',
  goodRuns: 'This build of xylem has no lists of good runs.',
  eventList: 'This build of xylem has no lists of events.',
  pileup: 'This build of xylem has no weights of pile-up.',
  model: 'Models run in Node only, with "xylem process" and tree.process.',
};

const lists: Readonly<Record<string, ToolsPart>>[] = [features];

/** Adds the functions of a list of features that only this host has. */
export function addTools(list: Readonly<Record<string, ToolsPart>>): void {
  if (!lists.includes(list)) lists.push(list);
}

/** Returns the functions for a selector with these files. A function that is not in this build, or not on this host, throws UNSUPPORTED. */
export async function toolsFor(files: SelectorFiles, module: string): Promise<FeatureTools> {
  const absent = Object.entries(ABSENT).map(([name, why]) => [
    name,
    (): never => {
      throw unsupported(why);
    },
  ]);
  const loaded = await Promise.all(
    lists.flatMap((list) => Object.values(list)).map(async ({ tools }) => (await tools())(files, module)),
  );
  return Object.assign({}, Object.fromEntries(absent), ...loaded) as FeatureTools;
}
