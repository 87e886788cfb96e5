import type { ModuleName } from './registry';

/** Addresses of the core and the modules, relative to this script. Bundlers recognize this form, one for each file. */
export const ADDRESSES: Readonly<Record<ModuleName | 'core', () => URL>> = {
  core: () => new URL('../../../build/xylem.wasm', import.meta.url),
  math: () => new URL('../../../build/xylem-math.wasm', import.meta.url),
  export: () => new URL('../../../build/xylem-export.wasm', import.meta.url),
  fit: () => new URL('../../../build/xylem-fit.wasm', import.meta.url),
  write: () => new URL('../../../build/xylem-write.wasm', import.meta.url),
};
