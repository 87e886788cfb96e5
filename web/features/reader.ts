// One entry for each feature that pages and programs call beside their reader. Entries load code only when it is used.
import type { ReaderPart } from './work-part';

export const cutflow: ReaderPart = {
  kinds: { cutflow: async () => (await import('./cutflow/work/kind')).cutflowKind },
};

export const exports: ReaderPart = {
  exportTree: async () => (await import('./exports/work/export-tree')).exportTree,
};

export const fits: ReaderPart = { alone: ['fit', 'fitTogether', 'fitValues'] };

export const selectors: ReaderPart = {
  kinds: {
    process: async () => (await import('./selectors/work/partial/process-kind')).processKind,
  },
};

export const writer: ReaderPart = {
  writer: async () => (await import('./writer/work/api')).createWriteApi,
};
