// One entry for each feature with work that the reader, the library and workers call. Entries load code only when it is used.
import type { WorkPart } from './work-part';

export const selectors: WorkPart = {
  kinds: {
    process: async () => (await import('./selectors/work/partial/process-kind')).processKind,
  },
};
