import type { KeyInfo } from '../../api/api';
import type { IconName } from '../widgets/icons';

/** Icons of objects by class. The first match is used. */
const icons: readonly (readonly [classes: RegExp, icon: IconName])[] = [
  [/^(TCanvas|TPad|RooPlot|TPave\w*|TLegend|TRatioPlot)$/, 'canvas'],
  [/^(THStack|TH3\w*|TH2Poly|TProfile\w*|THn\w*)$/, 'histogram'],
  [/^(TF[123]\w*|TFormula|TSpline\w*|RooFitResult)$/, 'function'],
  [/^(TMultiGraph|TGraph\w*|TEfficiency|TScatter)$/, 'graph'],
  [/^(T(Hash)?List|TObjArray|TClonesArray|TMap|TFolder|TDirectory\w*)$/, 'list'],
  [/^T(Matrix|Vector)T/, 'ntuple'],
  [/^(TObjString|TNamed|TParameter<.*>)$/, 'string'],
];

/** Returns the icon of a key: by its kind, or by its class if the kind is only "object". */
export function keyIcon({ kind, className }: Pick<KeyInfo, 'kind' | 'className'>): IconName {
  if (kind !== 'object') return kind;
  return icons.find(([classes]) => classes.test(className))?.[1] ?? 'object';
}
