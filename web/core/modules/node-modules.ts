import { readFile } from 'node:fs/promises';
import { ADDRESSES } from './addresses';
import { loadOnce, noModule, withoutParts } from './registry';

/** Loads the modules beside the script, in Node. Each is compiled once per process. */
export const nodeModules = loadOnce(
  withoutParts(async (name) => {
    try {
      return await WebAssembly.compile(await readFile(ADDRESSES[name]()));
    } catch (cause) {
      throw noModule(name, cause);
    }
  }),
);
