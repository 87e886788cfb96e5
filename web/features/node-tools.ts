// One entry for each feature that gives functions to selectors in Node only. Entries load code only when it is used.
import type { ToolsPart } from './work-part';

export const models: ToolsPart = {
  tools: async () => (await import('./models/work/node-tools')).modelTools,
};
