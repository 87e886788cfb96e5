// One entry for each feature of the library, which the page does not call. Entries load code only when it is used.
import type { LibraryPart } from './work-part';

export const calc: LibraryPart = {
  calculate: async () => (await import('./calc/work/library')).calculateWith,
};

export const corrections: LibraryPart = {
  corrections: async () => (await import('./corrections/work/open')).correctionsLibrary,
};

export const fits: LibraryPart = {
  fit: async () => (await import('./fits/work/library')).fitGiven,
  fitValues: async () => (await import('./fits/work/library')).fitValuesOf,
  fitTogether: async () => (await import('./fits/work/library')).fitTogetherGiven,
};

export const selectors: LibraryPart = {
  process: async () => (await import('./selectors/work/library/process')).processOne,
  openSelector: async () => (await import('./selectors/threads/process-in-page')).openInPage,
};

export const writer: LibraryPart = {
  mergeRoot: async () => (await import('./writer/work/merge-root')).mergeWith,
  writeRoot: async () => (await import('./writer/work/write-root')).writeRootWith,
};
