import { unsupported } from '../../base/data-errors';
import * as features from '../../features/page';
import type { PagePart, SelectorOf } from '../part';

/** Returns the branches and the cut of the selector that the page holds for a tree. Throws ARGUMENT if it holds none. */
export const heldSelector: SelectorOf = async (...call) => {
  const part = Object.values<PagePart>(features).find(({ selector }) => selector !== undefined);
  if (part?.selector === undefined) throw unsupported('This build of xylem has no selectors.');
  return (await part.selector())(...call);
};
