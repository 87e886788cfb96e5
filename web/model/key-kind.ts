import type { KeyInfo, KeyKind } from '../api/api';

/** Returns the kind of a class for a viewer. A TChain is an object, because it contains only names of files. */
export function kindOfClass(className: string): KeyKind {
  if (/^TDirectory(File)?$/.test(className)) return 'directory';
  if (/^(TTree|TNtupleD?|TTreeSQL)$/.test(className)) return 'tree';
  if (/^ROOT::(Experimental::)?RNTuple$/.test(className)) return 'ntuple';
  if (/^(TH[123][CSILFDK]|TProfile([23]D)?|TH2Poly|TProfile2Poly)$/.test(className)) return 'histogram';
  if (/^(TGraph\w*|TMultiGraph|TEfficiency)$/.test(className)) return 'graph';
  return 'object';
}

/** Whether a key is of a TTree or an RNTuple. */
export function isTree({ kind }: Pick<KeyInfo, 'kind'>): boolean {
  return kind === 'tree' || kind === 'ntuple';
}
