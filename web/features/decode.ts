// One entry for each feature that decode workers of Node call. Entries load code only when it is used.
import type { DecodePart } from './work-part';

export const selectors: DecodePart = {
  userCode: async () => (await import('./selectors/work/node-user-code')).allowUserCode(),
};
