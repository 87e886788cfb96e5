// One entry for each feature with verbs that the page shows by their reports. Entries load code only when it is used.
import type { PageVerbs } from '../verbs/page';

export const whatif: PageVerbs = {
  costs: {
    label: 'Costs',
    words: 'what if TTreeCache read-ahead links latency bandwidth CPU uproot ROOT',
    on: ['tree'],
    // The page has no files of text and no other files. Any link and any expression can be asked for in the view of reads.
    without: [
      ...['reads', 'draw', 'cut', 'selector', 'entries', 'entryList', 'sample', 'seed', 'caches', 'beside'],
      ...['source', 'latency', 'bandwidth', 'calibration', 'codec', 'tried'],
    ],
    load: async () => (await import('./whatif/verb')).whatif,
  },
};
