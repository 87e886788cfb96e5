import { ofC } from './bodies';
import type { KnownClass } from './vector-classes';

/** Statistics that TH1 updates while it is filled. */
const MEMBERS = {
  entries: 'fEntries',
  sumw: 'fTsumw',
  sumw2: 'fTsumw2',
  sumwx: 'fTsumwx',
  sumwx2: 'fTsumwx2',
  bins: 'fXaxis.fNbins',
  low: 'fXaxis.fXmin',
  high: 'fXaxis.fXmax',
};

/** The getters of TH1 that need only its stored statistics or one bin. */
const TH1: KnownClass = {
  members: MEMBERS,
  methods: {
    GetEntries: 'entries',
    GetMean: 'sumw == 0 ? 0 : sumwx/sumw',
    GetStdDev: ofC('sumw == 0 ? 0 : sqrt(fabs(sumwx2/sumw - sumwx/sumw*(sumwx/sumw)))'),
    GetRMS: 'GetStdDev',
    GetMeanError: ofC('GetEffectiveEntries > 0 ? GetStdDev/sqrt(GetEffectiveEntries) : 0'),
    GetEffectiveEntries: 'sumw2 != 0 ? sumw*sumw/sumw2 : fabs(sumw)',
    GetNbinsX: 'bins',
    GetBinCenter: { args: 1, body: 'low + (a - 0.5)*((high - low)/bins)' },
    GetBinLowEdge: { args: 1, body: 'low + (a - 1)*((high - low)/bins)' },
    GetBinWidth: { args: 1, body: '(high - low)/bins + 0*a' },
  },
  arrays: { GetBinContent: 'fArray' },
};

export function histogramClass(typeName: string): KnownClass | undefined {
  return /\bTH1[CSIFDLK]\b/.test(typeName) ? TH1 : undefined;
}
