import type { ViewerStore } from '../../../ui/state/viewer-state';

/** The choices of a cutflow, as in the address: the state of its view. */
export interface CutflowParams {
  cuts: readonly string[];
  weight: string;
}

/** Parses the state of the view: "cut=nMuon==2&cut=Jet_pt>30&weight=w", encoded as in addresses. */
export function parseCutflowParams(text: string): CutflowParams {
  const query = new URLSearchParams(text);
  const cuts = query.getAll('cut').filter((cut) => cut.trim() !== '');
  return { cuts, weight: query.get('weight') ?? '' };
}

/** Returns the text that `parseCutflowParams` reads. */
export function formatCutflowParams({ cuts, weight }: CutflowParams): string {
  const query = new URLSearchParams(cuts.map((cut) => ['cut', cut]));
  if (weight !== '') query.set('weight', weight);
  return query.toString();
}

/** Opens the view *Cutflow* of the tree that is shown, with cuts of another view, for example the brushes of a board. */
export function openCutflow({ selection }: ViewerStore, cuts: readonly string[], weight = ''): void {
  selection.setView('cutflow', formatCutflowParams({ cuts, weight }));
}
