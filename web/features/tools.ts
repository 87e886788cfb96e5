// One entry for each feature that gives functions to selectors. Entries load code only when it is used.
import type { ToolsPart } from './work-part';

export const corrections: ToolsPart = {
  tools: async () => (await import('./corrections/work/tools')).correctionTools,
};
