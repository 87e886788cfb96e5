import { slotOf } from '../../base/slot';
import * as features from '../../features/page';
import type { PagePart, SelectorOf } from '../part';

/** Returns the branches and the cut of the selector that the page holds for a tree. Throws ARGUMENT if it holds none. */
export const heldSelector: SelectorOf = async (...call) => {
  const load = slotOf<PagePart, 'selector'>(features, 'selector', 'selectors');
  return (await load())(...call);
};
