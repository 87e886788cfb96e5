// One entry for each feature that opens addresses in a page. Entries load code only when it is used.
import type { SourcePart } from './work-part';

export const xrootd: SourcePart = {
  protocol: 'xrootd',
  open: async () => (await import('./xrootd/work/gateway-source')).openThroughGateway,
};
