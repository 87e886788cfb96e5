import { readableLatex } from '../../plot/drawing/latex';
import type { ViewerStore } from '../state/viewer-state';

/** Titles that ROOT generates, which are lists of leaves: "Jet_pt[nJet]/F", "x/F:y/I". */
const LEAF_LIST = /^[\w.]+(\[[^\]]*\])*\/[A-Za-z](:[\w.]+(\[[^\]]*\])*(\/[A-Za-z])?)*$/;

/** Returns the title of the branch or object that is drawn, or the expression; empty if nothing is drawn. */
export function storedTitle(store: ViewerStore): string {
  const chosen = store.selection.chosen.value;
  if (chosen?.kind === 'branch') {
    const { title, path } = chosen.branch;
    return title === '' || LEAF_LIST.test(title) ? path : readableLatex(title);
  }
  return readableLatex(store.plot.shown.value?.model?.title ?? '');
}
