import { readFile } from 'node:fs/promises';
import { ADDRESSES } from './addresses';
import { loadOnce, noModule } from './registry';

/** The modules beside the script, in Node; each is compiled once for a process. */
export const nodeModules = loadOnce(async (name) => {
  try {
    return await WebAssembly.compile(await readFile(ADDRESSES[name]()));
  } catch (cause) {
    throw noModule(name, cause);
  }
});
