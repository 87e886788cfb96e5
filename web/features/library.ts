// One entry for each feature that readers, and the handles of files and trees, offer to programs. Entries load code only when it is used.
import type { LibraryPart } from './work-part';

export const exports: LibraryPart = {
  exportTree: async () => (await import('./exports/work/export-tree')).exportTree,
};

export const selectors: LibraryPart = {
  kinds: {
    process: async () => (await import('./selectors/work/partial/process-kind')).processKind,
  },
  process: async () => (await import('./selectors/work/library/process')).processOne,
  openSelector: async () => (await import('./selectors/threads/process-in-page')).openInPage,
};

export const writer: LibraryPart = {
  writer: async () => (await import('./writer/work/api')).createWriteApi,
  mergeRoot: async () => (await import('./writer/work/merge-root')).mergeWith,
  writeRoot: async () => (await import('./writer/work/write-root')).writeRootWith,
};
