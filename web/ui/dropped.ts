import * as features from '../features/page';
import type { PagePart } from './part';
import type { ViewerStore } from './state/viewer-state';

/** Whether a feature shows what is in a dropped file beside the open file. */
export async function isShownBeside(store: ViewerStore, file: File): Promise<boolean> {
  for (const { drops } of Object.values<PagePart>(features)) {
    if (drops === undefined || drops.when?.(file) === false) continue;
    const show = await drops.load();
    if (await show(store, file)) return true;
  }
  return false;
}
