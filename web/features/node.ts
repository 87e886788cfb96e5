// One entry for each feature that a reader in Node calls. Entries load code only when it is used.
import type { NodePart } from './work-part';

export const selectors: NodePart = {
  process: async () => (await import('./selectors/work/node-process')).processInNode,
};

export const xrootd: NodePart = {
  source: {
    protocol: 'xrootd',
    open: async () => (await import('./xrootd/work/node-xrootd-source')).createXrootdSource,
  },
};
